import { sql } from 'kysely'
import { busy } from '../../errors.ts'
import type { Db, Match, Matches, MatchQuery } from '../db.ts'
import { areTooFew, idsOfPage, withChanged } from './first-matches.ts'
import { matchPasses, questionOf, readFirst, type Found, type Question } from './match-passes.ts'
import { canceled, isCanceled } from './refused-questions.ts'
import { changesFrom, readVersion, subjectsChanged, type Version } from './tenant-version.ts'

/** The cache behind `Db.matches`: what matches each question of each tenant, brought up to date when it is asked again. */
export interface RememberedMatches {
  /**
   * Throws an error with the code of a cancelled query when the answer takes too long, and 503 when its computation
   * could not begin because others were running.
   */
  readonly matches: (tenantId: string, query: MatchQuery, db: Db) => Promise<Matches>
  /** Undefined where it is not cached, or cannot be brought up to date within `KNOWN_WAIT_MS`; that goes on for later callers. */
  readonly knownMatches: (tenantId: string, query: MatchQuery, db: Db) => Promise<Matches | undefined>
  /** Begins to compute it when it is called for the second time. */
  readonly learnMatches: (tenantId: string, query: MatchQuery, db: Db) => void
}

const BYTES_MAX = 256 * 2 ** 20
/** A larger answer (more than a million subjects) is returned and not cached. */
const ANSWER_BYTES_MAX = 32 * 2 ** 20
/** Where more subjects have changed, the answer is computed anew. */
const CHANGED_MAX = 20_000
/** Looking at more subjects than this again gets a statement timeout of `WAIT_MS`. */
const MANY = 1_000
/** How long a caller waits; the computation goes on for those who ask again. */
const WAIT_MS = 10_000
/** How long a caller of `knownMatches` waits, who can do without. */
const KNOWN_WAIT_MS = 500
/** How often changes are read again that were committed while earlier ones were processed. */
const ROUNDS_MAX = 4
/** How many questions are known that `learnMatches` was called for once; beyond it the oldest are forgotten. */
const TOLD_MAX = 1_000
/** Rough size of one of the first matches. */
const MATCH_BYTES = 250
/** Rough size of an answer without its matches: there may be any number of questions that nothing matches. */
const ANSWER_BYTES = 2_048

interface Answer extends Found {
  since: Version
  /** Settles when the last caller has brought it up to date. */
  turn: Promise<unknown>
}

export function rememberMatches(bytesMax = BYTES_MAX): RememberedMatches {
  const { answers, remember, rememberNew } = boundedAnswers(bytesMax)
  const waiting = waiters()
  const isSecond = secondTimes()
  const passes = matchPasses({ isWanted: waiting.isAny, remember: rememberNew })

  /** The cached answer, as of the call or later. */
  async function remembered(question: Question): Promise<Matches | undefined> {
    const { key } = question
    const answer = answers.get(key)
    if (!answer) return undefined
    const found = await inTurn(answer, async () =>
      (await bringUpToDate(answer, question)) ? matchesOf(answer) : undefined,
    )
    if (found) remember(key, answer)
    else if (answers.get(key) === answer) answers.delete(key)
    return found
  }

  async function current(question: Question): Promise<Matches> {
    const found = await remembered(question)
    if (found) return found
    if (!passes.isUnderWay(question.key)) return matchesOf(await passes.join(question))
    // a computation under way may not see what the caller has written since it began
    await passes.join(question).catch(ignore)
    return (await remembered(question)) ?? matchesOf(await passes.join(question))
  }

  return {
    matches(tenantId, query, db) {
      const question = questionOf(tenantId, query, db)
      const { key } = question
      return waiting.during(key, () =>
        withinTime(current(question), () => (passes.isWaiting(key) ? busy() : canceled())),
      )
    },
    knownMatches(tenantId, query, db) {
      const question = questionOf(tenantId, query, db)
      const known = unlessCanceled(remembered(question), () => answers.delete(question.key))
      return soon(known)
    },
    learnMatches(tenantId, query, db) {
      const question = questionOf(tenantId, query, db)
      const { key } = question
      if (answers.has(key) || passes.isUnderWay(key)) return
      if (isSecond(key)) void waiting.during(key, () => passes.join(question)).catch(ignore)
    },
  }
}

