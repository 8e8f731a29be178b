import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Match, MatchQuery, Query } from '../db.ts'
import { compileUnnamed } from '../sql.ts'
import { countedSubjects, type CountedSubjects } from './counted-subjects.ts'
import { FIRST_COUNT, firstMatches, type FirstMatches } from './first-matches.ts'
import { timedOutQueries } from './timed-out-queries.ts'
import { readVersion, type Version } from './tenant-version.ts'
import { turnsByTenant } from './turns-by-tenant.ts'

/** Computes what matches over all subjects: a pass for each query, few at once and fair between tenants. */

export interface KeyedQuery extends Omit<MatchQuery, 'key'> {
  readonly tenantId: string
  readonly db: Db
  readonly key: string
  /** All words in the text of `MatchQuery.key`, the names of its tables among them. */
  readonly names: readonly string[]
}

/** What matches, at a version of the tenant and an instant. */
export interface ComputedMatches {
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
  /** Starts a pass, or joins the one for the same query that waits or runs. Throws 503 when too many wait. */
  readonly join: (query: KeyedQuery) => Promise<ComputedMatches>
}

const PASS_MS = 60_000
/** A tenant whose queries take long leaves one turn to the others. */
const LIMITS = { atOnce: 3, atOnceOfTenant: 2, waiting: 32 }
/** Sorts the ids of a million subjects without a file. */
const PASS_WORK_MEM = '96MB'
/** Of up to so many matches the first are found by reading all; of more, by reading in the order of the list. */
const FEW_MAX = 20_000

/** `isWanted` tells whether anybody still waits for the query. `onComputed` is called with every result. */
export function matchPasses({
  isWanted,
  onComputed,
}: {
  readonly isWanted: (key: string) => boolean
  readonly onComputed: (key: string, found: ComputedMatches) => void
}): MatchPasses {
  const passes = new Map<string, { readonly found: Promise<ComputedMatches>; hasBegun: boolean }>()
  const timedOut = timedOutQueries()
  const takeTurn = turnsByTenant(LIMITS)

  function begin(query: KeyedQuery): Promise<ComputedMatches> {
    const { key, tenantId } = query
    const work = async (): Promise<ComputedMatches> => {
      const pass = passes.get(key)
      if (pass) pass.hasBegun = true
      const found = await timedOut.run(key, () => compute(query))
      onComputed(key, found)
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
    async join(query) {
      timedOut.refuse(query.key)
      return passes.get(query.key)?.found ?? begin(query)
    },
  }
}

export function withKey(tenantId: string, query: MatchQuery, db: Db): KeyedQuery {
  const { text, values } = compileUnnamed(query.key)
  return {
    ...query,
    tenantId,
    db,
    key: hash('sha256', JSON.stringify([tenantId, text, values, Boolean(query.first)]), 'base64url'),
    names: [...new Set(text.toLowerCase().match(/(?<![.\w])[a-z_]\w*/g))],
  }
}

async function compute(query: KeyedQuery): Promise<ComputedMatches> {
  const { db, tenantId, at } = query
  const [since] = await db.all(readVersion(tenantId))
  return db.transaction(async (inner) => {
    await inner.run(sql`set local statement_timeout = ${sql.lit(PASS_MS)}`)
    await inner.run(sql`set local work_mem = ${sql.lit(PASS_WORK_MEM)}`)
    const { ids } = await inner.one(sql<{ ids: Buffer | null }>`
      select string_agg(uuid_send(c.subject) || int4send(c.n), ''::bytea order by c.subject) as ids
      from (${countsIn(await query.all(inner), query)}) c`)
    const counted = countedSubjects(ids ?? Buffer.alloc(0))
    return { counted, first: await readFirst(inner, query, counted), since, at }
  })
}

const countsIn = (all: Query<Match>, { hasSeveral }: KeyedQuery): Query<unknown> =>
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
