import type { RawBuilder } from 'kysely'

/** A query made with Kysely's `sql` tag; `R` is the type of one row. */
export type Query<R> = RawBuilder<R>

export interface Statements {
  readonly all: <R>(query: Query<R>) => Promise<R[]>
  /** Exactly one row, else it throws: for rows that cannot be missing. */
  readonly one: <R>(query: Query<R>) => Promise<R>
  readonly maybe: <R>(query: Query<R>) => Promise<R | undefined>
  /** Answers how many rows were written. */
  readonly run: (query: Query<unknown>) => Promise<number>
}

/** What became of a transaction; `unknown`: of what it wrote nobody can tell. */
export type TransactionEnd = 'committed' | 'undone' | 'unknown'

/** Runs SQL for one tenant (or, for the engines, for all). Rows carry instants as RFC 3339 strings and 64-bit integers as numbers. */
export interface Db extends Statements {
  /**
   * As `all`, but rows that the same query answered before are answered again as long as nothing of the tenant was
   * changed since. The query reads tables of the tenant alone and asks no clock. For what takes long to work out. With
   * `tables`, the only ones that it reads, as long as none of those was written since.
   */
  readonly unchanged: <R>(query: Query<R>, tables?: readonly string[]) => Promise<readonly R[]>
  /**
   * What matches: worked out once, then only for subjects that changed. Absent where answers cannot be shared: inside a
   * transaction, for the engines, and for who is limited to some subjects.
   */
  readonly matches?: (query: MatchQuery) => Promise<Matches>
  /**
   * As `matches` where that is remembered, else undefined at once: for questions that are answered well without it.
   * Absent as `matches`.
   */
  readonly knownMatches?: (query: MatchQuery) => Promise<Matches | undefined>
  /** Has a question that `knownMatches` did not know worked out, without waiting for it, once it was told twice. */
  readonly learnMatches?: (query: MatchQuery) => void
  /**
   * Statements that write rows of no subjects but these, in whatever tables: their ids, or what has them in the rows that
   * the statement answers. Only those are looked at again by `matches`, else all.
   */
  readonly about: (subjects: SubjectsWritten) => Statements
  /**
   * Statements, for engines, whose commit waits for no disk: a crash of the database may take them back. Absent inside a
   * transaction.
   */
  readonly withoutDisk?: Statements
  /** One transaction; inside another it joins the one already open. */
  readonly transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** Wakes whoever waits for `topic`, in any process, once the work is committed; at once outside a transaction. */
  readonly afterCommit: (topic: string) => void
  /**
   * Inside a transaction: runs `work` once, last before the commit, with all items that were given to it. Several works
   * run in the order of their names, so that locks which they take cannot cross.
   */
  readonly beforeCommit: <T>(work: LastWork<T>, given: T) => void
  /**
   * Inside a transaction: asks last of all before the commit, in the same flight, and tells the rows before the end is
   * told. Absent outside of one.
   */
  readonly askAtCommit?: <R>(query: Query<R>, told: (rows: R[]) => void) => void
  /** Calls `listener` once, when the transaction has ended, before anybody is woken. Absent outside of one. */
  readonly atEnd?: (listener: (end: TransactionEnd) => void) => void
  /** Of who is limited to some subjects (limited-db.ts): the same without the limit. */
  readonly whole?: Db
  /** The query as the limit has it; for statements that hold it as a part. */
  readonly asSeen?: <R>(query: Query<R>) => Promise<Query<R>>
}

/** `all`: of more than are worth telling, or of nobody knows which. */
export type SubjectsWritten = readonly string[] | ((rows: readonly never[]) => readonly string[] | 'all')

export interface SubjectId {
  readonly id: string
}

export interface Match {
  /** The subject that it is of, by the id that writes are told with (`Db.about`). */
  readonly subject: string
  /** Of the match; the subject's where a subject has but one. */
  readonly id: string
  /** In the order of lists: the greatest first, and the greatest id among equals. */
  readonly place: number
}

/**
 * The question what matches, in several spellings that mean the same. All read tables of the tenant alone and ask no clock.
 * None calls a function that reads tables, but for `all` where `known` names these tables; every row that they read of a subject is written with `about` that subject, or
 * as part of a whole table.
 */
export interface MatchQuery {
  /** Its text and values are what the question is known by; it is not run. The same whatever instant spans count from. */
  readonly known: Query<Match>
  /** Of these subjects. */
  readonly among: (subjects: readonly string[]) => Query<Match>
  /** Of all subjects; asked in a transaction of its own. */
  readonly all: (db: Db) => Promise<Query<Match>>
  /** Of these subjects or all: so many in the order of lists. Absent: only the total is wanted. */
  readonly first?: (subjects: readonly string[] | undefined, limit: number) => Query<Match>
  /** A subject may have several matches. */
  readonly hasSeveral: boolean
  /** What spans count from, where `known` does not say it. */
  readonly at?: Date
  /** Subjects, at most so many, for which another instant than `at` may give another answer. */
  readonly moved?: (other: Date, limit: number) => Query<SubjectId>
}

export interface Matches {
  readonly total: number
  /** Of all subjects that have a match, where they are no more than `most`. */
  readonly subjects: (most: number) => readonly string[] | undefined
  /** The ids of matches on a page, in the order of lists; undefined: it has to be read. */
  readonly page: (offset: number, limit: number) => readonly string[] | undefined
}

/** Compared by identity, so it must be a function at module level, not a closure. */
export type LastWork<T> = (db: Db, given: readonly T[]) => Promise<void>
