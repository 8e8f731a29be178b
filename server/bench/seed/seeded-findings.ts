import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { IN_BULK, setIndexesAside } from './indexes-aside.ts'

/** Findings, software and records of a seeded estate, for conditions that ask about them. */

const CVES = 2_000
const PRODUCTS = 200
const VERSIONS = 10
const SOFTWARE_EACH = 40
const TEAMS = 50

const TABLES = ['findings', 'software_sets', 'asset_risks', 'asset_records'] as const

/**
 * So many findings and forty programs for each asset of the tenant, spread evenly, and records of a third of them. A tenth
 * of five findings is resolved, a tenth of the CVEs critical, one in fifty known to be exploited.
 */
export async function seedFindings(
  superuser: DatabaseAddress,
  tenantId: string,
  each: number,
): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  await client.query(IN_BULK)
  try {
    const restore = await setIndexesAside(client, TABLES)
    for (const statement of statements(each)) await client.query(statement, [tenantId])
    await restore()
    await client.query(`vacuum (freeze, analyze) ${TABLES.join(', ')}, software, vulnerabilities`)
  } finally {
    await client.end()
  }
}

const rating = `case n % 10 when 0 then 'critical' when 1 then 'high' when 2 then 'high' when 3 then 'low' else 'medium' end`
const score = `case n % 10 when 0 then 95 when 1 then 80 when 2 then 75 when 3 then 25 else 55 end`

const statements = (each: number): string[] => [
  `insert into vulnerabilities (tenant_id, cve_id, description, severity, score, is_scored, epss, kev_added_on)
   select $1, 'CVE-2025-' || (10000 + n), 'A flaw.', ${rating}, ${score}, true, (n % 100) / 100.0,
     case when n % 50 = 0 then date '2025-06-01' end
   from generate_series(0, ${CVES - 1}) n`,
  `insert into findings (tenant_id, id, asset_id, cve_id, status, severity, score, grade, confidence, software,
     fixed_version, is_present, found_at, changed_at)
   select $1, gen_random_uuid(), a.id, 'CVE-2025-' || (10000 + n), case when k = 0 and a.row % 2 = 0 then 'resolved' else 'open' end,
     ${rating}, ${score}, 'exact', 0.9, 'product-' || n % ${PRODUCTS} || ' 1.' || n % ${VERSIONS}, '', true,
     timestamptz '2025-12-31' - k * interval '30 days', timestamptz '2025-12-31'
   from (select id, row_number() over (order by id) as row from assets where tenant_id = $1) a
     cross join generate_series(0, ${each - 1}) k cross join lateral (select (a.row * 7 + k * 401) % ${CVES} as n) x`,
  `insert into software (tenant_id, digest, origin, ecosystem, name, normalized_name, version, arch, source_name,
     source_version, vendor, purl, cpe, vendor_key, product_key, installs, first_seen)
   select $1, decode(md5(p || ' ' || v), 'hex'), 'windows', '', 'Product-' || p, 'product-' || p, (v + 1) || '.' || p % 7,
     '', '', '', 'Maker', '', '', '', '', 1, now()
   from generate_series(0, ${PRODUCTS - 1}) p cross join generate_series(0, ${VERSIONS - 1}) v`,
  `with dictionary as materialized (
     select array_agg(id order by id) as ids from software where tenant_id = $1)
   insert into software_sets (tenant_id, observation_id, origin, ids, hash, reported_at)
   select $1, o.id, 'windows', array(select distinct ids[1 + (o.row * 13 + k * 51) % ${PRODUCTS * VERSIONS}]
     from generate_series(0, ${SOFTWARE_EACH - 1}) k order by 1), '', now()
   from (select id, row_number() over (order by id) as row from asset_observations where tenant_id = $1) o, dictionary`,
  `insert into asset_risks (tenant_id, asset_id, model, score, open_findings, contributions, factors, computed_at)
   select $1, asset_id, 1, 0, count(*) filter (where status = 'open'), '[]', '{}', now()
   from findings where tenant_id = $1 group by asset_id`,
  `insert into asset_records (tenant_id, asset_id, owner, normalized_owner, state, warranty_ends)
   select $1, id, 'Team ' || row % ${TEAMS}, 'team ' || row % ${TEAMS}, case when row % 12 = 0 then 'in_stock' else 'in_use' end,
     date '2026-01-01' + (row % 1000)::int
   from (select id, row_number() over (order by id) as row from assets where tenant_id = $1) a where row % 3 = 0`,
  `insert into matching_cursors (tenant_id, changes_seen, matched_at) values ($1, 0, now()) on conflict do nothing`,
]
