import type { RawBuilder } from 'kysely'
import type { Condition } from './condition.ts'
import type {
  CollectionTogether,
  DictionaryEntry,
  ElementsOfMany,
  Field,
  NamedCondition,
  Vocabulary,
} from './field.ts'
import type { Truth } from './three-valued-logic.ts'

/**
 * What one feature adds to the conditions on one kind of subject. The SQL of all features stands in one query, so the
 * aliases of their tables must differ.
 */
export interface ConditionPart {
  /** The kind of subject, in the words of the contract. */
  readonly subject: string
  /** Who may not do this does not have these fields. */
  readonly permission: string
  /** Given by the one feature whose rows the subjects are. */
  readonly rows?: SubjectRows
  /**
   * `left join` of tables with at most one row for each subject, by a unique key: so the planner leaves it out of
   * queries that ask about none of its fields.
   */
  readonly join?: RawBuilder<unknown>
  readonly fields?: readonly PartField[]
  readonly collections?: readonly PartCollection[]
}

export interface UsualRows {
  /** A condition that asks about one of them means all rows. */
  readonly fields: readonly string[]
  readonly where: RawBuilder<unknown>
}

/** The order of lists: by a column, the greatest first, and the greatest id among equals. */
export interface RowOrder {
  readonly by: RawBuilder<unknown>
  /** The same as a number. */
  readonly asNumber: RawBuilder<number>
}

export interface SubjectRows {
  /** A table and its alias. */
  readonly from: RawBuilder<unknown>
  /** That they are the tenant's. */
  readonly where: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  /** `uuid` unless given. */
  readonly idType?: 'uuid' | 'bigint' | 'text'
  /** What writes of the rows are told with (`Db.about`), where that is not `id`. */
  readonly about?: RawBuilder<unknown>
  readonly order?: RowOrder
  /** Unique: the order in lists of what is equal otherwise. `id` unless given. */
  readonly tie?: RawBuilder<unknown>
  /** A condition on the rows that holds as well, unless the one that was written asks about one of the fields. */
  readonly usual?: UsualRows
  readonly search?: {
    readonly sql: (text: string) => RawBuilder<Truth>
    /** What `test` reads: SQL expressions by name. */
    readonly texts: Readonly<Record<string, RawBuilder<unknown>>>
    readonly test: NonNullable<Vocabulary['search']>['test']
  }
  /** The subject that each belongs to: its fields are asked about with its name and a dot before theirs. */
  readonly owner?: { readonly subject: string; readonly join: RawBuilder<unknown> }
}

/** A field as its feature writes it: in memory it has the value that the same SQL reads. */
export interface PartField extends Omit<Field, 'read' | 'named' | 'knownMembers'> {
  /** Its values are names of these: `field = NAME` asks whether that one is true of the subject. */
  readonly namedConditions?: readonly NamedCondition[]
  /** The SQL of `Field.knownMembers`: an array, or NULL where all are known. */
  readonly knownMembersSql?: RawBuilder<unknown>
  /** The value as people spell it, where `sql` is normalized or absent. */
  readonly label?: RawBuilder<unknown>
  /** What lists are ordered by, where that is another than the value: an expression that an index has. */
  readonly order?: RawBuilder<unknown>
}

export interface PartCollection {
  readonly name: string
  readonly sentence: string
  readonly source: string
  /** A condition that holds as well, unless the one that was written asks about the same field. */
  readonly usual?: string
  readonly fields: readonly PartField[]
  /** Whether the elements of the subject were collected; never NULL. */
  readonly isKnown: RawBuilder<boolean>
  /** The elements as rows: tables, and the condition that they are the tenant's and the subject's. */
  readonly from: RawBuilder<unknown>
  readonly of: RawBuilder<unknown>
  /** Where elements are rows that have the id of their subject. */
  readonly ofMany?: ElementsOfMany
  readonly dictionary?: PartDictionary
}

/** Where elements are entries of a dictionary, which conditions are decided over before the statement is made. */
export interface PartDictionary {
  readonly id: RawBuilder<unknown>
  /** True for subjects that have one of these entries. */
  readonly any: (ids: readonly number[]) => Promise<RawBuilder<boolean>>
  /** The elements without the entries themselves, where they can be read so; ids that are entries' alone are asked for. */
  readonly held?: {
    readonly from: RawBuilder<unknown>
    readonly of: RawBuilder<unknown>
    readonly id: RawBuilder<unknown>
  }
  /** Whether the subject has any entry at all. */
  readonly anyAtAll: RawBuilder<boolean>
  /** The same, and `isKnown`, for statements with many conditions. */
  readonly together?: CollectionTogether
  /** `value` and `count`: how often each value of an expression over the entries occurs, the most frequent first. */
  readonly valueCounts: (value: RawBuilder<unknown>) => RawBuilder<{ value: string; count: number }>
  /** How many entries there are. */
  readonly size: () => Promise<number>
  /** `columns` of the entries for which `maybe` is not false. */
  readonly entries: (
    columns: RawBuilder<unknown>,
    maybe: RawBuilder<Truth>,
  ) => Promise<readonly DictionaryEntry[]>
}

export interface FieldOrigin {
  readonly field: PartField
  /** The collection that it is a field of; absent: of the subject itself. */
  readonly collection?: PartCollection
}

/** One kind of subject with all that features say about it. */
export interface Subject {
  readonly name: string
  readonly vocabulary: Vocabulary
  /** Its fields and collections as the features wrote them, those of its owner too. */
  readonly fields: readonly PartField[]
  readonly collections: readonly PartCollection[]
  /** Where each field of the vocabulary comes from. */
  readonly origins: ReadonlyMap<Field, FieldOrigin>
  /** All tables that its fields are read from; `joins` are those beside its rows. */
  readonly from: RawBuilder<unknown>
  readonly joins: readonly RawBuilder<unknown>[]
  readonly where: RawBuilder<unknown>
  readonly usual?: UsualRows
  readonly id: RawBuilder<unknown>
  readonly idType?: 'uuid' | 'bigint' | 'text'
  readonly about?: RawBuilder<unknown>
  readonly order?: RowOrder
  readonly tie?: RawBuilder<unknown>
  /** Conditions on it by their texts, where the same are read again and again. */
  readonly conditionsRead?: Map<string, Condition>
  /** What an evaluation in memory reads: SQL expressions by name. */
  readonly values: Readonly<Record<string, RawBuilder<unknown>>>
  /** Those of `values` that free text is searched in. */
  readonly searchTexts: Readonly<Record<string, RawBuilder<unknown>>>
}

/** A condition that a feature stores as text and reads again later. */
export interface StoredCondition {
  /** What has it, such as `group` or `role`. */
  readonly kind: string
  readonly id: string
  /** Empty where it is another person's own. */
  readonly name: string
  /** Who may not do this is told the kind alone. */
  readonly permission: string
  readonly text: string
  /** What it may ask; absent: what conditions on assets may. */
  readonly vocabulary?: Vocabulary
}
