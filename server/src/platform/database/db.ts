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

/** `one state`: whatever others commit meanwhile is not seen, and nothing can be written. */
export type Isolation = 'one state'

/** What became of a transaction; `unknown`: the connection was lost, so it may have been committed. */
export type TransactionEnd = 'committed' | 'undone' | 'unknown'

/** Runs SQL for one tenant (or, for the engines, for all). Rows carry instants as RFC 3339 strings and 64-bit integers as numbers. */
export interface Db extends Statements {
  /**
   * As `all`, but cached: the rows of the last run are returned while nothing of the tenant has changed since. For slow
   * queries that read only tables of the tenant and no clock. With `tables` (all that the query reads) the rows are
   * returned while none of these was written.
   */
  readonly cached: <R>(query: Query<R>, tables?: readonly string[]) => Promise<readonly R[]>
  /**
   * What matches a condition, cached: computed over all subjects once, then only for those that changed. Absent where the
   * result cannot be shared: inside a transaction, for the engines, and for actors who are limited to some subjects.
   */
  readonly matches?: (query: MatchQuery) => Promise<Matches>
  /**
   * As `matches` where the result is cached or being computed, else undefined at once: the caller then asks the database.
   * Absent where `matches` is.
   */
  readonly cachedMatches?: (query: MatchQuery) => Promise<Matches | undefined>
  /** For queries that `cachedMatches` did not have: computed in the background when this is called for the second time. */
  readonly cacheIfAskedAgain?: (query: MatchQuery) => void
  /**
   * For statements that write rows of these subjects only, in whatever tables. The subjects are given by their ids, or by
   * a function that takes them from the rows that the statement returns. `matches` then looks only at these again.
   */
  readonly about: (subjects: SubjectsWritten) => Statements
  /**
   * Statements, for engines, whose commit waits for no disk: a crash of the database may take them back. Absent inside a
   * transaction.
   */
  readonly withoutDisk?: Statements
  /** One transaction; inside another it joins the one already open, which must be as it is asked for. */
  readonly transaction: <T>(work: (db: Db) => Promise<T>, isolation?: Isolation) => Promise<T>
  /** Wakes whoever waits for `topic`, in any process, once the work is committed; at once outside a transaction. */
  readonly afterCommit: (topic: string) => void
  /**
   * Inside a transaction: runs `work` once, right before the commit, with all items that were given for it. Several
   * functions run in the order of their names, so that they take locks in the same order everywhere.
   */
  readonly beforeCommit: <T>(work: LastWork<T>, given: T) => void
  /**
   * Inside a transaction: runs the query right before the commit, in the same round trip, and passes on its rows before
   * `atEnd` is called. Absent outside of one.
   */
  readonly askAtCommit?: <R>(query: Query<R>, told: (rows: R[]) => void) => void
  /** Calls `listener` once, when the transaction has ended, before `afterCommit` wakes anybody. Absent outside of one. */
  readonly atEnd?: (listener: (end: TransactionEnd) => void) => void
  /** For an actor who is limited to some subjects (limited-db.ts): the same without the limit. */
  readonly whole?: Db
  /** The query with the limit of the actor applied; for statements that contain it. */
  readonly asSeen?: <R>(query: Query<R>) => Promise<Query<R>>
}

/** `all`: too many to name, or not known. */
export type SubjectsWritten = readonly string[] | ((rows: readonly never[]) => readonly string[] | 'all')

export interface SubjectId {
  readonly id: string
}

export interface Match {
  /** The id of its subject, as `Db.about` gives it. */
  readonly subject: string
  /** The id of the match; that of the subject where a subject has only one match. */
  readonly id: string
  /** Lists are sorted by it: the greatest first, then the greatest id. */
  readonly place: number
}

/**
 * What matches a condition, as several equivalent queries. All read only tables of the tenant, and no clock.
 * None calls a function that reads tables, except `all` where `key` names these tables. Every row of a subject that they
 * read is written with `about` that subject, or counts as a change of the whole table.
 */
export interface MatchQuery {
  /** The cache key: its text and values. It is never run, and does not depend on the instant that spans count from. */
  readonly key: Query<Match>
  /** The matches of these subjects. */
  readonly among: (subjects: readonly string[]) => Query<Match>
  /** The matches of all subjects; run in a transaction of its own. */
  readonly all: (db: Db) => Promise<Query<Match>>
  /** The first `limit` matches of these subjects, or of all, in the order of lists. Absent: only the total is wanted. */
  readonly first?: (subjects: readonly string[] | undefined, limit: number) => Query<Match>
  /** Whether a subject may have several matches. */
  readonly hasSeveral: boolean
  /** The instant that spans such as `-30d` count from, where `key` does not contain it. */
  readonly at?: Date
  /** At most `limit` subjects whose matches may differ between `at` and `other`. */
  readonly moved?: (other: Date, limit: number) => Query<SubjectId>
}

export interface Matches {
  readonly total: number
  /** The ids of all subjects that have a match; undefined where these are more than `most`. */
  readonly subjects: (most: number) => readonly string[] | undefined
  /** The ids of the matches on a page, in the order of lists; undefined: the page is not cached. */
  readonly page: (offset: number, limit: number) => readonly string[] | undefined
}

/** Compared by identity, so it must be a function at module level, not a closure. */
export type LastWork<T> = (db: Db, given: readonly T[]) => Promise<void>
