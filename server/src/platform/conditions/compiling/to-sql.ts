import { sql, type RawBuilder } from 'kysely'
import type { Comparison, Condition, NodeOf, Value } from '../condition.ts'
import type { Truth } from '../three-valued-logic.ts'
import { collectionSql } from './collection-sql.ts'
import { operators, type Bool, type Compilation } from './compilation.ts'
import type { Field } from '../field.ts'
import { unreachable } from '../../errors.ts'
import { dayMeant, stretchMeant } from '../value.ts'

/**
 * The condition as an SQL expression of three-valued logic: TRUE, FALSE, or NULL where it asks about what was never
 * collected. All values are parameters.
 */
export async function conditionSql(condition: Condition, compilation: Compilation): Promise<Bool> {
  const { vocabulary, isPartial = false } = compilation
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts: Bool[] = []
      for (const part of condition.parts) parts.push(await conditionSql(part, compilation))
      return sql`(${sql.join(parts, condition.kind === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql`(not ${await conditionSql(condition.part, { ...compilation, isFilter: false })})`
    case 'compare':
      return isPartial && isInMemoryOnly(condition.field) ? UNKNOWN : compared(condition, compilation)
    case 'in':
      return isPartial && isInMemoryOnly(condition.field)
        ? UNKNOWN
        : sql`(${sql.join(isIn(condition, compilation), sql` or `)})`
    case 'has':
      return isPartial && isInMemoryOnly(condition.field) ? UNKNOWN : has(condition.field)
    case 'any':
    case 'no':
    case 'count':
      return collectionSql(condition, compilation, conditionSql)
    case 'named': {
      const { part, vocabulary: of } = condition
      return sql`(${await conditionSql(part, { ...compilation, vocabulary: of, isFilter: true })} is true)`
    }
    case 'word':
      return vocabulary.search?.sql(condition.text) ?? UNKNOWN
    default:
      return unreachable(condition)
  }
}

export const isInMemoryOnly = (field: Field): boolean => !field.sql || field.type === 'version'

const UNKNOWN: Bool = sql`null::boolean`

function columnOf(field: Field): RawBuilder<unknown> {
  if (!field.sql) throw new Error(`${field.name} can be decided in memory only`)
  return field.sql
}

const has = (field: Field): Bool =>
  field.isList
    ? sql`coalesce(cardinality(${columnOf(field)}) > 0, false)`
    : sql`(${columnOf(field)} is not null)`

type Asking = Pick<Compilation, 'now' | 'movingNow' | 'isFilter'>

function compared(
  { field, comparison, value }: Pick<NodeOf<'compare'>, 'field' | 'comparison' | 'value'>,
  { now: asked, movingNow = asked, isFilter = false }: Asking,
): Bool {
  const column = columnOf(field)
  const now = field.isIndexed ? movingNow : asked
  if (!field.isList) return holds(field, { column, comparison, value, now })
  if (comparison === '!=') return sql`(not ${compared({ field, comparison: '=', value }, { now })})`
  const found = listHolds(field, { column, comparison, value, now })
  return field.knownMembers && !isFilter
    ? sql`(${found} or ${absence(field.knownMembers.sql, { comparison, value })})`
    : found
}

/** FALSE where it is known that no member is the value, else NULL: `or` with it makes what was not found unknown. */
function absence(known: RawBuilder<unknown>, { comparison, value }: Pick<Comparing, 'comparison' | 'value'>) {
  const isAsked =
    comparison === '=' && value.type === 'number' && isInteger32(value.number)
      ? sql`${known} @> ${[value.number]}::int[]`
      : sql`false`
  return sql<Truth>`(case when ${known} is null or ${isAsked} then false end)`
}

const isIn = ({ field, values }: NodeOf<'in'>, asking: Asking): Bool[] => {
  const column = columnOf(field)
  if (field.type === 'text') {
    const texts = values.map((it) => (it.type === 'text' ? storedText(field, it) : ''))
    return [field.isList ? sql`${column} && ${texts}::text[]` : sql`${column} = any(${texts}::text[])`]
  }
  return values.map((value) => compared({ field, comparison: '=', value }, asking))
}

interface Comparing {
  readonly column: RawBuilder<unknown>
  readonly comparison: Comparison
  readonly value: Value
  readonly now: Date
}

/** True when a member makes it true; a list that is known to be empty answers false. */
function listHolds(field: Field, comparing: Comparing): Bool {
  const { column, comparison, value } = comparing
  // containment is what an index over the array answers
  if (comparison === '=' && value.type === 'text')
    return sql`(${column} @> ${[storedText(field, value)]}::text[])`
  if (comparison === '=' && value.type === 'number' && isInteger32(value.number)) {
    return sql`(${column} @> ${[value.number]}::int[])`
  }
  const operator = sql.raw(operators[swapped[comparison]])
  if (value.type === 'number') return sql`(${value.number}::float8 ${operator} any(${column}::float8[]))`
  if (value.type === 'ip') {
    return value.isNetwork
      ? sql`(${value.network}::cidr >>= any(${column}))`
      : sql`(${value.network}::inet = any(${column}))`
  }
  const member = holds(field, { ...comparing, column: sql.ref('member') })
  return sql`(case when ${column} is not null
    then exists (select from unnest(${column}) as member where ${member}) end)`
}

/** The same with the sides changed: `any` stands on the right. It takes a tenth of the time of a subquery. */
const swapped: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  ':': ':',
}

const storedText = ({ storedAs }: Field, { normalized }: Value & { type: 'text' }): string =>
  storedAs === 'capitals' ? normalized.toUpperCase() : normalized

const isInteger32 = (number: number): boolean => Number.isInteger(number) && Math.abs(number) < 2 ** 31

function holds(field: Field, { column, comparison, value, now }: Comparing): Bool {
  const operator = sql.raw(operators[comparison])
  switch (value.type) {
    case 'text':
      return comparison === ':'
        ? sql`(strpos(${column}, ${storedText(field, value)}) > 0)`
        : sql`(${column} ${operator} ${storedText(field, value)}::text)`
    case 'number':
      return sql`(${column} ${operator} ${value.number}::float8)`
    case 'bool':
      return sql`(${column} ${operator} ${value.isTrue}::boolean)`
    case 'ip':
      return ipHolds(column, comparison, value)
    case 'span':
    case 'day':
    case 'instant':
      return field.type === 'date'
        ? sql`(${column} ${operator} ${dayMeant(value, now)}::date)`
        : instantHolds(column, comparison, stretchMeant(value, now))
    case 'version':
      throw new Error(`${field.name} can be decided in memory only`)
    default:
      return unreachable(value)
  }
}

/** Both sides as in `evaluate`: a day stands for all its instants. */
function instantHolds(
  column: RawBuilder<unknown>,
  comparison: Comparison,
  { from, to }: { from: Date; to: Date },
): Bool {
  const [begin, end] = [sql`${from}::timestamptz`, sql`${to}::timestamptz`]
  switch (comparison) {
    case '=':
    case ':':
      return sql`(${column} >= ${begin} and ${column} < ${end})`
    case '!=':
      return sql`(${column} < ${begin} or ${column} >= ${end})`
    case '<':
      return sql`(${column} < ${begin})`
    case '<=':
      return sql`(${column} < ${end})`
    case '>':
      return sql`(${column} >= ${end})`
    case '>=':
      return sql`(${column} >= ${begin})`
    default:
      return unreachable(comparison)
  }
}

function ipHolds(column: RawBuilder<unknown>, comparison: Comparison, value: Value & { type: 'ip' }): Bool {
  const inside = value.isNetwork
    ? sql<Truth>`(${column} <<= ${value.network}::cidr)`
    : sql<Truth>`(${column} = ${value.network}::inet)`
  return comparison === '!=' ? sql`(not ${inside})` : inside
}
