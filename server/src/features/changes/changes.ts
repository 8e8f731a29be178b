/** Changes: what changed in the estate since when, of every kind, in one order that readers can follow. */
import { listTenants } from '#features/tenancy/tenancy.ts'
import { withCondition, type Filter } from '#platform/conditions/with-condition.ts'
import { readValue, stretchMeant } from '#platform/conditions/value.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isZone } from '#platform/jobs/schedule.ts'
import { isUuid } from '#platform/uuid.ts'
import {
  changeKindNames,
  changeKinds,
  type Change,
  type ChangeCount,
  type ChangedAsset,
  type ChangeKind,
  type Changer,
  type NewChange,
} from './change.ts'
import * as store from './change-store.ts'
import * as changedStore from './changed-assets-store.ts'

export type { NewChange } from './change.ts'
export { noteEffects, tried, wouldChange, type WouldChange } from './would-change.ts'

/** Days for which changes are stored. */
export const RETENTION_DAYS = 90
const DAY_MS = 86_400_000
const REMOVED_AT_ONCE = 10_000

/**
 * In the caller's transaction: the changes exist if and only if what they tell of does. They are written last before the
 * commit; what `ctx` says of the actor stands in each.
 */
export function addChanges(ctx: Ctx, changes: readonly NewChange[]): void {
  if (changes.length === 0) return
  ctx.trial?.noted.push(...changes)
  store.add(ctx, changes)
}

export interface ChangeQuery {
  /** A day, an instant or a span before now such as `-1d`: changes written from then on. */
  readonly since?: string | undefined
  /** As `since`: changes written before then; of a day, before its end. */
  readonly until?: string | undefined
  /** A position: changes behind it. */
  readonly after?: number | undefined
  /** Absent or empty: all that the actor may read. */
  readonly kinds?: readonly string[] | undefined
  readonly assetId?: string | undefined
  /** As changes have it. */
  readonly changedBy?: string | undefined
  /** False: by people, keys and other members alone; true: by the system itself alone. */
  readonly bySystem?: boolean | undefined
  /** A condition on the asset as it is now; archived assets count too. */
  readonly where?: string | undefined
}

export interface ListedChanges extends Listed<Change> {
  /** To be given as `after` for what comes behind this page; the last position of all when it was the last page. */
  readonly next: number
}

/**
 * The oldest first, unless the newest are wanted first. Who always goes on with `after` misses none, whatever is written
 * meanwhile. Throws 400, which names the argument, also when changes behind `after` were removed because of their age.
 */
export async function listChanges(
  ctx: Ctx,
  page: Page,
  query: ChangeQuery,
  newestFirst = false,
): Promise<ListedChanges> {
  const wanted = wantedOf(ctx, query)
  return withAssets(ctx, query.where, async (inner, filter) => {
    const { position, removedTo } = await store.head(inner)
    const { after = 0 } = query
    if (after > 0 && after < removedTo)
      throw invalid('after', `changes behind it were removed; they are kept for ${RETENTION_DAYS} days`)
    const items = await store.list(inner, { ...page, newestFirst }, { ...wanted, filter })
    const total = await store.count(inner, { ...wanted, filter })
    const last = items.at(-1)?.position ?? after
    const isWhole = newestFirst || page.offset + items.length >= total
    return { items, total, next: isWhole ? Math.max(position, last) : last }
  })
}

/** PostgreSQL counts these the other way round, as POSIX does. */
const OFFSET = /^[+-]/

/** How many there are of each kind and day, as the IANA time zone has days; the newest day first. */
export async function countChanges(ctx: Ctx, query: ChangeQuery, zone = 'UTC'): Promise<ChangeCount[]> {
  const wanted = wantedOf(ctx, query)
  if (!isZone(zone) || OFFSET.test(zone))
    throw invalid('zone', `${zone} is no IANA time zone such as Europe/Berlin`)
  return withAssets(ctx, query.where, (inner, filter) =>
    store.countsByDay(inner, { ...wanted, filter }, zone),
  )
}

/** The assets that changed, each with what and how much; the latest changed first. */
export async function listChangedAssets(
  ctx: Ctx,
  page: Page,
  query: ChangeQuery,
): Promise<Listed<ChangedAsset>> {
  const wanted = wantedOf(ctx, query)
  return withAssets(ctx, query.where, async (inner, filter) => ({
    items: await changedStore.changedAssets(inner, page, { ...wanted, filter }),
    total: await changedStore.countChangedAssets(inner, { ...wanted, filter }),
  }))
}

/** Who made the changes, those with the most first. */
export async function listChangers(ctx: Ctx, query: ChangeQuery): Promise<Changer[]> {
  const wanted = wantedOf(ctx, query)
  return withAssets(ctx, query.where, (inner, filter) => changedStore.changers(inner, { ...wanted, filter }))
}

function wantedOf(ctx: Ctx, query: ChangeQuery): store.WantedChanges {
  const { since, until, after, kinds = [], assetId, changedBy, bySystem } = query
  permit(ctx, 'assets:read')
  if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0))
    throw invalid('after', 'must be a whole number, 0 or more')
  if (assetId !== undefined && !isUuid(assetId)) throw invalid('asset', 'is not a UUID')
  return {
    kinds: kindsOf(ctx, kinds),
    ...(since !== undefined && { since: stretchOf('since', since, ctx.now()).from }),
    ...(until !== undefined && { until: untilOf(until, ctx.now()) }),
    after,
    assetId,
    changedBy,
    bySystem,
  }
}

function kindsOf(ctx: Ctx, names: readonly string[]): readonly ChangeKind[] {
  if (names.some((name) => !changeKindNames.some((kind) => kind === name)))
    throw invalid('kind', `must be of ${changeKindNames.join(', ')}`)
  const kinds = changeKindNames.filter((kind) => names.includes(kind))
  for (const kind of kinds) permit(ctx, changeKinds[kind].permission)
  return kinds.length > 0
    ? kinds
    : changeKindNames.filter((kind) => ctx.actor.may(changeKinds[kind].permission))
}

/** Of a day its end, of anything else the instant itself. */
function untilOf(text: string, now: Date): Date {
  const { from, to } = stretchOf('until', text, now)
  return to.getTime() - from.getTime() === DAY_MS ? to : from
}

function stretchOf(name: string, text: string, now: Date): { readonly from: Date; readonly to: Date } {
  const value = readValue({ name, type: 'instant', sentence: '', source: '', read: () => undefined }, text)
  if (!value)
    throw invalid(
      name,
      'must be a day such as 2026-03-31, an instant such as 2026-03-31T12:00:00Z, or a span such as -1d',
    )
  return stretchMeant(value, now)
}

/** `work` reads one state of the database. */
function withAssets<T>(
  ctx: Ctx,
  where: string | undefined,
  work: (ctx: Ctx, filter?: Filter) => Promise<T>,
): Promise<T> {
  return where?.trim()
    ? withCondition(ctx, { subject: 'asset', text: where, meansAll: true }, work)
    : atomically(ctx, (inner) => work(inner))
}

/** Periodic work: deletes changes older than the retention. */
export async function removeOldChanges(system: Ctx): Promise<void> {
  const before = new Date(system.now().getTime() - RETENTION_DAYS * DAY_MS)
  for (const { id: tenantId } of await listTenants(system)) {
    const ctx = { ...system, tenantId }
    const removeSome = () => atomically(ctx, (inner) => store.removeBefore(inner, before, REMOVED_AT_ONCE))
    while ((await removeSome()) === REMOVED_AT_ONCE);
  }
}
