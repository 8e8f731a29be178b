import { sql } from 'kysely'
import { busy } from '../../errors.ts'
import type { Db, Match, Matches, MatchQuery } from '../db.ts'
import { areTooFew, idsOfPage, withChanged } from './first-matches.ts'
import { matchPasses, readFirst, withKey, type ComputedMatches, type KeyedQuery } from './match-passes.ts'
import { canceled, isCanceled } from './timed-out-queries.ts'
import { changesFrom, readVersion, subjectsChanged, type Version } from './tenant-version.ts'

/** The cache behind `Db.matches`: what matches each query of each tenant, brought up to date when it is asked again. */
export interface MatchCache {
  /**
   * Throws an error with the code of a cancelled query when this takes too long, and 503 when its computation
   * could not begin because others were running.
   */
  readonly matches: (tenantId: string, query: MatchQuery, db: Db) => Promise<Matches>
  /**
   * Undefined where it is neither cached nor being computed, or where that or bringing it up to date takes longer than
   * `CACHED_WAIT_MS`; it goes on for later callers.
   */
  readonly cachedMatches: (tenantId: string, query: MatchQuery, db: Db) => Promise<Matches | undefined>
  /** Begins to compute it when it is called for the second time. */
  readonly cacheIfAskedAgain: (tenantId: string, query: MatchQuery, db: Db) => void
}

const BYTES_MAX = 256 * 2 ** 20
/** A larger result (more than a million subjects) is returned and not cached. */
const ENTRY_BYTES_MAX = 32 * 2 ** 20
/** Where more subjects have changed, everything is computed anew. */
const CHANGED_MAX = 20_000
/** Looking at more subjects than this again gets a statement timeout of `WAIT_MS`. */
const MANY = 1_000
/** How long a caller waits; the computation goes on for those who ask again. */
const WAIT_MS = 10_000
/**
 * How long a caller of `cachedMatches` waits, who can do without. All who ask while it is computed would otherwise count
 * the same, each for himself.
 */
const CACHED_WAIT_MS = 1_000
/** How often changes are read again that were committed while earlier ones were processed. */
const ROUNDS_MAX = 4
/** How many queries are remembered that `cacheIfAskedAgain` was called for once; beyond it the oldest are forgotten. */
const ASKED_ONCE_MAX = 1_000
/** Rough size of one of the first matches. */
const MATCH_BYTES = 250
/** Rough size of an entry without its matches: there may be any number of queries that nothing matches. */
const ENTRY_BYTES = 2_048

interface Entry extends ComputedMatches {
  since: Version
  /** Settles when the last caller has brought it up to date. */
  turn: Promise<unknown>
}

export function openMatchCache(bytesMax = BYTES_MAX): MatchCache {
  const { entries, keep, add } = boundedEntries(bytesMax)
  const waiting = waiters()
  const isSecond = secondTimes()
  const passes = matchPasses({ isWanted: waiting.isAny, onComputed: add })

  /** The cached matches, as of the call or later. */
  async function upToDate(query: KeyedQuery): Promise<Matches | undefined> {
    const { key } = query
    const entry = entries.get(key)
    if (!entry) return undefined
    const found = await inTurn(entry, async () =>
      (await bringUpToDate(entry, query)) ? matchesOf(entry) : undefined,
    )
    if (found) keep(key, entry)
    else if (entries.get(key) === entry) entries.delete(key)
    return found
  }

  /** A computation under way may not see what the caller has written since it began. */
  async function cachedSoon(query: KeyedQuery): Promise<Matches | undefined> {
    const found = await upToDate(query)
    if (found || !passes.isUnderWay(query.key)) return found
    await passes.join(query).catch(ignore)
    return upToDate(query)
  }

  const current = async (query: KeyedQuery): Promise<Matches> =>
    (await cachedSoon(query)) ?? matchesOf(await passes.join(query))

  return {
    matches(tenantId, query, db) {
      const keyed = withKey(tenantId, query, db)
      const { key } = keyed
      return waiting.during(key, () =>
        withinTime(current(keyed), () => (passes.isWaiting(key) ? busy() : canceled())),
      )
    },
    cachedMatches(tenantId, query, db) {
      const keyed = withKey(tenantId, query, db)
      return soon(unlessCanceled(cachedSoon(keyed), () => entries.delete(keyed.key)))
    },
    cacheIfAskedAgain(tenantId, query, db) {
      const keyed = withKey(tenantId, query, db)
      const { key } = keyed
      if (entries.has(key) || passes.isUnderWay(key)) return
      if (isSecond(key)) void waiting.during(key, () => passes.join(keyed)).catch(ignore)
    },
  }
}

/** How many callers wait for each query. */
function waiters() {
  const waiting = new Map<string, number>()
  return {
    isAny: (key: string): boolean => waiting.has(key),
    async during<T>(key: string, work: () => Promise<T>): Promise<T> {
      waiting.set(key, (waiting.get(key) ?? 0) + 1)
      try {
        return await work()
      } finally {
        const others = (waiting.get(key) ?? 0) - 1
        if (others > 0) waiting.set(key, others)
        else waiting.delete(key)
      }
    },
  }
}

