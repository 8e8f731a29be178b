import { line, number, oidTextOf, text } from '../protocol/textual-conventions.ts'
import type { Source } from './table.ts'

/** SNMPv2-MIB (RFC 3418), with the engine's id (RFC 3411). */
export interface System {
  readonly description?: string | undefined
  /** Without a dot in front. */
  readonly objectId?: string | undefined
  readonly name?: string | undefined
  readonly contact?: string | undefined
  readonly location?: string | undefined
  readonly services?: number | undefined
  /** Hundredths of a second since the agent started. */
  readonly upTicks?: number | undefined
  readonly engineId?: Buffer | undefined
}

export async function readSystem(source: Source): Promise<System> {
  const cells = await source.scalars('system', {
    description: '1.3.6.1.2.1.1.1.0',
    objectId: '1.3.6.1.2.1.1.2.0',
    upTicks: '1.3.6.1.2.1.1.3.0',
    contact: '1.3.6.1.2.1.1.4.0',
    name: '1.3.6.1.2.1.1.5.0',
    location: '1.3.6.1.2.1.1.6.0',
    services: '1.3.6.1.2.1.1.7.0',
    engineId: '1.3.6.1.6.3.10.2.1.1.0',
  })
  return {
    description: text(cells.description),
    objectId: oidTextOf(cells.objectId),
    name: line(cells.name),
    contact: line(cells.contact),
    location: line(cells.location),
    services: number(cells.services),
    upTicks: number(cells.upTicks),
    engineId: Buffer.isBuffer(cells.engineId) ? cells.engineId : undefined,
  }
}
