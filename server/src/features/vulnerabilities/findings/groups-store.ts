import { sql, type RawBuilder } from 'kysely'
import type { PartField } from '#platform/conditions/subject.ts'
import type { Filter } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { factorOf, findingWeight, weighing } from '../risk/finding-weights-store.ts'
import type { FindingStatus } from './finding.ts'
import type { FindingGroup } from './finding-group.ts'

export interface Grouping {
  readonly by: PartField | 'fix'
  readonly status: FindingStatus | undefined
}

/** `versions`: those that fix the findings of the group, of a grouping by fix. */
export type StoredGroup = FindingGroup & { readonly versions: readonly string[] | null }

type Row = (StoredGroup & { readonly isThere: true }) | { readonly isThere: null }

/** Those of the most weight first, the unknown value last. Total and page of one snapshot. */
export async function groups(
  ctx: Ctx,
  { limit, offset }: Page,
  { from, where }: Filter,
  { by, status }: Grouping,
): Promise<Listed<StoredGroup>> {
  const ofStatus = status === undefined ? sql`true` : sql`f.status = ${status}`
  const rows = await ctx.db.cached(sql<Row & { total: number }>`
    with of_assets as materialized (
      select ${valueOf(by)} as value, f.asset_id, count(*) as findings, max(f.score) as score,
        bool_or(w0.exploited) as exploited, sum(${findingWeight}) as weight
      from ${from} ${weighing} where ${where} and ${ofStatus} group by 1, 2
    ),
    grouped as materialized (
      select value, sum(findings)::bigint as findings, count(*) as assets, max(score)::float8 / 10 as "maxCvss",
        bool_or(exploited) as "isExploited", sum(weight * coalesce(${factorOf('w')}, 1)) as weight, true as "isThere"
      from of_assets o left join asset_weights w on w.tenant_id = ${ctx.tenantId} and w.asset_id = o.asset_id
      group by value
    ),
    page as materialized (
      select * from grouped order by value is null, weight desc, assets desc, value limit ${limit} offset ${offset}
    ),
    fixes as (${by === 'fix' ? versionsOf({ from, where: sql`${where} and ${ofStatus}` }) : NO_VERSIONS})
    select t.n as total, p.value, p.findings, p.assets, p."maxCvss", p."isExploited", p."isThere", x.versions,
      coalesce(p.weight / nullif(t.weight, 0), 0) as "riskShare"
    from (select count(*) as n, sum(weight) as weight from grouped) t
      left join page p on true left join fixes x on x.value = p.value
    order by p.value is null, p.weight desc, p.assets desc, p.value`)
  return {
    items: rows.flatMap(({ total: _total, ...row }) => {
      if (!row.isThere) return []
      const { isThere: _isThere, ...group } = row
      return [group]
    }),
    total: rows[0]?.total ?? 0,
  }
}

const NO_VERSIONS = sql`select null::text as value, null::text[] as versions where false`

/** Which versions fix the software of a page. */
const versionsOf = ({ from, where }: Pick<Filter, 'from' | 'where'>): RawBuilder<unknown> => sql`
  select f.software as value, array_agg(distinct f.fixed_version) as versions
  from ${from} where ${where} and f.fixed_version <> '' and f.software in (select value from page) group by 1`

function valueOf(by: PartField | 'fix'): RawBuilder<unknown> {
  if (by === 'fix') return sql`case when f.fixed_version <> '' then f.software end`
  const value = by.label ?? by.sql ?? sql`null`
  return by.type === 'ip' ? sql`host(${value})` : sql`${value}::text`
}
