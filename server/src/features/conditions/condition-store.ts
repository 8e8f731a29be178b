import { sql, type RawBuilder } from 'kysely'
import type { FieldOrigin, PartField, Subject } from '#platform/conditions/subject.ts'
import type { Truth } from '#platform/conditions/three-valued-logic.ts'
import { rowsMeant, type Filter } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import type { Decided, ValueCount } from './condition-counts.ts'

/** Counts over the tables of a subject; which tables these are, the features say that have them. */

/** For how many subjects a condition of three-valued logic is true, and for how many unknown. */
export async function countDecided(
  ctx: Ctx,
  { subject, condition }: Pick<Filter, 'subject' | 'condition'>,
  holds: RawBuilder<Truth>,
): Promise<Decided> {
  const [decided] = await ctx.db.cached(sql<Decided>`
    select count(*) filter (where holds) as matching, count(*) filter (where holds is null) as unknown
    from (select ${holds} as holds from ${subject.from} where ${rowsMeant(subject, condition)}) decided`)
  return decided ?? { matching: 0, unknown: 0 }
}

/** Values that contain `typed`, in lower case; the most frequent first. */
export function occurringValues(
  ctx: Ctx,
  subject: Subject,
  { field, collection }: FieldOrigin,
  { typed, limit }: { readonly typed: string; readonly limit: number },
): Promise<readonly ValueCount[]> {
  const values = collection
    ? (collection.dictionary?.valueCounts(shown(field)) ?? valuesOfElements(subject, field, collection))
    : grouped(sql`select ${key(field)} as key, ${shown(field)} as value from ${tablesWith(subject, field)}
        where ${subject.where}`)
  return ctx.db.cached(sql<ValueCount>`
    select value, count from (${values}) counted where strpos(lower(value), ${typed}) > 0
    order by count desc, value limit ${limit}`)
}

const valuesOfElements = (
  { from, where }: Subject,
  field: PartField,
  { from: elements, of }: NonNullable<FieldOrigin['collection']>,
): RawBuilder<unknown> =>
  grouped(sql`select e.key, e.value from ${from} cross join lateral (
      select ${key(field)} as key, ${shown(field)} as value from ${elements} where ${of}) e
    where ${where}`)

const grouped = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select min(value) as value, count(*) as count from (${rows}) occurring where value is not null group by key`

/** The subject's tables, with a row for each member of the field if it is a list; none for an empty one. */
const tablesWith = ({ from }: Subject, field: PartField): RawBuilder<unknown> =>
  field.isList
    ? sql`${from} cross join lateral unnest(${field.label ?? field.sql ?? sql`null::text[]`}) as member`
    : from

/** As people spell it. */
function shown(field: PartField): RawBuilder<unknown> {
  const value = field.isList ? sql`member` : (field.label ?? field.sql ?? sql`null`)
  if (field.type === 'ip') return sql`host(${value})`
  return field.type === 'bool'
    ? sql`(case ${value} when true then 'yes' when false then 'no' end)`
    : sql`${value}::text`
}

/** Spellings with one key are one value. */
const key = (field: PartField): RawBuilder<unknown> =>
  field.isList || !field.sql ? shown(field) : sql`${field.sql}::text`

export interface FacetRow {
  /** The place of the field among those asked for. */
  readonly place: number
  /** Null: unknown, or an empty list. */
  readonly value: string | null
  readonly count: number
}

/**
 * How often each value of each field occurs among the subjects that match, at most `limit` for each field. Of all fields
 * in one pass: lists that are alike are counted once and taken apart afterwards.
 */
export function facetRows(
  ctx: Ctx,
  { from, where }: Filter,
  fields: readonly PartField[],
  limit: number,
): Promise<readonly FacetRow[]> {
  const columns = fields.flatMap((field, at) => [
    sql`${field.isList ? (field.label ?? field.sql ?? sql`null::text[]`) : key(field)} as ${keyAt(at)}`,
    ...(field.isList ? [] : [sql`${shown(field)} as ${valueAt(at)}`]),
  ])
  const keys = fields.map((_, at) => keyAt(at))
  const values = fields.flatMap((field, at) =>
    field.isList ? [] : [sql`min(${valueAt(at)}) as ${valueAt(at)}`],
  )
  const counts = fields.map((field, at) => countsOf(field, { at, of: fields.length, limit }))
  // behind `offset 0`, for two fields of one expression are one to `grouping` otherwise
  return ctx.db.cached(sql<FacetRow>`
    with grouped as materialized (
      select ${sql.join([...keys, ...values])}, grouping(${sql.join(keys)}) as others, count(*) as n
      from (select ${sql.join(columns)} from ${from} where ${where} offset 0) matching
      group by grouping sets (${sql.join(keys.map((it) => sql`(${it})`))}))
    ${sql.join(counts, sql` union all `)}`)
}

const keyAt = (at: number): RawBuilder<unknown> => sql.id(`key ${at}`)

const valueAt = (at: number): RawBuilder<unknown> => sql.id(`value ${at}`)

/** Of the field at `at` of so many, from the rows that are grouped by it: `others` has a bit for each that is not. */
function countsOf(
  field: PartField,
  { at, of, limit }: { readonly at: number; readonly of: number; readonly limit: number },
): RawBuilder<unknown> {
  const others = 2 ** of - 1 - 2 ** (of - 1 - at)
  const counted = field.isList
    ? sql`select member::text as value, sum(n)::bigint as count
        from grouped left join lateral unnest(${keyAt(at)}) as member on true
        where others = ${sql.lit(others)} group by 1`
    : sql`select ${valueAt(at)} as value, n as count from grouped where others = ${sql.lit(others)}`
  return sql`(select ${at}::int as place, value, count from (${counted}) counted
    order by value is null desc, count desc, value limit ${limit})`
}
