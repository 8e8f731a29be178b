import { sql } from 'kysely'
import { listAssets } from '#features/assets/assets.ts'
import { queryAssets } from '#features/assets/listing/filter-and-sort.ts'
import { searchQuestion as searchOfApp } from '#features/assets/listing/filter-and-sort-store.ts'
import { searchQuestion } from '#features/assets/listing/newest-first-store.ts'
import { countSources } from '#features/assets/listing/overview-store.ts'
import { readSearchTerm } from '#features/assets/listing/search-term.ts'
import { searchSpelling } from '#platform/conditions/normalize-text.ts'
import type { Ctx } from '#platform/context.ts'
import type { MatchQuery } from '#platform/database/db.ts'

const PAGE = { limit: 50, offset: 0 }

interface Found {
  readonly total: number
  readonly ids: readonly string[]
}

/**
 * Questions that lists of many assets remember and counts that are kept, and the same worked out each time, where nothing
 * is remembered. What the lists themselves do depends on how many match.
 */
export async function rememberedQuestions(ctx: Ctx): Promise<Record<string, Found>> {
  const sources = await ctx.db.all(
    sql<{
      id: string
      name: string
    }>`select id, name from sources where tenant_id = ${ctx.tenantId} order by name`,
  )
  const counted = await countSources(ctx)
  const term = readSearchTerm('srv')
  const found: Record<string, Found> = {
    'search by the API': await ask(ctx, searchQuestion(ctx, searchSpelling('srv')), () =>
      listAssets(ctx, PAGE, { search: 'srv' }),
    ),
    'search of a type by the API': await ask(ctx, searchQuestion(ctx, 'rv', 'device'), () =>
      listAssets(ctx, PAGE, { search: 'rv', type: 'device' }),
    ),
    'search by the app': await ask(ctx, searchOfApp(ctx, { term, tag: 'prod' }), () =>
      queryAssets(ctx, PAGE, { search: 'srv', tag: 'prod' }),
    ),
  }
  for (const { id, name } of sources)
    found[`observed by ${name}`] = {
      total: ctx.db.matches
        ? (counted.find(({ sourceId }) => sourceId === id)?.count ?? 0)
        : await countPlainly(ctx, id),
      ids: [],
    }
  return found
}

async function countPlainly(ctx: Ctx, sourceId: string): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*) as n from asset_observations o
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id and a.archived_at is null
    where o.tenant_id = ${ctx.tenantId} and o.source_id = ${sourceId}`)
  return n
}

async function ask(
  ctx: Ctx,
  question: MatchQuery | undefined,
  anew: () => Promise<{ readonly items: readonly { readonly id: string }[]; readonly total: number }>,
): Promise<Found> {
  const known = question && (await ctx.db.matches?.(question))
  const idsOf = question?.first !== undefined
  if (known) return { total: known.total, ids: (idsOf && known.page(0, PAGE.limit)) || [] }
  const { items, total } = await anew()
  return { total, ids: idsOf ? items.map(({ id }) => id) : [] }
}