/** Answers whether it is called for the second time with this key. */
function secondTimes(): (key: string) => boolean {
  const askedOnce = new Set<string>()
  return (key) => {
    if (askedOnce.delete(key)) return true
    const [oldest] = askedOnce
    if (askedOnce.size >= ASKED_ONCE_MAX && oldest !== undefined) askedOnce.delete(oldest)
    askedOnce.add(key)
    return false
  }
}

const canBeCached = (found: ComputedMatches): found is ComputedMatches & { since: Version } =>
  found.since !== undefined && found.counted.bytes() <= ENTRY_BYTES_MAX

/** Applies what was written since. Answers false where that is not possible: then everything has to be computed anew. */
async function bringUpToDate(entry: Entry, query: KeyedQuery): Promise<boolean> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const changed = await changedSince(entry, query)
    if (!changed) return false
    const ids = [...new Set([...changed.ids, ...(await movedSince(entry, query))])]
    if (ids.length > CHANGED_MAX || !(await lookAgain(entry, query, ids))) return false
    // last: after a failure the same subjects are looked at again
    entry.since = changed.last
    entry.at = query.at
    if (ids.length === 0) break
  }
  return !entry.first || !areTooFew(entry.first) || refill(entry, query)
}

/** Answers false where that takes too long. */
async function refill(entry: Entry, query: KeyedQuery): Promise<boolean> {
  const first = await withLimit(query.db, (inner) => readFirst(inner, query, entry.counted))
  entry.first = first
  return first !== undefined
}

async function changedSince(
  { since }: Entry,
  { tenantId, db, names }: KeyedQuery,
): Promise<{ readonly ids: readonly string[]; readonly last: Version } | undefined> {
  const changes = await db.all(changesFrom({ tenantId, since, names, most: CHANGED_MAX }))
  const last = changes.at(-1)
  if (!last) {
    const [version] = await db.all(readVersion(tenantId))
    return version?.version === since.version ? { ids: [], last: since } : undefined
  }
  const ids = subjectsChanged(changes, since)
  return ids && { ids, last }
}

/** Subjects whose matches may have changed because time passed. */
async function movedSince(entry: Entry, { db, at, moved }: KeyedQuery): Promise<readonly string[]> {
  if (!moved || !entry.at || entry.at.getTime() === at?.getTime()) return []
  const rows = await db.all(moved(entry.at, CHANGED_MAX + 1))
  return rows.map(({ id }) => id)
}

/** Answers false where that takes too long. */
async function lookAgain(entry: Entry, { db, among }: KeyedQuery, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  const found = await (ids.length > MANY
    ? withLimit(db, (inner) => inner.all(among(ids)))
    : db.all(among(ids)))
  if (!found) return false
  entry.counted.update(ids, countsOf(found))
  entry.first &&= withChanged(entry.first, ids, found)
  return true
}

/** Undefined where the statement was cancelled. */
async function withLimit<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T | undefined> {
  try {
    return await db.transaction(async (inner) => {
      await inner.run(sql`set local statement_timeout = ${sql.lit(WAIT_MS)}`)
      return work(inner)
    })
  } catch (error) {
    if (isCanceled(error)) return undefined
    throw error
  }
}

function countsOf(matches: readonly Match[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { subject } of matches) counts.set(subject, (counts.get(subject) ?? 0) + 1)
  return counts
}

/** Entries with the least recently used first, which are forgotten when all together are too large. */
function boundedEntries(bytesMax: number) {
  const entries = new Map<string, Entry>()
  const keep = (key: string, entry: Entry): void => {
    entries.delete(key)
    entries.set(key, entry)
    let bytes = 0
    for (const it of entries.values()) bytes += bytesOf(it)
    for (const [oldest, it] of entries) {
      if (bytes <= bytesMax) break
      bytes -= bytesOf(it)
      entries.delete(oldest)
    }
  }
  const add = (key: string, found: ComputedMatches): void => {
    if (canBeCached(found)) keep(key, { ...found, turn: Promise.resolve() })
  }
  return { entries, keep, add }
}

const bytesOf = ({ counted, first }: Entry): number =>
  ENTRY_BYTES + counted.bytes() + (first?.matches.length ?? 0) * MATCH_BYTES

const matchesOf = ({ counted, first }: ComputedMatches): Matches => ({
  total: counted.total(),
  subjects: counted.ids,
  page: (offset, limit) => first && idsOfPage(first, offset, limit),
})

/** Undefined where the work was cancelled; `orElse` is called then. */
async function unlessCanceled<T>(work: Promise<T>, orElse: () => unknown): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!isCanceled(error)) throw error
    orElse()
    return undefined
  }
}

/** Runs the work of callers one after the other. A failure reaches its own caller only. */
function inTurn<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
  const done = entry.turn.then(work, work)
  entry.turn = done.catch(ignore)
  return done
}

const withinTime = <T>(work: Promise<T>, late: () => Error): Promise<T> =>
  orElseAfter(WAIT_MS, work, () => {
    throw late()
  })

/** Undefined after `CACHED_WAIT_MS`; the work goes on for later callers. */
const soon = <T>(work: Promise<T>): Promise<T | undefined> =>
  orElseAfter(CACHED_WAIT_MS, work, () => undefined)

async function orElseAfter<T, E>(ms: number, work: Promise<T>, late: () => E): Promise<T | E> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  work.catch(ignore)
  try {
    return await Promise.race([work, timeUp.then(late)])
  } finally {
    clearTimeout(timer)
  }
}

function ignore(): void {}
