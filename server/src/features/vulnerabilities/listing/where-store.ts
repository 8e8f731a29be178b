import { sql, type RawBuilder } from 'kysely'
import type { Filter } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { partWith, type Listed, type Page } from '#platform/http/paging.ts'
import type { Finding } from '../findings/finding.ts'
import { conditions, findingsInOrder, type ListFilter } from '../findings/list-store.ts'

/** Findings for which a condition holds: the highest score first, the newest first among equals. */

/** Every match is looked at once, for the total is exact; that is done again when something of the tenant has changed. */
export async function list(
  ctx: Ctx,
  { limit, offset }: Page,
  filter: Filter,
  wanted: Partial<ListFilter>,
): Promise<Listed<Finding>> {
  const { from, most } = partWith({ limit, offset })
  const [found] = await ctx.db.cached(sql<{ total: number; ids: readonly string[] }>`
    with matching as materialized (${matching(filter, conditions(ctx, wanted, 'f'))})
    select (select count(*) from matching) as total, array(
      select id from matching order by score desc, id desc limit ${most} offset ${from}) as ids`)
  const ids = found?.ids.slice(offset - from, offset - from + limit) ?? []
  return { items: ids.length > 0 ? await findingsInOrder(ctx, ids) : [], total: found?.total ?? 0 }
}

/** One page in the same order, deep in what was found to match. */
export async function pageOfMatches(
  ctx: Ctx,
  { limit, offset }: Page,
  filter: Filter,
  wanted: Partial<ListFilter>,
): Promise<Finding[]> {
  const ids = await ctx.db.all(sql<{ id: string }>`
    select id from (${matching(filter, conditions(ctx, wanted, 'f'))}) as matching
    order by score desc, id desc limit ${limit} offset ${offset}`)
  return ids.length > 0
    ? findingsInOrder(
        ctx,
        ids.map(({ id }) => id),
      )
    : []
}

const matching = ({ from, where }: Filter, others: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select f.id, f.score from ${from} where ${where} and ${others}`