/** How many callers wait for each question. */
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

/** Answers whether it is called for the second time with the question. */
function secondTimes(): (key: string) => boolean {
  const told = new Set<string>()
  return (key) => {
    if (told.delete(key)) return true
    const [oldest] = told
    if (told.size >= TOLD_MAX && oldest !== undefined) told.delete(oldest)
    told.add(key)
    return false
  }
}

const isWorthIt = (found: Found): found is Found & { since: Version } =>
  found.since !== undefined && found.counted.bytes() <= ANSWER_BYTES_MAX

/** Applies what was written since. Answers false where that is not possible: then the answer has to be computed anew. */
async function bringUpToDate(answer: Answer, question: Question): Promise<boolean> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const changed = await changedSince(answer, question)
    if (!changed) return false
    const ids = [...new Set([...changed.ids, ...(await movedSince(answer, question))])]
    if (ids.length > CHANGED_MAX || !(await lookAgain(answer, question, ids))) return false
    // last: after a failure the same subjects are looked at again
    answer.since = changed.last
    answer.at = question.at
    if (ids.length === 0) break
  }
  return !answer.first || !areTooFew(answer.first) || refill(answer, question)
}

/** Answers false where that takes too long. */
async function refill(answer: Answer, question: Question): Promise<boolean> {
  const first = await withLimit(question.db, (inner) => readFirst(inner, question, answer.counted))
  answer.first = first
  return first !== undefined
}

async function changedSince(
  { since }: Answer,
  { tenantId, db, names }: Question,
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
async function movedSince(answer: Answer, { db, at, moved }: Question): Promise<readonly string[]> {
  if (!moved || !answer.at || answer.at.getTime() === at?.getTime()) return []
  const rows = await db.all(moved(answer.at, CHANGED_MAX + 1))
  return rows.map(({ id }) => id)
}

/** Answers false where that takes too long. */
async function lookAgain(answer: Answer, { db, among }: Question, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  const found = await (ids.length > MANY
    ? withLimit(db, (inner) => inner.all(among(ids)))
    : db.all(among(ids)))
  if (!found) return false
  answer.counted.update(ids, countsOf(found))
  answer.first &&= withChanged(answer.first, ids, found)
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

/** Answers with the least recently asked first, which are forgotten when all together are too large. */
function boundedAnswers(bytesMax: number) {
  const answers = new Map<string, Answer>()
  const remember = (key: string, answer: Answer): void => {
    answers.delete(key)
    answers.set(key, answer)
    let bytes = 0
    for (const it of answers.values()) bytes += bytesOf(it)
    for (const [oldest, it] of answers) {
      if (bytes <= bytesMax) break
      bytes -= bytesOf(it)
      answers.delete(oldest)
    }
  }
  const rememberNew = (key: string, found: Found): void => {
    if (isWorthIt(found)) remember(key, { ...found, turn: Promise.resolve() })
  }
  return { answers, remember, rememberNew }
}

const bytesOf = ({ counted, first }: Answer): number =>
  ANSWER_BYTES + counted.bytes() + (first?.matches.length ?? 0) * MATCH_BYTES

const matchesOf = ({ counted, first }: Found): Matches => ({
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
function inTurn<T>(answer: Answer, work: () => Promise<T>): Promise<T> {
  const done = answer.turn.then(work, work)
  answer.turn = done.catch(ignore)
  return done
}

const withinTime = <T>(work: Promise<T>, late: () => Error): Promise<T> =>
  orElseAfter(WAIT_MS, work, () => {
    throw late()
  })

/** Undefined after `KNOWN_WAIT_MS`; the work goes on for later callers. */
const soon = <T>(work: Promise<T>): Promise<T | undefined> =>
  orElseAfter(KNOWN_WAIT_MS, work, () => undefined)

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
