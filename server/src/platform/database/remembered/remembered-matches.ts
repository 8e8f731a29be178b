import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Matches, MatchQuery } from '../db.ts'
import { idSet, type IdSet } from './id-set.ts'
import { compileUnnamed } from '../sql.ts'
import { canceled, refusedQuestions } from './refused-questions.ts'
import { changesFrom, readVersion, subjectsChanged, type Version } from './tenant-version.ts'

/** The subjects that match a question, by tenant and question; see `Db.matches`. */
export interface RememberedMatches {
  /** Throws an error with the code of a cancelled query when the answer takes too long. */
  readonly matches: (tenantId: string, query: MatchQuery, db: Db) => Promise<Matches>
}

const BYTES_MAX = 256 * 2 ** 20
/** Of one answer: a million subjects. A larger one is given once and forgotten. */
const ANSWER_BYTES_MAX = 32 * 2 ** 20
/** With more changes all subjects are looked at again. */
const CHANGED_MAX = 20_000
/** A caller waits no longer; what was begun goes on for those who ask again. */
const WAIT_MS = 10_000
const LOAD_MS = 60_000
const LOADS_AT_ONCE = 2
/** Sorts the ids of a million subjects without a file. */
const LOAD_WORK_MEM = '96MB'
/** Changes that are committed while changes are read. */
const ROUNDS_MAX = 4

interface Question extends MatchQuery {
  readonly tenantId: string
  readonly db: Db
  readonly key: string
  /** All names in its text, those of its tables among them. */
  readonly names: ReadonlySet<string>
}

interface Answer {
  readonly set: IdSet
  /** What the set is as of. */
  since: Version
  /** The last who brings it up to date. */
  turn: Promise<unknown>
}

export function rememberMatches(): RememberedMatches {
  const answers = new Map<string, Answer>()
  const passes = sharedPasses(answers)

  /** Of what is remembered, as of the call or later. */
  async function remembered(question: Question): Promise<IdSet | undefined> {
    const { key } = question
    const answer = answers.get(key)
    if (!answer) return undefined
    if (await inTurn(answer, () => bringUpToDate(answer, question))) {
      remember(answers, key, answer)
      return answer.set
    }
    if (answers.get(key) === answer) answers.delete(key)
    return undefined
  }

  async function current(question: Question): Promise<IdSet> {
    const found = await remembered(question)
    if (found) return found
    const begun = passes.begun(question)
    if (!begun) return passes.join(question)
    // it may not see what was committed since it began, which the caller may have written
    await begun.catch(ignore)
    return (await remembered(question)) ?? passes.join(question)
  }

  return {
    matches: async (tenantId, query, db) =>
      matchesOf(await withinTime(current(questionOf(tenantId, query, db)))),
  }
}

/** Works questions out from all subjects, each at most once at a time. */
function sharedPasses(answers: Map<string, Answer>) {
  const loading = new Map<string, Promise<IdSet>>()
  const refused = refusedQuestions()
  const takeTurn = turns(LOADS_AT_ONCE)

  async function load(question: Question): Promise<IdSet> {
    const { key, tenantId, db } = question
    const [since] = await db.all(readVersion(tenantId))
    const set = idSet(await refused.asking(key, () => sortedIds(question)))
    if (since && set.bytes() <= ANSWER_BYTES_MAX)
      remember(answers, key, { set, since, turn: Promise.resolve() })
    return set
  }

  return {
    begun: ({ key }: Question): Promise<IdSet> | undefined => loading.get(key),
    async join(question: Question): Promise<IdSet> {
      const { key } = question
      refused.check(key)
      const begun = loading.get(key) ?? takeTurn(() => load(question)).finally(() => loading.delete(key))
      loading.set(key, begun)
      return begun
    },
  }
}

function questionOf(tenantId: string, query: MatchQuery, db: Db): Question {
  const { text, values } = compileUnnamed(query.among([]))
  return {
    ...query,
    tenantId,
    db,
    key: hash('sha256', JSON.stringify([tenantId, text, values]), 'base64url'),
    names: new Set(text.toLowerCase().match(/(?<![.\w])[a-z_]\w*/g)),
  }
}

const sortedIds = ({ db, all }: Question): Promise<Buffer> =>
  db.transaction(async (inner) => {
    await inner.run(sql`set local statement_timeout = ${sql.lit(LOAD_MS)}`)
    await inner.run(sql`set local work_mem = ${sql.lit(LOAD_WORK_MEM)}`)
    const { ids } = await inner.one(sql<{ ids: Buffer | null }>`
      select string_agg(uuid_send(m.id), ''::bytea order by m.id) as ids from (${await all(inner)}) m`)
    return ids ?? Buffer.alloc(0)
  })

/**
 * Looks again at what was written since. Answers whether the set is right now; where it is not, it has to be worked out
 * from all subjects.
 */
async function bringUpToDate(answer: Answer, { tenantId, db, among, names }: Question): Promise<boolean> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const changes = await db.all(changesFrom(tenantId, answer.since.number))
    const last = changes.at(-1)
    if (!last) return (await db.all(readVersion(tenantId)))[0]?.version === answer.since.version
    const ids = subjectsChanged(changes, answer.since, names)
    if (ids === undefined || ids.length > CHANGED_MAX) return false
    if (ids.length > 0) {
      const now = await db.all(among(ids))
      answer.set.update(ids, new Set(now.map(({ id }) => id)))
    }
    // last: after a failure the same subjects are looked at again
    answer.since = last
    if (ids.length === 0) return true
  }
  return true
}

/** The least recently asked first; forgets these when all take too much. */
function remember(answers: Map<string, Answer>, key: string, answer: Answer): void {
  answers.delete(key)
  answers.set(key, answer)
  let bytes = 0
  for (const { set } of answers.values()) bytes += set.bytes()
  for (const [oldest, { set }] of answers) {
    if (bytes <= BYTES_MAX) break
    bytes -= set.bytes()
    answers.delete(oldest)
  }
}

const matchesOf = ({ size, ids }: IdSet): Matches => ({
  total: size(),
  ids: (most) => (size() <= most ? ids() : undefined),
})

/** One after the other; a failure is of who asked. */
function inTurn<T>(answer: Answer, work: () => Promise<T>): Promise<T> {
  const done = answer.turn.then(work, work)
  answer.turn = done.catch(ignore)
  return done
}

/** Runs so many works at once; the others wait in the order in which they came. */
function turns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = most
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(canceled()), WAIT_MS)
  })
  work.catch(ignore)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function ignore(): void {}
