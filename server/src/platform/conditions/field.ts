import type { RawBuilder } from 'kysely'
import type { Truth } from './three-valued-logic.ts'

/** One record that a condition is evaluated on in memory: an asset, a finding, an element of a collection. */
export type Row = Readonly<Record<string, unknown>>

export const fieldTypes = ['text', 'number', 'date', 'instant', 'bool', 'ip', 'version'] as const
export type FieldType = (typeof fieldTypes)[number]

/** Something that conditions may ask about. Help, completion and documentation read the same record. */
export interface Field {
  readonly name: string
  readonly type: FieldType
  /** Several values; a comparison holds when one of them makes it true. */
  readonly isList?: boolean
  /** Earlier names, which stored conditions may still use. */
  readonly aliases?: readonly string[]
  readonly unit?: string
  /** The meaning of the field in one sentence, for people. */
  readonly sentence: string
  /** Where the values come from: which scan or feed to enable when they are unknown. */
  readonly source: string
  /** All values that there are; others are refused when the condition is read. */
  readonly values?: readonly string[]
  /**
   * The value as an SQL expression, NULL when unknown. Text must be stored normalized (`normalizeText`), because SQL's
   * `lower()` depends on collation and ICU version. Types: text, float8 or an integer, date, timestamptz, boolean, inet,
   * or arrays of text, integer and inet. Absent for fields that are only decided in memory (type `version`).
   */
  readonly sql?: RawBuilder<unknown>
  /**
   * The same value in memory; undefined or null when unknown. Texts in any spelling, dates as `YYYY-MM-DD`, instants as
   * `Date` or RFC 3339.
   */
  readonly read: (row: Row) => unknown
  /** For type `version`: below, at or above zero as the row's version is older, the same or newer; undefined is unknown. */
  readonly compareVersion?: (row: Row, version: string) => number | undefined
}

/** Records that belong to a subject, queried by `any`, `no` and `count`. */
export interface Collection {
  readonly name: string
  readonly sentence: string
  readonly source: string
  readonly fields: readonly Field[]
  /** Undefined when they were never collected. */
  readonly elements: (row: Row) => readonly Row[] | undefined
  readonly sql: CollectionSql
}

export type CollectionSql =
  /** Elements are rows. Both expressions are NULL when the elements were never collected. */
  | {
      readonly kind: 'rows'
      readonly any: (inner: RawBuilder<Truth>) => RawBuilder<Truth>
      readonly count: (inner: RawBuilder<Truth>) => RawBuilder<number | null>
    }
  /**
   * Elements are ids of dictionary entries. The condition is evaluated in memory on each entry, once, before the statement
   * is built: for values that SQL cannot compare, such as versions.
   */
  | {
      readonly kind: 'dictionary'
      readonly any: (ids: readonly number[]) => RawBuilder<Truth>
      readonly count: (ids: readonly number[]) => RawBuilder<number | null>
    }

/** An entry of a dictionary: what a condition inside of the collection is asked of. */
export interface DictionaryEntry {
  readonly id: number
  readonly row: Row
}

/** What can be asked of one kind of subject. */
export interface Vocabulary {
  readonly fields: readonly Field[]
  readonly collections: readonly Collection[]
  /** Free text; absent where there is none to search. */
  readonly search?: {
    readonly sql: (text: string) => RawBuilder<Truth>
    readonly test: (row: Row, text: string) => Truth
  }
}
