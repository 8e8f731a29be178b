import { sql, type RawBuilder } from 'kysely'
import type { Refusal } from '../errors.ts'
import type { Db, Query } from './database.ts'
import { compileUnnamed } from './sql.ts'

/**
 * How a table looks to who is limited to some subjects.
 *
 * - `whole`: all of its rows may be read, for it says nothing about single subjects.
 * - `writable`: that, and it may be written.
 * - `appended`: it may be written, and is closed to readers.
 * - rows: a query over the table that takes its name's place. What it needs are other tables of this kind, as they look.
 *
 * A table that is none of these is closed: a statement that names it is refused.
 */
export type LimitedTable = 'whole' | 'writable' | 'appended' | LimitedRows

export interface LimitedRows {
  readonly needs: readonly string[]
  readonly rows: RawBuilder<unknown>
}

export interface Limits {
  /** All tables of the installation. */
  readonly tables: ReadonlySet<string>
  /** Functions that read tables past what a statement says. */
  readonly readers: ReadonlySet<string>
  /** What a closed table, a write or a reader is refused with. */
  readonly refusal: () => Refusal
  /** Asked before the first statement that needs it. */
  readonly looks: (whole: Db) => Promise<ReadonlyMap<string, LimitedTable>>
}

/**
 * Statements as who is limited may make them. Each table of rows is hidden behind a common table expression of its name,
 * so that a statement need not know of the limit and cannot forget it. Statements that name a closed table, write a table
 * that is not writable, or call a function that reads tables by itself are refused with 403.
 */
export function limitedDb(whole: Db, limits: Limits): Db {
  const asSeen = async <R>(query: Query<R>): Promise<Query<R>> => {
    const text = withoutTexts(compileUnnamed(query).text)
    if (/^\s*set\s/i.test(text)) return query
    const names = tablesIn(text, limits)
    if (names.length === 0 && !WRITES.test(text)) return query
    const looks = await limits.looks(whole)
    if (WRITES.test(text)) {
      if (names.length === 0 || !names.every((name) => isWritten(looks.get(name)))) throw limits.refusal()
      return query
    }
    return hiding({ query, text, names, looks }, limits)
  }
  const limited: Db = {
    whole,
    asSeen,
    all: async (query) => whole.all(await asSeen(query)),
    one: async (query) => whole.one(await asSeen(query)),
    maybe: async (query) => whole.maybe(await asSeen(query)),
    // what hides rows reads other tables too
    cached: async (query) => whole.cached(await asSeen(query)),
    run: async (query) => whole.run(await asSeen(query)),
    about: () => limited,
    transaction: (work, isolation) => whole.transaction((inner) => work(limitedDb(inner, limits)), isolation),
    afterCommit: whole.afterCommit,
    beforeCommit: whole.beforeCommit,
    ...(whole.atEnd && { atEnd: whole.atEnd }),
    ...(whole.askAtCommit && { askAtCommit: whole.askAtCommit }),
  }
  return limited
}

const isWritten = (look: LimitedTable | undefined): boolean => look === 'writable' || look === 'appended'

const WRITES =
  /(?<!\b(?:for|key|do)\s+)\b(?:insert\s+into|delete\s+from|update|merge\s+into|truncate|copy|create|alter|drop)\s/i

/** Without texts and comments, names without their quotes. */
const withoutTexts = (text: string): string =>
  text.replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').replaceAll('"', '')

/** Throws for a call of a reader. A word that is an alias or a column of something counts as no table. */
function tablesIn(text: string, limits: Limits): string[] {
  const { tables, readers } = limits
  const found = new Set<string>()
  for (const { 0: word, 1: name = '', index } of text.matchAll(/\b([a-z_]\w*)\b/gi)) {
    const before = text.slice(Math.max(0, index - 8), index)
    const after = text.slice(index + word.length)
    const lower = name.toLowerCase()
    if (readers.has(lower) && /^\s*\(/.test(after)) throw limits.refusal()
    if (tables.has(lower) && /\bpublic\.$/i.test(before)) throw limits.refusal()
    if (!tables.has(lower) || before.endsWith('.') || after.startsWith('.')) continue
    if (/\bas\s+$/i.test(before)) continue
    found.add(lower)
  }
  return [...found]
}

const BEGINS_WITH = /^\s*with\s/i

interface Statement<R> {
  readonly query: Query<R>
  readonly text: string
  /** The tables that it names. */
  readonly names: readonly string[]
  readonly looks: ReadonlyMap<string, LimitedTable>
}

function hiding<R>({ query, text, names, looks }: Statement<R>, { refusal }: Limits): Query<R> {
  const hidden = new Set<string>()
  const hide = (name: string): void => {
    const look = looks.get(name)
    if (look === undefined || look === 'appended') throw refusal()
    if (typeof look === 'string' || hidden.has(name)) return
    look.needs.forEach(hide)
    hidden.add(name)
  }
  names.forEach(hide)
  if (hidden.size === 0) return query
  // in the order of `looks`: each may name those before it, and names the table itself where it says its own name
  const parts = [...looks].flatMap(([name, look]) =>
    hidden.has(name) && typeof look === 'object'
      ? [sql`${sql.raw(name)} as not materialized (${look.rows})`]
      : [],
  )
  // a statement that begins with expressions of its own must stand in another one
  return BEGINS_WITH.test(text)
    ? sql<R>`with ${sql.join(parts)} select * from (${query}) as seen`
    : sql<R>`with ${sql.join(parts)} (${query})`
}
