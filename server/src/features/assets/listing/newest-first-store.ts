import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Asset } from '../assets.ts'
import { spelled } from './search-text.ts'

/** Lists of assets: the newest sighting first, the greater id first among equals. */

const columns = sql`a.id, a.name, a.asset_type as "assetType",
  coalesce(a.device_type, 'unknown') as "deviceType", a.ip_address as "ipAddress",
  a.mac_address as "macAddress", a.os, a.hostname, a.serial, a.vendor, a.model, a.risk_score as "riskScore",
  a.confidence, a.tags, a.first_seen as "firstSeen", a.last_seen as "lastSeen"`

/** A page beyond the end still has the total, on a row without an asset. */
type Row = (Asset | { readonly id: null }) & { readonly total: number }

function listed(rows: readonly Row[]): Listed<Asset> {
  const items = rows.filter((row): row is Asset & { total: number } => row.id !== null)
  return { items: items.map(({ total: _total, ...asset }) => asset), total: rows[0]?.total ?? 0 }
}

/**
 * Total and page of one snapshot. The ids come from the index alone, from the nearer end: the last page costs what
 * the first does, and the worst, in the middle, half of the index.
 */
export async function list(ctx: Ctx, { limit, offset }: Page, type?: string): Promise<Listed<Asset>> {
  const ofType = type === undefined ? sql`true` : sql`asset_type = ${type}`
  const mine = sql`tenant_id = ${ctx.tenantId} and ${ofType}`
  const rows = await ctx.db.all(sql<Row>`
    with total as materialized (select coalesce(sum(n), 0)::bigint as n from asset_counts where ${mine}),
    page as materialized (
      (select id from assets where ${mine} and ${offset}::bigint <= (select n / 2 from total)
       order by last_seen desc, id desc limit ${limit} offset ${offset})
      union all
      (select id from assets where ${mine} and ${offset}::bigint > (select n / 2 from total)
       order by last_seen, id
       limit (select greatest(least(${limit}::bigint, n - ${offset}), 0) from total)
       offset (select greatest(n - ${offset} - ${limit}::bigint, 0) from total))
    )
    ${pageWith(ctx, sql`total`)}`)
  return listed(rows)
}

/** The assets of `page` beside their total; looked up one by one, however many the planner expects. */
const pageWith = (ctx: Ctx, total: ReturnType<typeof sql>) => sql`
  select t.n as total, p.* from ${total} t left join (
    select each.* from page cross join lateral (
      select ${columns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = page.id limit 1
    ) each
  ) p on true
  order by p."lastSeen" desc, p.id desc`

/** `term` is matched as it is, whatever its case; it has no wild cards. */
export async function search(
  ctx: Ctx,
  { limit, offset }: Page,
  term: string,
  type?: string,
): Promise<Listed<Asset>> {
  const found = await ctx.db.all(sql<{ id: string | null; total: number }>`
    select id, total from search_assets(${spelled(term)}, ${type ?? null}, ${limit}, ${offset})`)
  const ids = found.flatMap(({ id }) => id ?? [])
  const total = found[0]?.total ?? 0
  if (ids.length === 0) return { items: [], total }
  const items = await ctx.db.all(sql<Asset>`
    select ${columns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = any(${ids}::uuid[])
    order by a.last_seen desc, a.id desc`)
  return { items, total }
}

export function asset(ctx: Ctx, id: string): Promise<Asset | undefined> {
  return ctx.db.maybe(
    sql<Asset>`select ${columns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = ${id}`,
  )
}

/** Where an asset lives on that was merged. */
export async function mergedInto(ctx: Ctx, id: string): Promise<string | undefined> {
  const alias = await ctx.db.maybe(sql<{ assetId: string }>`
    select asset_id as "assetId" from asset_aliases where tenant_id = ${ctx.tenantId} and old_id = ${id}`)
  return alias?.assetId
}

/** For whoever knows the id alone, that of an asset that was merged included, whatever tenant it is of. */
export async function tenantOf(system: Ctx, id: string): Promise<string | undefined> {
  const found = await system.db.maybe(sql<{ tenant_id: string }>`
    select tenant_id from assets where id = ${id} union all select tenant_id from asset_aliases where old_id = ${id}
    limit 1`)
  return found?.tenant_id
}

export interface Pair {
  readonly assetIdA: string
  readonly assetIdB: string
  readonly nameA: string
  readonly nameB: string
  readonly score: number
  readonly reasons: readonly unknown[]
  readonly veto: unknown
}

/** Pairs of assets that may be one, the likeliest first: of all questions between the two, the one with most evidence. */
export async function candidates(ctx: Ctx, { limit, offset }: Page, assetId?: string): Promise<Listed<Pair>> {
  const wanted = assetId === undefined ? sql`true` : sql`${assetId} in (x.asset_id, y.asset_id)`
  const rows = await ctx.db.all(sql<Pair & { total: number }>`
    with pairs as (
      select distinct on (least(x.asset_id, y.asset_id), greatest(x.asset_id, y.asset_id))
        least(x.asset_id, y.asset_id) as a, greatest(x.asset_id, y.asset_id) as b, c.score, c.reasons, c.veto
      from asset_candidates c
      join asset_observations x on x.id = c.a and x.tenant_id = ${ctx.tenantId}
      join asset_observations y on y.id = c.b and y.tenant_id = ${ctx.tenantId}
      where c.tenant_id = ${ctx.tenantId} and x.asset_id <> y.asset_id and ${wanted}
      order by 1, 2, c.score desc, c.a, c.b
    )
    select a.id as "assetIdA", b.id as "assetIdB", a.name as "nameA", b.name as "nameB", score, reasons, veto,
      count(*) over () as total
    from pairs join assets a on a.id = pairs.a and a.tenant_id = ${ctx.tenantId}
    join assets b on b.id = pairs.b and b.tenant_id = ${ctx.tenantId}
    order by score desc, a.id, b.id limit ${limit} offset ${offset}`)
  return { items: rows.map(({ total: _total, ...pair }) => pair), total: rows[0]?.total ?? 0 }
}
