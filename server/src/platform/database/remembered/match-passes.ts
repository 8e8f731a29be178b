import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Match, MatchQuery, Query } from '../db.ts'
import { compileUnnamed } from '../sql.ts'
import { countedSubjects, type CountedSubjects } from './counted-subjects.ts'
import { FIRST_COUNT, firstMatches, type FirstMatches } from './first-matches.ts'
import { refusedQuestions } from './refused-questions.ts'
import { readVersion, type Version } from './tenant-version.ts'
import { turnsByTenant } from './turns-by-tenant.ts'

/** Computes answers over all subjects: a pass for each question, limited at once and fair between tenants. */

export interface Question extends MatchQuery {
  readonly tenantId: string
  readonly db: Db
  readonly key: string
  /** All words in its text, the names of its tables among them. */
  readonly names: readonly string[]
}

/** What matches, at a version of the tenant and an instant. */
export interface Found {
  readonly counted: CountedSubjects
  first: FirstMatches | undefined
  /** Undefined where nothing of the tenant was ever changed. */
  since: Version | undefined
  at: Date | undefined
}

export interface MatchPasses {
  readonly isUnderWay: (key: string) => boolean
  /** Whether its pass still waits for a turn. */
  readonly isWaiting: (key: string) => boolean
  /** Starts a pass, or joins the one for the same question that waits or runs. Throws 503 when too many wait. */
  readonly join: (question: Question) => Promise<Found>
}

const LOAD_MS = 60_000
/** A tenant whose questions take long leaves one turn to the others. */
const LIMITS = { atOnce: 3, atOnceOfTenant: 2, waiting: 32 }
/** Sorts the ids of a million subjects without a file. */
const LOAD_WORK_MEM = '96MB'
/** Of up to so many matches the first are found by reading all; of more, by reading in the order of the list. */
const FEW_MAX = 20_000

/** `isWanted` tells whether anybody still waits for the question. `remember` is called with every answer. */
export function matchPasses({
  isWanted,
  remember,
}: {
  readonly isWanted: (key: string) => boolean
  readonly remember: (key: string, found: Found) => void
}): MatchPasses {
  const passes = new Map<string, { readonly found: Promise<Found>; hasBegun: boolean }>()
  const refused = refusedQuestions()
  const takeTurn = turnsByTenant(LIMITS)

  function begin(question: Question): Promise<Found> {
    const { key, tenantId } = question
    const work = async (): Promise<Found> => {
      const pass = passes.get(key)
      if (pass) pass.hasBegun = true
      const found = await refused.asking(key, () => workOut(question))
      remember(key, found)
      return found
    }
    const found = takeTurn({ tenantId, isWanted: () => isWanted(key), work }).finally(() =>
      passes.delete(key),
    )
    passes.set(key, { found, hasBegun: false })
    return found
  }

  return {
    isUnderWay: (key) => passes.has(key),
    isWaiting: (key) => passes.get(key)?.hasBegun === false,
    async join(question) {
      refused.check(question.key)
      return passes.get(question.key)?.found ?? begin(question)
    },
  }
}

export function questionOf(tenantId: string, query: MatchQuery, db: Db): Question {
  const { text, values } = compileUnnamed(query.known)
  return {
    ...query,
    tenantId,
    db,
    key: hash('sha256', JSON.stringify([tenantId, text, values, Boolean(query.first)]), 'base64url'),
    names: [...new Set(text.toLowerCase().match(/(?<![.\w])[a-z_]\w*/g))],
  }
}

async function workOut(question: Question): Promise<Found> {
  const { db, tenantId, at } = question
  const [since] = await db.all(readVersion(tenantId))
  return db.transaction(async (inner) => {
    await inner.run(sql`set local statement_timeout = ${sql.lit(LOAD_MS)}`)
    await inner.run(sql`set local work_mem = ${sql.lit(LOAD_WORK_MEM)}`)
    const { ids } = await inner.one(sql<{ ids: Buffer | null }>`
      select string_agg(uuid_send(c.subject) || int4send(c.n), ''::bytea order by c.subject) as ids
      from (${countsIn(await question.all(inner), question)}) c`)
    const counted = countedSubjects(ids ?? Buffer.alloc(0))
    return { counted, first: await readFirst(inner, question, counted), since, at }
  })
}

const countsIn = (all: Query<Match>, { hasSeveral }: Question): Query<unknown> =>
  hasSeveral
    ? sql`select m.subject, count(*)::int as n from (${all}) m group by m.subject`
    : sql`select m.subject, 1 as n from (${all}) m`

/** The first matches may be read at a later moment than the counts: what changed in between is looked at again. */
export async function readFirst(
  db: Db,
  { first }: Pick<MatchQuery, 'first'>,
  counted: CountedSubjects,
): Promise<FirstMatches | undefined> {
  return first && firstMatches(await db.all(first(counted.ids(FEW_MAX), FIRST_COUNT)))
}
