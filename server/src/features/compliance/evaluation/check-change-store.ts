import { sql, type RawBuilder } from 'kysely'
import type { Subject } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import type { CheckSql } from './result-store.ts'

export const verdicts = ['ok', 'failed', 'unknown', 'not_in_scope'] as const
export type Verdict = (typeof verdicts)[number]

/** How many assets go from one verdict to another, or keep it. */
export interface Move {
  readonly before: Verdict
  readonly after: Verdict
  readonly assets: number
}

export interface MovedAsset {
  readonly assetId: string
  readonly name: string
  readonly before: Verdict
  readonly after: Verdict
}

export interface Comparison {
  readonly moves: readonly Move[]
  /** Those whose verdict differs: failures first, then what is unknown; each by name; so many at most. */
  readonly assets: readonly MovedAsset[]
}

/** Judges the assets in scope of either check by both, in one statement; writes nothing. Both are of the `subject`. */
export function compareChecks(
  ctx: Ctx,
  { from, where, id }: Subject,
  {
    before,
    after,
    limit,
  }: { readonly before: CheckSql | null; readonly after: CheckSql; readonly limit: number },
): Promise<Comparison> {
  const isInEither = before ? sql`(${before.isInScope} or ${after.isInScope})` : after.isInScope
  return ctx.db.one(sql<Comparison>`
    with judged as materialized (
      select ${id} as asset_id, ${before ? verdictOf(before) : sql`'not_in_scope'::text`} as before,
        ${verdictOf(after)} as after
      from ${from} where ${where} and ${isInEither}
    )
    select
      coalesce((select json_agg(m) from (
        select before, after, count(*) as assets from judged group by 1, 2 order by 3 desc, 1, 2) m), '[]') as moves,
      coalesce((select json_agg(m) from (
        select j.asset_id as "assetId", n.name, j.before, j.after
        from judged j join assets n on n.tenant_id = ${ctx.tenantId} and n.id = j.asset_id
        where j.before <> j.after
        order by array_position(array['failed', 'unknown', 'ok'], j.after), n.name, j.asset_id limit ${limit}) m),
        '[]') as assets`)
}

const verdictOf = ({ isInScope, isOk }: CheckSql): RawBuilder<string> => sql<string>`case when ${isInScope}
  then case ${isOk} when true then 'ok' when false then 'failed' else 'unknown' end else 'not_in_scope' end`
