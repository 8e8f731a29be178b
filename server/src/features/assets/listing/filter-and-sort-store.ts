import { sql, type RawBuilder } from 'kysely'
import { meansUnusual, type Filter } from '#platform/conditions/with-condition.ts'
import { isLimited, type Ctx } from '#platform/context.ts'
import type { MatchQuery } from '#platform/database/db.ts'
import type { Page } from '#platform/http/paging.ts'
import type { Asset } from '../asset.ts'
import { assetColumns } from '../asset-store.ts'
import type { AssetQuery, AssetSort, SeenBetween } from './asset-query.ts'
import { manyMatches } from './many-matches-store.ts'
import { countMatches, matchingIds, isMatch } from './search-store.ts'
import type { SearchTerm } from './search-term.ts'

/** The filtered and sorted list of assets of the app. */

/** Ids of version 7 (RFC 9562) sort by time of creation. Behind `riskScore` and `known` no index helps: a page is picked from all. */
const orders: Readonly<Record<AssetSort, ReturnType<typeof sql>>> = {
  lastSeen: sql`a.last_seen`,
  name: sql`a.name`,
  firstSeen: sql`a.first_seen`,
  ipAddress: sql`address_order(a.ip_address)`,
  assetType: sql`a.asset_type`,
  riskScore: sql`a.risk_score`,
  // what is not known comes last in either order
  deviceType: sql`nullif(a.device_type, 'unknown')`,
  macAddress: sql`nullif(a.mac_address, '')`,
  os: sql`nullif(a.os, '')`,
  model: sql`nullif(a.vendor || ' ' || a.model, ' ')`,
  serial: sql`nullif(a.serial, '')`,
  confidence: sql`a.confidence`,
  // of how many of the facts that a row shows something is known
  known: sql`num_nonnulls(nullif(a.os, ''), nullif(a.device_type, 'unknown'), nullif(a.vendor, ''), nullif(a.model, ''),
    nullif(a.serial, ''), nullif(a.mac_address, ''), nullif(a.ip_address, ''), nullif(a.hostname, ''))`,
}

/** Of equals, where that is not by id alone. */
const ties: Partial<Readonly<Record<AssetSort, ReturnType<typeof sql>>>> = { known: sql`a.last_seen` }

const withUnknown: ReadonlySet<AssetSort> = new Set(['deviceType', 'macAddress', 'os', 'model', 'serial'])

export interface QueryConditions extends Omit<AssetQuery, 'search' | 'where'> {
  /** The condition of `where`. */
  readonly filter?: Filter | undefined
  readonly term?: SearchTerm | undefined
  readonly seen?: SeenBetween | undefined
  readonly came?: Date | undefined
  readonly went?: SeenBetween | undefined
}

/** Returns one page of these assets in the requested order. */
export async function pageAmong(
  ctx: Ctx,
  { limit, offset }: Page,
  query: Pick<AssetQuery, 'sort' | 'direction'>,
  ids: readonly string[],
): Promise<Asset[]> {
  return ctx.db.all(sql<Asset>`
    select ${assetColumns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = any(${[...ids]}::uuid[])
    order by ${orderOf(query)} limit ${limit} offset ${offset}`)
}

/** Returns one page in the requested order. */
export async function page(ctx: Ctx, { limit, offset }: Page, query: QueryConditions): Promise<Asset[]> {
  const order = orderOf(query)
  const where = conditions(ctx, query, await idsOfSelectiveCondition(ctx, query))
  const ask = query.filter ? ctx.db.cached : ctx.db.all
  const assets = await ask(sql<Asset>`
    with page as materialized (
      select id, row_number() over () as place
      from (
        select a.id from ${tablesOf(query)} where ${where} order by ${order} limit ${limit} offset ${offset}
      ) sorted
    )
    select each.* from page cross join lateral (
      select ${assetColumns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = page.id limit 1
    ) each
    order by page.place`)
  return [...assets]
}

function orderOf({ sort = 'lastSeen', direction }: Pick<AssetQuery, 'sort' | 'direction'>) {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  const tie = ties[sort] ? sql`${ties[sort]} ${way}, ` : sql``
  return sql`${orders[sort]} ${way}${withUnknown.has(sort) ? sql` nulls last` : sql``}, ${tie}a.id ${way}`
}

export async function count(ctx: Ctx, query: QueryConditions): Promise<number> {
  if (isEverything(query)) return (await ctx.db.one(counted(ctx, query))).n
  const { term, ...others } = query
  const few = await idsOfSelectiveCondition(ctx, query)
  if (few === undefined && term && !others.type && isEverything(others) && !isLimited(ctx))
    return countMatches(ctx, term)
  const where =
    few === undefined && term && !looksThrough(ctx, query)
      ? sql`${conditions(ctx, others, undefined)} and a.id in (${matchingIds(term, null)})`
      : conditions(ctx, query, few)
  const [all] = await ctx.db.cached(
    sql<{ n: number }>`select count(*) as n from ${tablesOf(query)} where ${where}`,
  )
  return all?.n ?? 0
}

