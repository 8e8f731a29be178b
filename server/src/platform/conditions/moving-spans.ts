import { sql, type RawBuilder } from 'kysely'
import type { Condition, Value } from './condition.ts'
import { unreachable } from '../errors.ts'
import type { Field } from './field.ts'
import { stretchMeant } from './value.ts'

/** Spans of time count from now, so that a condition may be true of other subjects a minute later. */

export interface MovingSpan {
  readonly column: RawBuilder<unknown>
  /** From now. */
  readonly ms: number
}

/** In SQL: that a value for which one of the spans means something else at one instant than at the other lies between. */
export function stretchesMoved(
  spans: readonly MovingSpan[],
  now: Date,
  other: Date,
): readonly RawBuilder<unknown>[] {
  const [earlier, later] = now < other ? [now, other] : [other, now]
  return spans.map(({ column, ms }) => {
    const [from, to] = [earlier, later].map((it) => stretchMeant({ type: 'span', ms }, it))
    return sql`(${column} between ${from?.from}::timestamptz and ${to?.to}::timestamptz)`
  })
}

/** Those on fields that an index can be asked for. */
export function movingSpans(condition: Condition): readonly MovingSpan[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(movingSpans)
    case 'not':
    case 'named':
      return movingSpans(condition.part)
    case 'compare':
      return spansOf(condition.field, [condition.value])
    case 'in':
      return spansOf(condition.field, condition.values)
    // what belongs to a subject is not asked by an index
    case 'any':
    case 'no':
    case 'count':
    case 'has':
    case 'word':
      return []
    default:
      return unreachable(condition)
  }
}

const spansOf = ({ sql: column, isIndexed }: Field, values: readonly Value[]): readonly MovingSpan[] =>
  isIndexed && column ? values.flatMap((it) => (it.type === 'span' ? [{ column, ms: it.ms }] : [])) : []
