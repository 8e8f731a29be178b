import type { RawBuilder } from 'kysely'
import type { Truth } from './three-valued-logic.ts'

/** One record that a condition is evaluated on in memory: an asset, a finding, an element of a collection. */
export type Row = Readonly<Record<string, unknown>>

/** The text of a row's value; empty when it is unknown. */
export function textIn(row: Row, name: string): string {
  const value = row[name]
  return typeof value === 'string' ? value : ''
}

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
  /** Values to offer beside those that occur. */
  readonly suggested?: readonly string[]
  /** One of `values` that stands for what nobody said as well: `field = NEUTRAL` holds where the field is unknown, too. */
  readonly neutral?: string
  /** Its values are names of conditions on the same subject: `field = NAME` asks whether that one is true. */
  readonly named?: NamedConditions
  /**
   * The value as an SQL expression, NULL when unknown. Text must be stored normalized (`normalizeText`), because SQL's
   * `lower()` depends on collation and ICU version. Types: text, float8 or an integer, date, timestamptz, boolean, inet,
   * or arrays of text, integer and inet. Absent for fields that are only decided in memory (type `version`).
   */
  readonly sql?: RawBuilder<unknown>
  /** Nothing of this kind is without it, so no comparison is unknown. Makes collections cheaper. */
  readonly isAlwaysKnown?: true
  /** For type `instant`: an index finds the subjects that are usually meant by a stretch of time of `sql`. */
  readonly isIndexed?: true
  /** Text of ASCII that `sql` gives in capitals instead of normalized, so that its index can be asked. */
  readonly storedAs?: 'capitals'
  /**
   * The same value in memory; undefined or null when unknown. Texts in any spelling, dates as `YYYY-MM-DD`, instants as
   * `Date` or RFC 3339.
   */
  readonly read: (row: Row) => unknown
  /**
   * Of a list that may be known in part, such as the open ports of a host of which a scan asked a few: the members of
   * which it is known whether they are in the list, in SQL and in memory. NULL: of all. `field = value` is unknown where
   * the value is neither in the list nor among these.
   */
  readonly knownMembers?: { readonly sql: RawBuilder<unknown>; readonly read: (row: Row) => unknown }
  /** The same value for statements with many conditions, from a join that fields share. */
  readonly together?: ReadTogether
  /** For type `version`: below, at or above zero as the row's version is older, the same or newer; undefined is unknown. */
  readonly compareVersion?: (row: Row, version: string) => number | undefined
}

/** Values that several fields have from one `left join`, of one row at most for each subject. */
export interface ReadTogether {
  /** The same object for all that share it. */
  readonly join: RawBuilder<unknown>
  readonly sql: RawBuilder<unknown>
}

export interface NamedCondition {
  readonly name: string
  /** The name as `normalizeText` writes it, and names that it had before. */
  readonly normalized: string
  readonly aliases: readonly string[]
  readonly text: string
}

export interface NamedConditions {
  readonly all: readonly NamedCondition[]
  /** What these conditions may ask about. */
  readonly vocabulary: () => Vocabulary
}

/** Records that belong to a subject, queried by `any`, `no` and `count`. */
export interface Collection {
  readonly name: string
  readonly sentence: string
  readonly source: string
  readonly fields: readonly Field[]
  /** A condition that holds as well, unless the one that was written asks about the same field: `status = open`. */
  readonly usual?: string
  /** Undefined when they were never collected. */
  readonly elements: (row: Row) => readonly Row[] | undefined
  readonly sql: CollectionSql
}

export type CollectionSql =
  /** Elements are rows. */
  | {
      readonly kind: 'rows'
      /** Whether the elements were collected; never NULL. */
      readonly isKnown: RawBuilder<boolean>
      /** Tables, and the condition that their rows are the subject's. */
      readonly from: RawBuilder<unknown>
      readonly of: RawBuilder<unknown>
      readonly ofMany?: ElementsOfMany
      /** Of elements for which `inner` is true. Asked only where the elements may be known; never NULL. */
      readonly any: (inner: RawBuilder<Truth>) => RawBuilder<boolean>
      readonly count: (inner: RawBuilder<Truth>) => RawBuilder<number>
    }
  /**
   * Elements are ids of dictionary entries. The condition is evaluated in memory on each entry, once, before the statement
   * is built: for values that SQL cannot compare, such as versions.
   */
  | {
      readonly kind: 'dictionary'
      readonly isKnown: RawBuilder<boolean>
      readonly any: (ids: readonly number[]) => RawBuilder<boolean> | Promise<RawBuilder<boolean>>
      /** Tables with the ids of the entries that the subject has, and the condition that they are its. */
      readonly held: {
        readonly from: RawBuilder<unknown>
        readonly of: RawBuilder<unknown>
        readonly id: RawBuilder<unknown>
      }
      /** The same as `any`, by the elements of each subject; what `any` asks of all subjects may be large. */
      readonly anyOfFew: (ids: readonly number[]) => RawBuilder<boolean>
      readonly count: (ids: readonly number[]) => RawBuilder<number>
      /** Whether the subject has any entry at all, which is cheaper to ask than whether it has one of all. */
      readonly anyAtAll: RawBuilder<boolean>
      /** Both as `Field.together`. */
      readonly together?: CollectionTogether
      readonly size: () => Promise<number>
      /**
       * Entries of the dictionary, without those for which `maybe` is false. That is the condition as far as SQL can
       * decide it, over the `sql` of the fields; what it cannot decide is NULL.
       */
      readonly entries: (maybe: RawBuilder<Truth>) => Promise<readonly DictionaryEntry[]>
    }

/** For statements about many subjects: their elements read at once, not those of one subject after the other. */
export interface ElementsOfMany {
  /** That elements are the tenant's. */
  readonly where: RawBuilder<unknown>
  /** The id of the subject that an element belongs to. */
  readonly subjectId: RawBuilder<unknown>
}

export interface CollectionTogether {
  readonly join: RawBuilder<unknown>
  readonly isKnown: RawBuilder<boolean>
  readonly anyAtAll: RawBuilder<boolean>
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

const knownMembersRead = (field: Field, part: (row: Row) => Row) => (row: Row) =>
  field.knownMembers?.read(part(row))

/** The same questions, asked of the part of a row that `part` gives. */
export function ofPart(vocabulary: Vocabulary, part: (row: Row) => Row): Vocabulary {
  const { search } = vocabulary
  const mapped: Vocabulary = {
    fields: vocabulary.fields.map((field) => ({
      ...field,
      read: (row) => field.read(part(row)),
      ...(field.knownMembers && {
        knownMembers: { ...field.knownMembers, read: knownMembersRead(field, part) },
      }),
      ...(field.named && { named: { all: field.named.all, vocabulary: () => mapped } }),
    })),
    collections: vocabulary.collections.map((it) => ({ ...it, elements: (row) => it.elements(part(row)) })),
    ...(search && { search: { sql: search.sql, test: (row, text) => search.test(part(row), text) } }),
  }
  return mapped
}
