import pg from 'pg'
import { createKey } from '#features/api-keys/api-keys.ts'
import { API_PATH } from '#platform/http/pipeline.ts'
import { percentile } from '../ratio.ts'
import { startClient, startProduct } from '../processes.ts'
import type { Scratch } from '../scratch-installation.ts'

/** How fast a tenant's findings are listed, by every filter of the contract, near and deep. */
export interface ListingSpeed {
  readonly title: string
  readonly p50Ms: number
  readonly p95Ms: number
  /** What was wrong with the answers. */
  readonly fault?: string
}

const SECONDS = 4
const CONCURRENCY = 8

export async function measureListing(
  scratch: Scratch,
  { tenantId, findings, say }: { tenantId: string; findings: number; say: (text: string) => void },
): Promise<ListingSpeed[]> {
  const client = new pg.Client(scratch.superuser)
  await client.connect()
  const product = await startProduct(scratch.environment)
  const asker = startClient()
  try {
    await seedFindings(client, tenantId, findings)
    say(`${findings} findings are there`)
    const key = await createKey(scratch.runtime.contextFor(tenantId), { name: 'Bench', scopes: ['read'] })
    const measured: ListingSpeed[] = []
    for (const query of await queries(client, tenantId)) {
      const { milliseconds, faults } = await asker.load({
        address: product.address,
        headers: { 'x-api-key': key.secret },
        questions: [query],
        concurrency: CONCURRENCY,
        seconds: SECONDS,
      })
      measured.push({
        title: query.path.slice(`${API_PATH}/`.length),
        p50Ms: percentile(milliseconds, 0.5),
        p95Ms: percentile(milliseconds, 0.95),
        ...(faults[0] !== undefined && { fault: faults[0] }),
      })
    }
    return measured
  } finally {
    await asker.stop()
    await product.stop()
    await client.end()
  }
}

/** With the totals that plain counting gives. */
async function queries(client: pg.Client, tenantId: string): Promise<{ path: string; total: number }[]> {
  const count = async (where: string): Promise<number> => {
    const { rows } = await client.query<{ n: string }>(
      `select count(*) as n from findings where tenant_id = $1 and ${where}`,
      [tenantId],
    )
    return Number(rows[0]?.n)
  }
  const all = await count(`status = 'open'`)
  const asked: readonly (readonly [string, string])[] = [
    ['', `status = 'open'`],
    ['?limit=1000', `status = 'open'`],
    ['?severity=critical', `status = 'open' and severity = 'critical'`],
    ['?severity=low&limit=1000', `status = 'open' and severity = 'low'`],
    ['?cvss_min=7', `status = 'open' and score >= 70`],
    ['?cvss_max=3.9', `status = 'open' and score <= 39`],
    [
      '?cvss_min=4&cvss_max=6.9&severity=medium',
      `status = 'open' and severity = 'medium' and score between 40 and 69`,
    ],
    ['?fixed=true', `status = 'resolved'`],
    ['?fixed=true&severity=high&cvss_min=8', `status = 'resolved' and severity = 'high' and score >= 80`],
    [`?offset=${Math.floor(all / 2)}`, `status = 'open'`],
    [`?offset=${Math.floor(all * 0.9)}`, `status = 'open'`],
    [`?offset=${all - 10}`, `status = 'open'`],
    [`?severity=medium&offset=150000`, `status = 'open' and severity = 'medium'`],
  ]
  const found = []
  for (const [query, where] of asked)
    found.push({ path: `${API_PATH}/vulnerabilities${query}`, total: await count(where) })
  return found
}

/**
 * Scores as NVD's are spread: a few of them very common. Every tenth is resolved, every hundredth has another severity
 * than its score, as an override would give it.
 */
async function seedFindings(client: pg.Client, tenantId: string, findings: number): Promise<void> {
  for (const table of ['findings', 'finding_counts', 'vulnerabilities'])
    await client.query(`delete from ${table} where tenant_id = $1`, [tenantId])
  await client.query(
    `insert into vulnerabilities (tenant_id, cve_id, description, severity, score, is_scored, affected_assets)
     select $1, 'CVE-2024-' || n, repeat('A flaw in something that many people use. ', 6), severity_of(score), score, true, 100
     from (select n, (array[98, 98, 88, 78, 78, 75, 75, 75, 72, 65, 61, 61, 55, 55, 54, 53, 43, 31, 27, 0])[1 + n % 20]
       - case when n % 7 = 0 then n % 9 else 0 end as score from generate_series(1, 10000) n) s`.replace(
      'severity_of(score)',
      `case when score >= 90 then 'critical' when score >= 70 then 'high' when score >= 40 then 'medium'
        when score >= 1 then 'low' else 'informational' end`,
    ),
    [tenantId],
  )
  await client.query(`update vulnerabilities set score = 0, severity = 'informational' where score < 0`)
  await client.query(
    `insert into findings (id, tenant_id, asset_id, cve_id, status, severity, score, grade, confidence, software,
       fixed_version, is_present, found_at, changed_at)
     select gen_random_uuid(), $1, a.id, v.cve_id, case when k % 10 = 3 then 'resolved' else 'open' end,
       case when k % 100 = 7 then 'low' else v.severity end, v.score, 'exact', 0.95, 'thing 1.0', '', true, now(), now()
     from (select id, row_number() over (order by id) as n from assets where tenant_id = $1) a
     cross join generate_series(0, $2::int / 10000 - 1) k
     join vulnerabilities v on v.tenant_id = $1 and v.cve_id = 'CVE-2024-' || (1 + (a.n * 13 + k * 97) % 10000)
     on conflict do nothing`,
    [tenantId, findings],
  )
  await client.query(
    `insert into finding_counts select tenant_id, status, severity, score, count(*) from findings
     where tenant_id = $1 group by 1, 2, 3, 4`,
    [tenantId],
  )
  await client.query('vacuum (analyze) findings, vulnerabilities, finding_counts')
}
