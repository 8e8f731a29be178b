import { createHash } from 'node:crypto'
import type { Ctx } from '#platform/context.ts'
import * as connections from '../connection-store.ts'
import type { CloudConnection } from '../connection.ts'
import type { Connector, Pace, Session, Values } from '../connectors/connector.ts'
import { connectors } from '../connectors/all.ts'
import { callRates } from './call-rates.ts'

export const PACE: Pace = {
  baseMs: 200,
  waitMaxMs: 20_000,
  throttledTries: 12,
  failedTries: 4,
  deadlineMs: 600_000,
  callRate: { start: 5, min: 0.2, max: 20 },
}

/** What the sealed secret of a connection is bound to. */
export const sealContext = (tenantId: string, id: string): string => `cloud_connection|${tenantId}|${id}`

export function connectorOf(provider: string): Connector {
  const found = connectors.find((it) => it.provider === provider)
  if (!found) throw new Error(`there is no connector for ${provider}`)
  return found
}

/** Signs in as the connection does; opens nothing yet. The signal ends waits and calls. */
export async function openSession(
  ctx: Ctx,
  connection: CloudConnection,
  signal: AbortSignal,
  pace: Pace = PACE,
): Promise<Session> {
  const sealed = await connections.sealedSecret(ctx, connection.id)
  const secrets = sealed
    ? (JSON.parse(ctx.seal.open(sealed, sealContext(ctx.tenantId, connection.id))) as Values)
    : {}
  return {
    settings: connection.settings,
    secrets,
    net: ctx.net,
    now: ctx.now,
    signal,
    rates: callRates(ctx, connection.id, signal, pace.callRate),
    externalId: externalIdOf(ctx.tenantId),
    pace,
  }
}

/** Never given by people, who could give that of another tenant; the same for all roles of a tenant. */
export const externalIdOf = (tenantId: string): string =>
  `rollcall-${createHash('sha256').update(`cloud external id|${tenantId}`).digest('hex').slice(0, 32)}`
