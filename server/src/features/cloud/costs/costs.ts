import { record } from '#features/audit/audit.ts'
import { atomically, isLimited, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { isUuid } from '#platform/uuid.ts'
import * as connections from '../connection-store.ts'
import type { CloudConnection } from '../connection.ts'
import { connectorOf } from '../reading/session.ts'
import type { AccountCost, CostAccount } from './cost.ts'
import * as store from './cost-store.ts'
import { costJob } from './read-costs.ts'

const MONTHS_SHOWN = 13

export interface CostSwitch {
  readonly isOn: boolean
  /** Where the provider's costs are in a table of one's own; as it is unless given. */
  readonly table?: string
}

/** Has the costs of a connection read, at once and then every day, or no more; what was read stays. */
export async function switchCosts(
  ctx: Ctx,
  id: string,
  { isOn, table }: CostSwitch,
): Promise<CloudConnection> {
  permit(ctx, 'cloud:write')
  return atomically(ctx, async (inner) => {
    const before = isUuid(id) ? await connections.locked(inner, id) : undefined
    if (!before) throw notFound('cloud connection')
    const connector = connectorOf(before.provider)
    if (!connector.costs)
      throw invalid('id', `is of a connection to ${before.provider}, which tells no costs`)
    const { needs, tableFault } = connector.costs
    if (table !== undefined && needs === undefined)
      throw invalid('table', `means nothing for ${before.provider}`)
    const settings =
      table === undefined || needs === undefined ? before.settings : { ...before.settings, [needs]: table }
    if (needs !== undefined && isOn && !settings[needs])
      throw invalid('table', 'is required: PROJECT.DATASET.TABLE of the billing export')
    const fault = table === undefined ? undefined : tableFault?.(table)
    if (fault !== undefined) throw invalid('table', fault)
    await connections.changeCosts(inner, id, { readsCosts: isOn, settings })
    const details = { costs: isOn, ...(table !== undefined && { table }) }
    await record(inner, 'cloud_connection.updated', { type: 'cloud_connection', id }, details)
    if (isOn && (await store.queue(inner, id, true)))
      await enqueue(inner, costJob, { connectionId: id, since: inner.now().toISOString() })
    return { ...before, readsCosts: isOn, settings }
  })
}

/** What accounts cost in the last thirteen months; the latest month first. Of one connection if its id is given. */
export async function listCosts(ctx: Ctx, connectionId?: string): Promise<AccountCost[]> {
  permit(ctx, 'cloud:read')
  if (connectionId !== undefined && !isUuid(connectionId)) throw notFound('cloud connection')
  return store.months(ctx, monthsBefore(ctx.now(), MONTHS_SHOWN - 1), connectionId)
}

/** How the reading of the costs of each account went; what did not go well first. */
export async function listCostAccounts(ctx: Ctx, connectionId: string): Promise<CostAccount[]> {
  permit(ctx, 'cloud:read')
  const isKnown = isUuid(connectionId) && (await connections.connection(ctx, connectionId)) !== undefined
  if (!isKnown) throw notFound('cloud connection')
  return store.accounts(ctx, connectionId)
}

/** What an account costs in its latest month. */
export interface RunRate {
  readonly provider: string
  readonly account: string
  readonly month: string
  readonly currency: string
  readonly amount: string
  /** Null where it is of some resources alone. */
  readonly ofResources: string | null
  /** `2026-11-09`; the last one that is in it. */
  readonly knownFrom: string | null
  readonly knownUntil: string | null
  readonly isWhole: boolean
}

const RUN_RATE_MONTHS = 3

/**
 * Of each account the latest whole month of the last three; where none is whole, the latest. With `assetIds`, or where the
 * actor sees some assets alone, what their resources cost in that month.
 */
export async function runRates(
  ctx: Ctx,
  { asOf, assetIds }: { readonly asOf: Date; readonly assetIds: readonly string[] | undefined },
): Promise<RunRate[]> {
  permit(ctx, 'cloud:read')
  const since = monthsBefore(asOf, RUN_RATE_MONTHS)
  if (assetIds !== undefined) return ofAssets(await store.sumsOfAssets(ctx, since, assetIds), asOf)
  if (isLimited(ctx)) return ofAssets(await store.sumsOfAssets(ctx, since), asOf)
  return latest(await store.months(ctx, since))
}

function ofAssets(sums: readonly store.AssetCostSum[], asOf: Date): RunRate[] {
  const thisMonth = asOf.toISOString().slice(0, 7)
  return latest(
    sums.map((it) => ({
      ...it,
      ofResources: null,
      knownFrom: null,
      knownUntil: null,
      isWhole: it.month < thisMonth,
    })),
  )
}

/** Lists begin with the latest month. */
function latest(all: readonly RunRate[]): RunRate[] {
  const found = new Map<string, RunRate>()
  for (const it of all) {
    const key = `${it.provider}\n${it.account}\n${it.currency}`
    const known = found.get(key)
    if (!known || (it.isWhole && !known.isWhole)) found.set(key, it)
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, it]) => it)
}

const monthsBefore = (at: Date, months: number): string =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, 1)).toISOString().slice(0, 10)
