import { permit, type Ctx } from '#platform/context.ts'
import { checkedValues, type NewConnection } from './connection-input.ts'
import { CloudFault } from './connectors/cloud-fault.ts'
import type { Connector, Pace, Plan, Reading, Session } from './connectors/connector.ts'
import { connectorOf, externalIdOf, PACE as READING_PACE } from './reading/session.ts'

/** What came of one thing that a connection must be allowed. */
export interface ConnectionCheck {
  /** Empty for what concerns no account of its own. */
  readonly account: string
  /** `accounts`, or a type of resource. */
  readonly what: string
  readonly isAllowed: boolean
  /** What the provider said; empty when it is allowed. */
  readonly message: string
}

/** A person waits for it: few repeats. */
const PACE: Pace = {
  ...READING_PACE,
  waitMaxMs: 2_000,
  throttledTries: 3,
  failedTries: 2,
  deadlineMs: 60_000,
}
/** An organisation has more accounts than a test can ask in the time. */
const READINGS_MAX = 25

/**
 * Tries a connection before it is saved: signs in, lists its accounts, and asks for the first page of each type, in
 * each account once. Nothing is stored. Throws only a Refusal, for values that do not fit.
 */
export async function testConnection(
  ctx: Ctx,
  input: Pick<NewConnection, 'provider' | 'signIn' | 'values'>,
): Promise<ConnectionCheck[]> {
  permit(ctx, 'cloud:write')
  const { provider, settings, secrets } = checkedValues({ ...input, name: '' })
  const signal = AbortSignal.timeout(PACE.deadlineMs)
  const rates = { take: async () => {}, throttled: async () => {} }
  const externalId = externalIdOf(ctx.tenantId)
  const session: Session = {
    settings,
    secrets,
    net: ctx.net,
    now: ctx.now,
    signal,
    rates,
    externalId,
    pace: PACE,
  }
  const connector = connectorOf(provider)
  const planned = await outcomeOf(signal, () => connector.plan(session))
  const accounts = { account: '', what: 'accounts', isAllowed: planned.isAllowed, message: planned.message }
  if (!planned.value) return [accounts]
  const checks = [accounts, ...closedAccounts(planned.value)]
  for (const reading of onePerAccountAndType(planned.value.readings).slice(0, READINGS_MAX))
    checks.push(await checkOf(connector, session, reading))
  return checks
}

const closedAccounts = ({ failures }: Plan): ConnectionCheck[] =>
  failures.map(({ account, accountName, reason }) => ({
    account: accountName || account,
    what: 'account',
    isAllowed: false,
    message: reason,
  }))

function onePerAccountAndType(readings: readonly Reading[]): Reading[] {
  const first = new Map<string, Reading>()
  for (const reading of readings) {
    const key = `${reading.scopes[0]?.account} ${reading.scopes[0]?.type}`
    if (!first.has(key)) first.set(key, reading)
  }
  return [...first.values()]
}

async function checkOf(connector: Connector, session: Session, reading: Reading): Promise<ConnectionCheck> {
  const [scope] = reading.scopes
  const { isAllowed, message, value } = await outcomeOf(session.signal, async () => {
    for await (const page of connector.read(session, reading)) return page
    return undefined
  })
  const failed = value?.shortfalls?.find(({ status }) => status === 'failed')
  return {
    account: reading.scopes.length === 1 ? scope?.accountName || (scope?.account ?? '') : '',
    what: scope?.type ?? '',
    isAllowed: isAllowed && failed === undefined,
    message: failed?.reason ?? message,
  }
}

async function outcomeOf<T>(
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<{ readonly isAllowed: boolean; readonly message: string; readonly value?: T }> {
  try {
    return { isAllowed: true, message: '', value: await ask() }
  } catch (error) {
    if (signal.aborted) return { isAllowed: false, message: 'no answer in time' }
    if (error instanceof CloudFault) return { isAllowed: false, message: error.message }
    throw error
  }
}
