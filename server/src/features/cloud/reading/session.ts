import { createHash } from 'node:crypto'
import type { Ctx } from '#platform/context.ts'
import * as connections from '../connection-store.ts'
import type { CloudConnection } from '../connection.ts'
import type { Connector, Pace, Session, Values } from '../connectors/connector.ts'
import { subjectOf } from '../connectors/identity-token.ts'
import { connectors } from '../connectors/all.ts'
import { callRates } from './call-rates.ts'

export const PACE: Pace = {
  baseMs: 200,
  waitMaxMs: 20_000,
  throttledTries: 12,
  failedTries: 4,
  deadlineMs: 600_000,
  callMs: 60_000,
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
  const rates = callRates(ctx, connection.id, signal, pace.callRate)
  return sessionOf(ctx, { ...connection, secrets }, { signal, rates, pace })
}

interface SignInValues extends Pick<CloudConnection, 'id' | 'signIn' | 'settings'> {
  readonly secrets: Values
}

/** Also of a connection that is not saved yet. */
export const sessionOf = (
  ctx: Ctx,
  { id, signIn, settings, secrets }: SignInValues,
  run: Pick<Session, 'signal' | 'rates' | 'pace'>,
): Session => ({
  signIn,
  settings,
  secrets,
  net: ctx.net,
  metadata: ctx.metadata,
  now: ctx.now,
  externalId: externalIdOf(ctx.tenantId, id),
  identityToken: (aud, sub = subjectOf(ctx.tenantId, id)) => ctx.issueToken({ aud, sub }),
  ...run,
})

/** Never given by people, who could give that of another tenant. */
export const externalIdOf = (tenantId: string, connectionId: string): string =>
  `rollcall-${createHash('sha256').update(`cloud external id|${tenantId}|${connectionId}`).digest('hex').slice(0, 32)}`
