import type { RawBuilder } from 'kysely'
import type { Comparison } from '../condition.ts'
import type { Vocabulary } from '../field.ts'
import type { Truth } from '../three-valued-logic.ts'

export type Bool = RawBuilder<Truth>

/** What a condition is compiled with. */
export interface Compilation {
  /** The same instant for every part; spans such as -30d count from it. */
  readonly now: Date
  /** What spans of fields with an index count from, where that is another instant. */
  readonly movingNow?: Date
  readonly vocabulary: Vocabulary
  /** Unknown may be answered as FALSE, because only what is true is wanted: a filter. Makes collections cheaper. */
  readonly isFilter?: boolean
  /** What SQL cannot decide is NULL instead of an error. */
  readonly isPartial?: boolean
  /** The statement asks about few subjects: what they have is read one by one, not who has what among all subjects. */
  readonly isOfFew?: boolean
}

export const operators: Readonly<Record<Comparison, string>> = {
  '=': '=',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  ':': '=',
}
