import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import type { Listed, Page } from '../../http/paging.ts'
import type { PartField, Subject } from '../subject.ts'
import { totalOf } from './total-of-page.ts'
import { withCondition, type Filter, type WrittenCondition } from '../with-condition.ts'

/** What a list is asked for. */
export interface ListQuery {
  /** A condition; empty: none. */
  readonly where?: string | undefined
  /** The name of a field; with `-` before it the greatest come first. */
  readonly sort?: string | undefined
}

interface PageOf extends ListQuery {
  readonly subject: string
  /** The order unless another is asked for. */
  readonly usual: string
  /** What holds as well. */
  readonly narrowed?: readonly RawBuilder<unknown>[]
  readonly meansAll?: WrittenCondition['meansAll']
}

/** True of everything. */
const EVERYTHING = 'has id'

/**
 * The ids of one page of the things for which the condition is true, in order, and how many there are; what is not known
 * comes last. Throws 403 for who may not read them, 400 naming `where` or `sort`.
 */
export function subjectPage(ctx: Ctx, query: PageOf, page: Page): Promise<Listed<string>> {
  const { subject, where = '', sort, usual, narrowed = [], meansAll } = query
  const written = { subject, text: where.trim() || EVERYTHING, ...(meansAll && { meansAll }) }
  return withCondition(ctx, written, async (inner, filter) => {
    const meant = sql.join([filter.where, ...narrowed], sql` and `)
    const items = await inner.db.all(sql<{ id: string }>`
      select ${filter.subject.id}::text as id from ${filter.from} where ${meant}
      order by ${orderOf(filter, sort ?? usual)} limit ${page.limit} offset ${page.offset}`)
    const count = async () =>
      (
        await inner.db.cached(sql<{ total: number }>`
          select count(*)::int as total from ${filter.from} where ${meant}`)
      )[0]?.total ?? 0
    return { items: items.map(({ id }) => id), total: await totalOf(items.length, page, count) }
  })
}

/** The rows of these ids in their order; those that are gone meanwhile are left out. */
export function inOrder<T>(ids: readonly string[], rows: readonly T[], idOf: (row: T) => string): T[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function orderOf({ subject }: Pick<Filter, 'subject'>, sort: string): RawBuilder<unknown> {
  const isDescending = sort.startsWith('-')
  const { value, isAlwaysKnown } = orderBy(subject, isDescending ? sort.slice(1) : sort)
  // without NULLS LAST where there are none, so that an index gives the order
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  return sql`${value} ${direction} ${sql.raw(isAlwaysKnown ? '' : 'nulls last')}, ${subject.tie ?? subject.id} ${direction}`
}

function orderBy({ fields }: Subject, name: string) {
  const field = fields.find((it) => it.name === name || it.aliases?.includes(name))
  const value = field && valueOf(field)
  if (!value) throw invalid('sort', `there is no field ${name} that can be sorted by`)
  return { value, isAlwaysKnown: field.isAlwaysKnown ?? false }
}

function valueOf({
  type,
  isList,
  sql: normalized,
  label,
  order,
}: PartField): RawBuilder<unknown> | undefined {
  if (order) return order
  const value = label ?? normalized
  return value && type === 'text' && !isList ? sql`lower(${value})` : value
}
