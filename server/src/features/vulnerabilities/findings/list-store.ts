import { sql, type RawBuilder } from 'kysely'
import type { Severity } from '#features/advisories/advisory.ts'
import type { Ctx } from '#platform/context.ts'
import { tenantOfRow } from '#platform/cli/tenant-of-row.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Finding, FindingStatus } from './finding.ts'

/** Lists of findings of living assets: the highest score first, the newest first among equals. */

const findingColumns = sql`f.id, f.cve_id as "cveId", f.severity, f.score::float8 / 10 as "cvssScore",
  v.description, f.asset_id as "assetId", v.affected_assets as "affectedAssets", f.status, f.grade as "matchType",
  f.confidence, f.software, f.fixed_version as "fixedVersion", f.found_at as "foundAt", f.changed_at as "changedAt"`

/** Scores in tenths, inclusive. */
export interface ListFilter {
  readonly status: FindingStatus
  readonly severity?: Severity | undefined
  readonly atLeast?: number | undefined
  readonly atMost?: number | undefined
}

type Row = (Finding | { readonly id: null }) & { readonly total: number }

/**
 * Total and page of one snapshot. Findings are counted for each score, so the counts say in which score the page
 * begins and ends; within it the ids come from the index alone, from the nearer end.
 */
export async function list(ctx: Ctx, { limit, offset }: Page, wanted: ListFilter): Promise<Listed<Finding>> {
  const mine = conditions(ctx, wanted)
  const rows = await ctx.db.all(sql<Row>`
    with steps as materialized (
      select score, sum(n)::bigint as n, (sum(sum(n)) over (order by score desc))::bigint as upto
      from finding_counts where ${mine} group by score having sum(n) > 0
    ),
    bounds as materialized (
      select t.n as total, a.score as first, ${offset}::bigint - (a.upto - a.n) as above, z.score as last,
        z.upto - least(${offset}::bigint + ${limit}, t.n) as below
      from (select coalesce(max(upto), 0) as n from steps) t
      left join lateral (select * from steps where upto > ${offset} order by upto limit 1) a on true
      left join lateral (
        select * from steps where upto >= least(${offset}::bigint + ${limit}, t.n) order by upto limit 1) z on true
    ),
    page as materialized (
      (select id from findings where ${mine} and not is_archived and score <= (select first from bounds where above <= below)
       order by score desc, id desc limit ${limit} offset (select greatest(above, 0) from bounds))
      union all
      (select id from findings where ${mine} and not is_archived and score >= (select last from bounds where above > below)
       order by score, id limit (select greatest(least(${limit}, total - ${offset}), 0) from bounds)
       offset (select greatest(below, 0) from bounds))
    )
    ${pageOf(ctx)}`)
  return listed(rows)
}

/** The findings of `page` beside the total of `bounds`. */
const pageOf = (ctx: Ctx) => sql`
  select b.total, p.* from bounds b left join (
    select each.* from page cross join lateral (
      select ${findingColumns}, f.score from findings f
      join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = f.cve_id
      where f.tenant_id = ${ctx.tenantId} and f.id = page.id limit 1
    ) each
  ) p on true
  order by p.score desc, p.id desc`

/** The same columns in the counts and in the findings. */
export function conditions(
  ctx: Ctx,
  { status, severity, atLeast, atMost }: Partial<ListFilter>,
  alias?: string,
): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(alias === undefined ? name : `${alias}.${name}`)
  const given = [
    sql`${column('tenant_id')} = ${ctx.tenantId}`,
    status && sql`${column('status')} = ${status}`,
    severity && sql`${column('severity')} = ${severity}`,
    atLeast !== undefined && sql`${column('score')} >= ${atLeast}`,
    atMost !== undefined && sql`${column('score')} <= ${atMost}`,
  ].filter((it) => it !== undefined && it !== false)
  return sql.join(given, sql` and `)
}

export function findingsInOrder(ctx: Ctx, ids: readonly string[]): Promise<Finding[]> {
  return ctx.db.all(sql<Finding>`
    select ${findingColumns} from unnest(${[...ids]}::uuid[]) with ordinality as wanted(id, place)
    join findings f on f.tenant_id = ${ctx.tenantId} and f.id = wanted.id
    join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = f.cve_id
    order by wanted.place`)
}

export function listed<T extends { readonly id: string }>(
  rows: readonly ((T | { readonly id: null }) & { readonly total: number; readonly score?: number })[],
): Listed<T> {
  const items = rows.flatMap(({ total: _total, score: _score, ...item }) =>
    item.id === null ? [] : [item as unknown as T],
  )
  return { items, total: rows[0]?.total ?? 0 }
}

export function finding(ctx: Ctx, id: string): Promise<Finding | undefined> {
  return ctx.db.maybe(sql<Finding>`
    select ${findingColumns} from findings f
    join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = f.cve_id
    where f.tenant_id = ${ctx.tenantId} and f.id = ${id}`)
}

/** The tenant of a finding, looked up across tenants. */
export const tenantOf = (system: Ctx, id: string): Promise<string | undefined> =>
  tenantOfRow(system, id, [['findings', 'id']])