const tablesOf = ({ filter }: QueryConditions) => filter?.from ?? sql`assets a`

/** Up to this many matches are fetched by id; beyond, an index scan in sort order finds a page soon. */
const SELECTIVE_MAX = 2_000

/**
 * The ids that match the search, the tag or the source, if there are at most SELECTIVE_MAX; undefined otherwise, and then
 * the conditions filter a scan in sort order.
 */
async function idsOfSelectiveCondition(
  ctx: Ctx,
  query: QueryConditions,
): Promise<readonly string[] | undefined> {
  if (looksThrough(ctx, query)) return undefined
  const { term, tag, sourceId } = query
  const most = sql`${SELECTIVE_MAX + 1}::bigint`
  const searches = [
    term && matchingIds(term, SELECTIVE_MAX + 1),
    tag && sql<{ id: string }>`select tagged_assets(${tag}, ${most}) as id`,
    sourceId &&
      sql<{ id: string }>`select asset_id as id from asset_observations
        where tenant_id = ${ctx.tenantId} and source_id = ${sourceId} limit ${most}`,
  ]
  for (const search of searches) {
    const found = search ? await ctx.db.all(search) : undefined
    if (found && found.length <= SELECTIVE_MAX) return found.map(({ id }) => id)
  }
  return undefined
}

/** The search functions find living assets of the whole tenant; other assets are few enough to be looked through. */
const looksThrough = (ctx: Ctx, query: QueryConditions): boolean => isLimited(ctx) || asksForArchived(query)

const asksForArchived = ({ archived, filter }: QueryConditions): boolean =>
  archived === true || (filter !== undefined && meansUnusual(filter))

/** No condition but the type: asset_counts has the total. */
const isEverything = ({
  deviceType,
  term,
  tag,
  sourceId,
  newSince,
  seen,
  came,
  went,
  filter,
  archived,
}: QueryConditions): boolean =>
  ![deviceType, term, tag, sourceId, newSince, seen, came, went, filter, archived].some(Boolean)

const counted = (ctx: Ctx, { type }: QueryConditions) => sql<{ n: number }>`
  select coalesce(sum(n), 0)::bigint as n from asset_counts
  where tenant_id = ${ctx.tenantId} and ${type ? sql`asset_type = ${type}` : sql`true`}`

function conditions(ctx: Ctx, query: QueryConditions, few: readonly string[] | undefined) {
  const { newSince, seen, came, went, archived } = query
  const given = [
    sql`a.tenant_id = ${ctx.tenantId}`,
    // a condition says itself which are meant
    !query.filter && (archived ? sql`a.archived_at is not null` : sql`a.archived_at is null`),
    few && sql`a.id = any(${[...few]}::uuid[])`,
    ...narrowed(ctx, query),
    newSince && sql`a.first_seen >= ${newSince}::timestamptz`,
    came && sql`a.first_seen >= ${came}`,
    ...[seen, went].flatMap(within),
    query.filter?.where,
  ].filter((it) => it !== undefined && it !== '' && it !== false)
  return sql.join(given, sql` and `)
}

/** What asks no clock, in SQL over the asset `a`. */
export const narrowed = (
  ctx: Ctx,
  { type, deviceType, term, tag, sourceId }: QueryConditions,
): RawBuilder<unknown>[] =>
  [
    type && sql`a.asset_type = ${type}`,
    deviceType && sql`a.device_type = ${deviceType}`,
    term && isMatch(ctx, term),
    tag && sql`a.tags @> ${[tag]}::text[]`,
    sourceId &&
      sql`exists (select from asset_observations o
        where o.asset_id = a.id and o.tenant_id = ${ctx.tenantId} and o.source_id = ${sourceId})`,
  ].filter((it) => it !== undefined && it !== '')

/** Undefined where nothing is searched for. */
export function searchQuestion(ctx: Ctx, { term, ...others }: QueryConditions): MatchQuery | undefined {
  if (!term) return undefined
  return manyMatches(ctx, {
    holds: isMatch(ctx, term),
    ids: matchingIds(term, null),
    beside: narrowed(ctx, others),
  })
}

const within = (span: SeenBetween | undefined) => [
  span?.from && sql`a.last_seen >= ${span.from}`,
  span?.before && sql`a.last_seen < ${span.before}`,
]
