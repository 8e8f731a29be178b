import { sql, type RawBuilder } from 'kysely'
import type { PartField } from '#platform/conditions/subject.ts'
import type { Filter } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { FindingStatus } from './finding.ts'
import type { FindingGroup } from './finding-group.ts'

export interface Grouping {
  readonly by: PartField | 'fix'
  readonly status: FindingStatus | undefined
}

type Row = (FindingGroup & { readonly isThere: true }) | { readonly isThere: null }

/** Those on the most assets first. Total and page of one snapshot. */
export async function groups(
  ctx: Ctx,
  { limit, offset }: Page,
  { from, where }: Filter,
  { by, status }: Grouping,
): Promise<Listed<FindingGroup>> {
  const ofStatus = status === undefined ? sql`true` : sql`f.status = ${status}`
  const rows = await ctx.db.unchanged(sql<Row & { total: number }>`
    with found as materialized (
      select ${valueOf(by)} as value, f.asset_id, f.score, v.kev_added_on is not null as kev
      from ${from} where ${where} and ${ofStatus}
    ),
    grouped as materialized (
      select value, count(*) as findings, count(distinct asset_id) as assets, max(score)::float8 / 10 as "maxCvss",
        bool_or(kev) as "isExploited", true as "isThere"
      from found group by value
    )
    select t.n as total, p.* from (select count(*) as n from grouped) t left join (
      select * from grouped order by assets desc, findings desc, value limit ${limit} offset ${offset}
    ) p on true
    order by p.assets desc, p.findings desc, p.value`)
  return {
    items: rows.flatMap(({ total: _total, ...row }) => {
      if (!row.isThere) return []
      const { isThere: _isThere, ...group } = row
      return [group]
    }),
    total: rows[0]?.total ?? 0,
  }
}

function valueOf(by: PartField | 'fix'): RawBuilder<unknown> {
  if (by === 'fix') return sql`(f.software || ' → ' || nullif(f.fixed_version, ''))`
  const value = by.label ?? by.sql ?? sql`null`
  return by.type === 'ip' ? sql`host(${value})` : sql`${value}::text`
}
