import type { Row, Source } from './table.ts'
import { table } from './table.ts'
import { given, line, number } from '../protocol/textual-conventions.ts'

/** A part of the device, of ENTITY-MIB (RFC 6933). */
export interface Part {
  readonly index: number
  readonly containedIn: number
  readonly class: number
  readonly name?: string
  readonly text?: string
  readonly maker?: string
  readonly model?: string
  readonly serial?: string
  readonly hardware?: string
  readonly firmware?: string
  readonly software?: string
}

/** The case itself, or one for each member of a stack, and what is worth naming inside. */
export interface Entity {
  readonly chassis: readonly Part[]
  /** Modules, power supplies and the like that carry a serial number. */
  readonly modules: readonly Part[]
}

const entPhysicalTable = table('entPhysicalTable', '1.3.6.1.2.1.47.1.1.1.1', {
  descr: 2,
  containedIn: 4,
  class: 5,
  name: 7,
  hardware: 8,
  firmware: 9,
  software: 10,
  serial: 11,
  maker: 12,
  model: 13,
})
type Column = keyof typeof entPhysicalTable.columns

const CHASSIS = 3
const STACK = 11

export async function readEntity(source: Source): Promise<Entity> {
  const parts = (await source.rows(entPhysicalTable)).map(partOf)
  const stacks = new Set(parts.filter((it) => it.class === STACK).map((it) => it.index))
  const isOutermost = (it: Part): boolean => it.containedIn === 0 || stacks.has(it.containedIn)
  const named = parts.filter((it) => it.class === CHASSIS && isOutermost(it))
  // some agents call the case a module, or anything else
  const first = parts.find((it) => it.containedIn === 0 && it.class !== STACK && it.serial !== undefined)
  const chassis = named.length > 0 ? named : first ? [first] : []
  const modules = parts.filter((it) => it.serial !== undefined && !chassis.includes(it))
  return { chassis, modules }
}

function partOf({ index: [index = 0], cells }: Row<Column>): Part {
  return {
    index,
    containedIn: number(cells.containedIn) ?? 0,
    class: number(cells.class) ?? 0,
    ...given({
      name: line(cells.name),
      text: line(cells.descr),
      maker: line(cells.maker),
      model: line(cells.model),
      serial: line(cells.serial),
      hardware: line(cells.hardware),
      firmware: line(cells.firmware),
      software: line(cells.software),
    }),
  }
}
