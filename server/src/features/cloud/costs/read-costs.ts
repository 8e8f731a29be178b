import { atomically, type Ctx } from '#platform/context.ts'
import { longJob } from '#platform/jobs/job.ts'
import * as connections from '../connection-store.ts'
import type { CloudConnection } from '../connection.ts'
import { CloudFault } from '../connectors/cloud-fault.ts'
import type { CostReader, Pace } from '../connectors/connector.ts'
import { connectorOf, openSession, PACE } from '../reading/session.ts'
import { planCosts, type CostPeriod } from './cost.ts'
import { CostSums, type CostSum } from './cost-sums.ts'
import * as store from './cost-store.ts'

export interface CostJob {
  readonly connectionId: string
  /** When it was queued, RFC 3339: accounts that were read since are not asked for again. */
  readonly since: string
}

export const costJob = longJob<CostJob>('cloud.costs')

const ROWS_AT_ONCE = 2_000

/**
 * Reads the costs of a connection, account by account, unless its provider tells them for all at once. Each period is one
 * transaction; an account that fails keeps what is known of it and costs no other one anything.
 */
export async function readCosts(
  ctx: Ctx,
  { connectionId, since }: CostJob,
  signal: AbortSignal,
  pace: Pace = PACE,
): Promise<void> {
  const connection = await connections.connection(ctx, connectionId)
  if (!connection?.isEnabled || !connection.readsCosts) return
  const { costs } = connectorOf(connection.provider)
  if (!costs) return
  const due = await store.dueAccounts(ctx, connection, new Date(since))
  const groups = costs.isOneForAll ? (due.length === 0 ? [] : [due]) : due.map((it) => [it])
  for (const group of groups) {
    signal.throwIfAborted()
    const end = await readGroup(ctx, connection, group, { costs, signal, pace })
    for (const account of group) await store.noteAccount(ctx, connectionId, account, end)
  }
  await store.prune(ctx)
}

interface Reading {
  readonly costs: CostReader
  readonly signal: AbortSignal
  readonly pace: Pace
}

async function readGroup(
  ctx: Ctx,
  connection: CloudConnection,
  group: readonly store.DueAccount[],
  { costs: { by, tellsTotals, read }, signal, pace }: Reading,
): Promise<store.AccountEnd> {
  const settled = group.map((it) => it.settledUntil).toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))[0]
  const { periods, settledUntil } = planCosts(by, ctx.now(), settled ?? null)
  const deadline = AbortSignal.timeout(pace.deadlineMs)
  const session = await openSession(ctx, connection, AbortSignal.any([signal, deadline]), pace)
  const accounts = group.map(({ account }) => account)
  try {
    let reason = ''
    for (const period of periods) {
      const sums = new CostSums({ tellsTotals: tellsTotals === true })
      for await (const { lines, shortfall = '' } of read(session, accounts, period)) {
        for (const line of lines) sums.add(line)
        reason ||= shortfall
      }
      await writeSums(ctx, connection, { by, period, accounts }, [...sums.all()])
    }
    return reason === '' ? { status: 'complete', reason, settledUntil } : { status: 'partial', reason }
  } catch (error) {
    if (signal.aborted) throw error
    if (deadline.aborted) return { status: 'partial', reason: 'the costs were not told in time' }
    if (error instanceof CloudFault) return { status: error.status, reason: error.message }
    throw error
  }
}

interface Period {
  readonly by: 'day' | 'month'
  readonly period: CostPeriod
  readonly accounts: readonly string[]
}

async function writeSums(
  ctx: Ctx,
  connection: CloudConnection,
  { by, period, accounts }: Period,
  sums: readonly CostSum[],
): Promise<void> {
  const known = new Set(accounts)
  const [whole, ofResources] = [
    sums.filter(({ account, resource }) => known.has(account) && resource === ''),
    sums.filter(({ account, resource }) => known.has(account) && resource !== ''),
  ]
  await atomically(ctx, async (inner) => {
    if (by === 'month')
      for (const account of accounts) await store.clearMonth(inner, connection, account, period.from)
    await store.putAccounts(inner, { connection, by }, whole)
    for (let from = 0; from < ofResources.length; from += ROWS_AT_ONCE)
      await store.putResources(inner, { connection, by }, ofResources.slice(from, from + ROWS_AT_ONCE))
  })
}
