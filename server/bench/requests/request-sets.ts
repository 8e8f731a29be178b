import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { API_PATH } from '#platform/http/pipeline.ts'
import type { Question } from './load-client.ts'
import { measuredConditions, measuredFindingConditions } from './conditions.ts'
import { hostnameOf, ipOf, serialOf } from '../seed/seeded-assets.ts'

/** A set of requests that are measured together. */
export interface Asking {
  readonly name: string
  readonly title: string
  /** Orientation for the 95th percentile. */
  readonly p95GoalMs: number
  /** Requests on their way at once. */
  readonly concurrency: number
  /** The tenant is written to all the time, so that no answer can be given again. */
  readonly isChanging?: true
  /** With the totals that answers must tell, counted beforehand in the plainest way. */
  readonly questions: (estate: Estate) => Promise<readonly Question[]>
}

/** A tenant of `size` things, and one who sees them all. */
export interface Estate {
  readonly tenantId: string
  readonly size: number
  readonly superuser: DatabaseAddress
  /** Totals of conditions, which take long to count plainly, for the measures that come behind. */
  readonly counted: Map<string, number>
}

const CONCURRENCY = 8
/** An export holds a connection and a processor for long: as many at once as processors are usual. */
const EXPORTS_AT_ONCE = 2
/** Where in the list a deep offset is. */
const DEEP_SHARE = 0.9

export const askings: readonly Asking[] = [
  {
    name: 'first-page',
    title: 'First page',
    p95GoalMs: 50,
    concurrency: CONCURRENCY,
    questions: async ({ size }) => [{ path: `${API_PATH}/assets`, total: size }],
  },
  {
    name: 'type-filter',
    title: 'Type filter',
    p95GoalMs: 50,
    concurrency: CONCURRENCY,
    questions: async (estate) => [
      { path: `${API_PATH}/assets?type=device`, total: await count(estate, `asset_type = $2`, 'device') },
    ],
  },
  {
    name: 'search',
    title: 'Search, one thing or a few',
    p95GoalMs: 150,
    concurrency: CONCURRENCY,
    questions: (estate) => searches(estate, telling(estate.size)),
  },
  {
    name: 'search-common',
    title: 'Search, a tenth or more of all',
    p95GoalMs: 150,
    concurrency: CONCURRENCY,
    questions: (estate) => searches(estate, ['ber', 'srv-', 'corp', '.1']),
  },
  {
    name: 'search-short',
    title: 'Search, 1 or 2 characters',
    p95GoalMs: 150,
    concurrency: CONCURRENCY,
    questions: (estate) => searches(estate, ['7', 'a', 'z3']),
  },
  {
    name: 'deep-offset',
    title: `Offset at ${DEEP_SHARE * 100} %`,
    p95GoalMs: 250,
    concurrency: CONCURRENCY,
    questions: async ({ size }) => [
      { path: `${API_PATH}/assets?offset=${Math.floor(size * DEEP_SHARE)}`, total: size },
    ],
  },
  {
    name: 'conditions',
    title: 'Conditions, 20 in turn',
    p95GoalMs: 300,
    concurrency: CONCURRENCY,
    questions: conditions,
  },
  {
    name: 'conditions-changing',
    title: 'The same while the tenant changes',
    p95GoalMs: 300,
    concurrency: CONCURRENCY,
    isChanging: true,
    questions: conditions,
  },
  {
    name: 'finding-conditions',
    title: 'Conditions on findings, while the tenant changes',
    p95GoalMs: 300,
    concurrency: CONCURRENCY,
    isChanging: true,
    questions: findingConditions,
  },
  {
    name: 'csv',
    title: 'CSV, 10,000 rows',
    p95GoalMs: 1_000,
    concurrency: EXPORTS_AT_ONCE,
    questions: async () => [{ path: `${API_PATH}/assets/export?format=csv` }],
  },
]

/** What people look for: a machine by name, address or serial, some machines by the beginning of these. */
function telling(size: number): string[] {
  const some = [0.01, 0.2, 0.5, 0.77, 0.99].map((share) => Math.floor(size * share))
  return some.flatMap((n) => [
    hostnameOf(n),
    hostnameOf(n).slice(0, 14),
    ipOf(n),
    ipOf(n).replace(/\d+$/, ''),
    serialOf(n),
    `nothing-${n}`,
  ])
}

async function searches(estate: Estate, terms: readonly string[]): Promise<Question[]> {
  const questions: Question[] = []
  for (const term of terms) {
    const path = `${API_PATH}/assets/search?q=${encodeURIComponent(term)}`
    const texts = `lower(concat_ws(E'\\n', id, hostname, ip_address, serial))`
    questions.push({ path, total: await count(estate, `strpos(${texts}, lower($2)) > 0`, term) })
  }
  return questions
}

async function conditions(estate: Estate): Promise<Question[]> {
  const questions: Question[] = []
  for (const { text, plainly } of measuredConditions) {
    const path = `${API_PATH}/assets?where=${encodeURIComponent(text)}`
    const total = estate.counted.get(text) ?? (await count(estate, plainly))
    estate.counted.set(text, total)
    questions.push({ path, total })
  }
  return questions
}

async function findingConditions(estate: Estate): Promise<Question[]> {
  const questions: Question[] = []
  for (const { text, plainly } of measuredFindingConditions) {
    const path = `${API_PATH}/vulnerabilities?where=${encodeURIComponent(text)}`
    questions.push({ path, total: await countFindings(estate, `f.status = 'open' and (${plainly})`) })
  }
  return questions
}

async function countFindings({ superuser, tenantId }: Estate, condition: string): Promise<number> {
  const client = new pg.Client(superuser)
  await client.connect()
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from findings f join vulnerabilities v using (tenant_id, cve_id)
      join assets a on a.tenant_id = $1 and a.id = f.asset_id where f.tenant_id = $1 and ${condition}`,
    [tenantId],
  )
  await client.end()
  return rows[0]?.n ?? 0
}

async function count({ superuser, tenantId }: Estate, condition: string, value?: string): Promise<number> {
  const client = new pg.Client(superuser)
  await client.connect()
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from assets a where tenant_id = $1 and (${condition})`,
    value === undefined ? [tenantId] : [tenantId, value],
  )
  await client.end()
  return rows[0]?.n ?? 0
}
