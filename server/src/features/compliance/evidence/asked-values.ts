import type { Condition } from '#platform/conditions/condition.ts'
import { evaluate, type Evaluation } from '#platform/conditions/evaluate.ts'
import type { Field, Row } from '#platform/conditions/field.ts'

/** What conditions ask about one asset, as evidence keeps it. */

const MEMBERS_MAX = 20
const TEXT_LENGTH_MAX = 300

/** Null: unknown. */
export type AskedValue =
  | null
  | boolean
  | number
  | string
  | readonly AskedValue[]
  | { readonly [name: string]: AskedValue }

/**
 * The value of each field that a condition asks about; of a collection how many elements were collected, and the first of
 * those that are meant or may be, each with what is asked of it. By the names that conditions call them.
 */
export function askedValues(
  conditions: readonly Condition[],
  row: Row,
  evaluation: Evaluation,
): Record<string, AskedValue> {
  const found: Record<string, AskedValue> = {}
  for (const condition of conditions) collect(condition, { row, evaluation, found })
  return found
}

interface Collecting {
  readonly row: Row
  readonly evaluation: Evaluation
  readonly found: Record<string, AskedValue>
}

function collect(condition: Condition, collecting: Collecting): void {
  const { row, evaluation, found } = collecting
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const part of condition.parts) collect(part, collecting)
      return
    case 'not':
      collect(condition.part, collecting)
      return
    case 'named':
      collect(condition.part, {
        ...collecting,
        evaluation: { ...evaluation, vocabulary: condition.vocabulary },
      })
      return
    case 'compare':
    case 'in':
    case 'has':
      found[condition.field.name] = valueOf(condition.field, row)
      return
    case 'any':
    case 'no':
    case 'count': {
      const { name } = condition.collection
      const elements = elementsOf(condition, row, evaluation)
      const before = found[name]
      // the same collection may be asked about twice
      found[name] = Array.isArray(before)
        ? [...before, elements]
        : before === undefined
          ? elements
          : [before, elements]
      return
    }
    case 'word':
      return
  }
}

type OfElements = Extract<Condition, { readonly kind: 'any' | 'no' | 'count' }>

function elementsOf({ collection, part }: OfElements, row: Row, { now }: Evaluation): AskedValue {
  const elements = collection.elements(row)
  if (elements === undefined) return null
  const vocabulary = { fields: collection.fields, collections: [] }
  const meant = elements.filter((it) => evaluate(part, it, { now, vocabulary }) !== false)
  return {
    collected: elements.length,
    meant: meant.length,
    first: meant.slice(0, MEMBERS_MAX).map((it) => askedValues([part], it, { now, vocabulary })),
  }
}

/** Of a list that is known in part also for which members that is. */
function valueOf({ read, knownMembers }: Field, row: Row): AskedValue {
  const value = plain(read(row))
  const known = knownMembers?.read(row)
  return known === undefined || known === null ? value : { members: value, asked: plain(known) }
}

function plain(value: unknown): AskedValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value.slice(0, TEXT_LENGTH_MAX).toWellFormed()
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Date) return value.toISOString()
  if (!Array.isArray(value)) return plain(JSON.stringify(value))
  const members = value.slice(0, MEMBERS_MAX).map(plain)
  return value.length > MEMBERS_MAX ? { number: value.length, first: members } : members
}
