import { sql, type RawBuilder } from 'kysely'
import { unreachable } from '../../errors.ts'
import { operators, type Bool, type Compilation } from './compilation.ts'
import type { Condition, NodeOf } from '../condition.ts'
import { evaluate } from '../evaluate.ts'
import type { CollectionSql, Vocabulary } from '../field.ts'

type OfElements = NodeOf<'any' | 'no' | 'count'>
type Compile = (condition: Condition, compilation: Compilation) => Promise<Bool>

/**
 * What is asked of the elements of a collection, by Kleene's logic: elements of which it is unknown make `any` unknown
 * where none makes it true, and `count` where they decide.
 */
export async function collectionSql(
  condition: OfElements,
  compilation: Compilation,
  compile: Compile,
): Promise<Bool> {
  const { isKnown } = condition.collection.sql
  const found = await elementsOf(condition, compilation, compile)
  if (condition.kind === 'count') return sql`(case when ${isKnown} then ${countHolds(condition, found)} end)`
  if (!compilation.isFilter) {
    const some = await anyHolds(found)
    return sql`(case when ${isKnown} then ${condition.kind === 'any' ? some : sql`(not ${some})`} end)`
  }
  // a match is among what was collected, so a filter need not ask whether anything was
  return condition.kind === 'any'
    ? found.any('true')
    : sql`(${isKnown} and not ${await found.any('possible')})`
}

/** `possible`: true or unknown. */
type Answer = 'true' | 'unknown' | 'possible'

interface Elements {
  /** Two-valued: whether there are elements with this answer. */
  readonly any: (answer: Answer) => Promise<RawBuilder<boolean>> | RawBuilder<boolean>
  readonly count: (answer: Answer) => RawBuilder<number>
  readonly canBeUnknown: boolean
}

async function anyHolds({ any, canBeUnknown }: Elements): Promise<Bool> {
  const some = await any('true')
  if (!canBeUnknown) return some
  return sql`(case when ${some} then true when ${await any('unknown')} then null else false end)`
}

function countHolds({ comparison, number }: NodeOf<'count'>, { count, canBeUnknown }: Elements): Bool {
  const operator = sql.raw(operators[comparison])
  const holds = (n: RawBuilder<number>) => sql`${n} ${operator} ${number}::bigint`
  if (!canBeUnknown) return sql`(${holds(count('true'))})`
  const [least, most] = [count('true'), count('possible')]
  const isSure = ['=', '!=', ':'].includes(comparison)
    ? sql`least = most or ${number}::bigint not between least and most`
    : sql`(${holds(sql`least`)}) = (${holds(sql`most`)})`
  return sql`(select case when ${isSure} then ${holds(sql`least`)} end
    from (select ${least} as least, ${most} as most) as counted)`
}

async function elementsOf(
  { collection, part }: OfElements,
  compilation: Compilation,
  compile: Compile,
): Promise<Elements> {
  const { now } = compilation
  const vocabulary = { fields: collection.fields, collections: [] }
  if (collection.sql.kind === 'rows') {
    const { any, count } = collection.sql
    const inner = await compile(part, { now, vocabulary })
    const withAnswer = {
      true: inner,
      unknown: sql<boolean>`(${inner} is null)`,
      possible: sql<boolean>`(${inner} is not false)`,
    }
    const canBeUnknown = isEverUnknown(part)
    return {
      any: (answer) => any(canBeUnknown ? withAnswer[answer] : inner),
      count: (answer) => count(withAnswer[answer]),
      canBeUnknown,
    }
  }
  return ofDictionary(part, collection.sql, {
    compilation,
    vocabulary,
    maybe: await compile(part, { now, vocabulary, isPartial: true }),
  })
}

async function ofDictionary(
  part: Condition,
  { any, anyOfFew, anyAtAll, count, entries, size }: CollectionSql & { kind: 'dictionary' },
  { compilation, vocabulary, maybe }: { compilation: Compilation; vocabulary: Vocabulary; maybe: Bool },
): Promise<Elements> {
  const ids = { true: [] as number[], unknown: [] as number[], possible: [] as number[] }
  for (const { id, row } of await entries(maybe)) {
    const answer = evaluate(part, row, { now: compilation.now, vocabulary })
    if (answer === false) continue
    ids.possible.push(id)
    ids[answer ? 'true' : 'unknown'].push(id)
  }
  const isEach = async (some: readonly number[]) => some.length >= MANY && some.length === (await size())
  return {
    any: async (answer) =>
      (await isEach(ids[answer])) ? anyAtAll : (compilation.isOfFew ? anyOfFew : any)(ids[answer]),
    count: (answer) => count(ids[answer]),
    canBeUnknown: ids.unknown.length > 0,
  }
}

/** Entries from which on it is asked whether they are all: so where the dictionary does not know the field at all. */
const MANY = 1_000

/** Whether there can be an element of which the answer is unknown. */
function isEverUnknown(part: Condition): boolean {
  switch (part.kind) {
    case 'and':
    case 'or':
      return part.parts.some(isEverUnknown)
    case 'not':
      return isEverUnknown(part.part)
    case 'compare':
    case 'in':
      return part.field.isAlwaysKnown !== true
    case 'has':
    case 'named':
      return false
    case 'any':
    case 'no':
    case 'count':
    case 'word':
      return true
    default:
      return unreachable(part)
  }
}
