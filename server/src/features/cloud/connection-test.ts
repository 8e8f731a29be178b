import { permit, type Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { checkedValues, type NewConnection } from './connection-input.ts'
import { CloudFault } from './connectors/cloud-fault.ts'
import type { Connector, Pace, Plan, Reading, Session } from './connectors/connector.ts'
import { connectorOf, PACE as READING_PACE, sessionOf } from './reading/session.ts'

/** What came of one thing that a connection must be allowed. */
export interface ConnectionCheck {
  /** Empty for what concerns no account of its own. */
  readonly account: string
  /** `accounts`, or a type of resource. */
  readonly what: string
  readonly isAllowed: boolean
  /** What the provider said; empty when it is allowed. */
  readonly message: string
  /** With this the connection is not saved: it could read nothing, or others could have an account read. */
  readonly isRefused: boolean
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
  input: Pick<NewConnection, 'id' | 'provider' | 'signIn' | 'values'>,
): Promise<ConnectionCheck[]> {
  permit(ctx, 'cloud:write')
  const { provider, ...values } = checkedValues({ ...input, name: '' })
  const signal = AbortSignal.timeout(PACE.deadlineMs)
  const rates = { take: async () => {}, throttled: async () => {} }
  const id = input.id ?? newUuid(ctx.now())
  const session = sessionOf(ctx, { id, ...values }, { signal, rates, pace: PACE })
  const connector = connectorOf(provider)
  const planned = await outcomeOf(signal, () => connector.plan(session))
  const { isAllowed, message } = planned
  const accounts = { account: '', what: 'accounts', isAllowed, message, isRefused: !isAllowed }
  if (!planned.value) return [accounts]
  const checks = [accounts, ...closedAccounts(planned.value)]
  for (const reading of onePerAccountAndType(planned.value.readings).slice(0, READINGS_MAX))
    checks.push(await checkOf(connector, session, reading))
  return checks
}

const closedAccounts = ({ failures }: Plan): ConnectionCheck[] =>
  failures.map(({ account, accountName, reason, isOpen = false }) => ({
    account: accountName || account,
    what: 'account',
    isAllowed: false,
    message: reason,
    isRefused: isOpen,
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
    isRefused: false,
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
