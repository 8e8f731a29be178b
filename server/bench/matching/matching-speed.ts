import pg from 'pg'
import type { Advisory } from '#features/advisories/advisory.ts'
import {
  matchCatalogueChanges,
  processMatchingQueue,
  enqueueMatching,
} from '#features/vulnerabilities/vulnerabilities.ts'
import type { Ctx } from '#platform/context.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { publish, type MatchingEstate } from './matching-estate.ts'

/** How long a whole estate takes to match, and then what a day brings, beside reading the same rows. */
export interface MatchingSpeed {
  readonly readSeconds: number
  readonly fullSeconds: number
  readonly findings: number
  readonly deltaSeconds: number
  readonly deltaRecords: number
  readonly changedFindings: number
  /** Of this process, while it matched. */
  readonly megabytes: number
}

const ROWS_AT_ONCE = 50_000
const DELTA_RECORDS = 300
const SAMPLE_MS = 200

export async function measureMatching(
  ctx: Ctx,
  superuser: DatabaseAddress,
  { catalogue }: MatchingEstate,
  say: (text: string) => void,
): Promise<MatchingSpeed> {
  const client = new pg.Client(superuser)
  await client.connect()
  const memory = watchMemory()
  try {
    const readSeconds = await timed(() => readAll(client))
    say(`read in ${readSeconds.toFixed(1)} s`)
    const { rows } = await client.query<{ id: string }>('select id from assets where tenant_id = $1', [
      ctx.tenantId,
    ])
    await enqueueMatching(
      ctx,
      rows.map(({ id }) => id),
    )
    const fullSeconds = await timed(() => processMatchingQueue(ctx))
    const findings = await count(client, `select count(*) from findings`)
    say(`matched in ${fullSeconds.toFixed(1)} s: ${findings} findings`)
    await client.query('vacuum analyze')
    const turns = await count(client, `select count(*) from finding_history`)
    const delta = aDayLater(catalogue.advisories)
    await publish(client, delta)
    const deltaSeconds = await timed(() => matchCatalogueChanges(ctx))
    const changedFindings = (await count(client, `select count(*) from finding_history`)) - turns
    return {
      readSeconds,
      fullSeconds,
      findings,
      deltaSeconds,
      deltaRecords: delta.length,
      changedFindings,
      megabytes: memory.stop(),
    }
  } finally {
    memory.stop()
    await client.end()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now()
  await work()
  return (performance.now() - begunAt) / 1_000
}

/** What any matching has to read: which asset has which version of what. */
async function readAll(client: pg.Client): Promise<void> {
  await client.query('begin')
  await client.query(`declare everything no scroll cursor for
    select o.asset_id, w.vendor, w.name, w.version from asset_observations o
    join software_sets s on s.observation_id = o.id cross join unnest(s.ids) as each(id)
    join software w on w.id = each.id`)
  for (let read = 1; read > 0;) {
    const { rowCount } = await client.query(`fetch ${ROWS_AT_ONCE} from everything`)
    read = rowCount ?? 0
  }
  await client.query('rollback')
}

async function count(client: pg.Client, query: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(query)
  return Number(rows[0]?.count)
}

/** Some records are scored anew, and some say that an earlier version than before has the fix. */
const aDayLater = (advisories: readonly Advisory[]): Advisory[] =>
  advisories
    .filter((_, n) => n % Math.ceil(advisories.length / DELTA_RECORDS) === 0)
    .map((advisory, n) =>
      n % 2 === 0
        ? {
            ...advisory,
            scores: advisory.scores.map((score) => ({ ...score, score: Math.min(10, score.score + 0.1) })),
          }
        : { ...advisory, rules: advisory.rules.map((rule) => ({ ...rule, ranges: rule.ranges.slice(1) })) },
    )

function watchMemory(): { stop: () => number } {
  let most = 0
  const sample = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, SAMPLE_MS)
  return {
    stop() {
      clearInterval(sample)
      return Math.round(most / 1_048_576)
    },
  }
}
