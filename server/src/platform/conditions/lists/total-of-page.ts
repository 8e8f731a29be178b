import type { Ctx } from '../../context.ts'
import type { Query } from '../../database/db.ts'
import type { Listed, Page } from '../../http/paging.ts'

/** One page of a list, which `items` reads, and how many there are in all, which `total` counts. */
export async function readPage<T>(
  { db }: Pick<Ctx, 'db'>,
  page: Page,
  { items, total }: { readonly items: Query<T>; readonly total: Query<{ total: number }> },
): Promise<Listed<T>> {
  const found = await db.all(items)
  return {
    items: found,
    total: await totalOf(found.length, page, async () => (await db.one(total)).total),
  }
}

/**
 * How many things a list has of which a page was read. They are counted by a statement of their own, between which and
 * the page things may come and go: the answer is never other than the page says.
 */
export async function totalOf(
  found: number,
  { limit, offset }: Page,
  count: () => Promise<number>,
): Promise<number> {
  const isLast = found < limit && (found > 0 || offset === 0)
  if (isLast) return offset + found
  const total = await count()
  if (limit === 0) return total
  return found === 0 ? Math.min(total, offset) : Math.max(total, offset + found)
}
