import type { Condition, Value } from './condition.ts'
import type { Collection, Field } from './field.ts'
import { unreachable } from '../errors.ts'
import { dayOf } from './value.ts'

/** Spans such as -30d count from now, so that what is true of a subject may change without it. */

/** `field` is compared with this far from now. */
export interface AskedSpan {
  readonly field: Field
  /** Whose element has the field; absent: the subject itself. */
  readonly collection?: Collection
  readonly ms: number
}

/** Each once. */
export function spansAsked(conditions: readonly Condition[]): AskedSpan[] {
  const found = conditions.flatMap((it) => spansIn(it))
  return [
    ...new Map(found.map((it) => [`${it.collection?.name ?? ''} ${it.field.name} ${it.ms}`, it])).values(),
  ]
}

function spansIn(condition: Condition, collection?: Collection): AskedSpan[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap((it) => spansIn(it, collection))
    case 'not':
    case 'named':
      return spansIn(condition.part, collection)
    case 'any':
    case 'no':
    case 'count':
      return spansIn(condition.part, condition.collection)
    case 'compare':
      return spansOf(condition.field, [condition.value], collection)
    case 'in':
      return spansOf(condition.field, condition.values, collection)
    case 'has':
    case 'word':
      return []
    default:
      return unreachable(condition)
  }
}

const spansOf = (field: Field, values: readonly Value[], collection: Collection | undefined): AskedSpan[] =>
  values.flatMap((it) =>
    it.type === 'span' ? [{ field, ms: it.ms, ...(collection && { collection }) }] : [],
  )

/**
 * True of every subject with a value that one of the spans says something else of at one of the two instants than at the
 * other, and of some more; undefined where there is no such span.
 */
export function passedBetween(all: readonly AskedSpan[], earlier: Date, later: Date): Condition | undefined {
  const spans = all.filter((it) => movesBetween(it, earlier, later))
  if (spans.length === 0) return undefined
  const own = spans.filter(({ collection }) => !collection)
  const byCollection = Map.groupBy(
    spans.filter(({ collection }) => collection),
    (it) => it.collection as Collection,
  )
  const part = (it: AskedSpan) => isBetween(it, earlier, later)
  return {
    ...NOWHERE,
    kind: 'or',
    parts: [
      ...own.map(part),
      ...[...byCollection].map(([collection, of]): Condition => ({
        ...NOWHERE,
        kind: 'any',
        collection,
        part: { ...NOWHERE, kind: 'or', parts: of.map(part) },
      })),
    ],
  }
}

/** A date is compared with the day, which is the same for hours. */
const movesBetween = ({ field, ms }: AskedSpan, earlier: Date, later: Date): boolean =>
  field.type !== 'date' || dayOf(new Date(earlier.getTime() + ms)) !== dayOf(new Date(later.getTime() + ms))

/** No text was read. */
const NOWHERE = { from: 0, to: 0 }

/** Both ends are among them. */
function isBetween({ field, ms }: AskedSpan, earlier: Date, later: Date): Condition {
  const at = (moment: Date): Value => {
    const meant = new Date(moment.getTime() + ms)
    return field.type === 'date'
      ? { type: 'day', day: dayOf(meant) }
      : { type: 'instant', ms: meant.getTime() }
  }
  return {
    ...NOWHERE,
    kind: 'and',
    parts: [
      { ...NOWHERE, kind: 'compare', field, comparison: '>=', value: at(earlier) },
      { ...NOWHERE, kind: 'compare', field, comparison: '<=', value: at(later) },
    ],
  }
}
