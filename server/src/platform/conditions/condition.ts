import type { Collection, Field, Vocabulary } from './field.ts'

export const comparisons = ['=', '!=', '<', '<=', '>', '>=', ':'] as const
export type Comparison = (typeof comparisons)[number]

/** A value as it was written, read by the type of its field. Spans of time are resolved when the condition is evaluated. */
export type Value =
  | { readonly type: 'text'; readonly normalized: string }
  | { readonly type: 'version'; readonly text: string }
  | { readonly type: 'number'; readonly number: number }
  | { readonly type: 'bool'; readonly isTrue: boolean }
  /** From now, in milliseconds; negative before. */
  | { readonly type: 'span'; readonly ms: number }
  /** `YYYY-MM-DD` */
  | { readonly type: 'day'; readonly day: string }
  | { readonly type: 'instant'; readonly ms: number }
  /** An address, or a network in CIDR form. */
  | { readonly type: 'ip'; readonly network: string; readonly isNetwork: boolean }

/** Characters of the text that a node was read from: `from` inclusive, `to` exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

export type Condition = Span &
  (
    | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
    | { readonly kind: 'not'; readonly part: Condition }
    | {
        readonly kind: 'compare'
        readonly field: Field
        readonly comparison: Comparison
        readonly value: Value
      }
    | { readonly kind: 'in'; readonly field: Field; readonly values: readonly Value[] }
    | { readonly kind: 'has'; readonly field: Field }
    | { readonly kind: 'any' | 'no'; readonly collection: Collection; readonly part: Condition }
    | {
        readonly kind: 'count'
        readonly collection: Collection
        readonly part: Condition
        readonly comparison: Comparison
        readonly number: number
      }
    /** Whether a condition that has a name is true: yes or no, never unknown. */
    | {
        readonly kind: 'named'
        readonly name: string
        readonly part: Condition
        /** What `part` asks about. */
        readonly vocabulary: Vocabulary
      }
    /** Free text, for the search that the subject has. */
    | { readonly kind: 'word'; readonly text: string }
  )

export type NodeOf<K extends Condition['kind']> = Extract<Condition, { kind: K }>
