import { join } from 'node:path'
import pg from 'pg'
import type { Advisory } from '#features/advisories/advisory.ts'
import { copyIn } from '../seed/copy-rows.ts'
import { readCatalogue, readLabels, type Boundary, type Catalogue } from './matching-corpus.ts'
import type { Scratch } from '../scratch-installation.ts'

/** A catalogue of records, and an estate whose software some of them are about. */
export interface MatchingEstate {
  readonly catalogue: Catalogue
  readonly distinct: number
  readonly installed: number
}

const RECORDS_AT_ONCE = 500

export async function fillEstate(
  { superuser }: Scratch,
  { folder, tenantId, distinct, each }: { folder: string; tenantId: string; distinct: number; each: number },
): Promise<MatchingEstate> {
  const file = join(folder, 'nvd/nvd-2.0-composed.json.gz')
  const catalogue = await readCatalogue('nvd', file, 'nvdcve-2.0-2024.json')
  const boundaries = readLabels<Boundary>(folder, 'matching/nvd-boundaries.jsonl.gz')
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await publish(client, catalogue.advisories)
    await addSoftware(client, tenantId, softwareOf(boundaries, distinct))
    await install(client, tenantId, each)
    await client.query('analyze')
    const { rows } = await client.query<{ n: string }>('select sum(cardinality(ids)) as n from software_sets')
    return { catalogue, distinct, installed: Number(rows[0]?.n) }
  } finally {
    await client.end()
  }
}

/** As a sync leaves the catalogue behind. */
export async function publish(client: pg.Client, advisories: readonly Advisory[]): Promise<void> {
  await client.query('update catalogue set generation = generation + 1')
  for (let at = 0; at < advisories.length; at += RECORDS_AT_ONCE) {
    const part = JSON.stringify(advisories.slice(at, at + RECORDS_AT_ONCE).map(rowOf))
    await client.query(
      `insert into advisories (feed, key, id, parts, digest, state, is_disputed, cve_ids, body)
       select 'nvd', id, id, array['bench'], '', state, false, array[id], body
       from json_to_recordset($1::json) as r(id text, state text, body json)
       on conflict (feed, key) do update set body = excluded.body`,
      [part],
    )
    await client.query(
      `insert into advisory_names (name, feed, key)
       select id, 'nvd', id from json_to_recordset($1::json) as r(id text) on conflict do nothing`,
      [part],
    )
    await client.query(
      `insert into advisory_rules (ecosystem, package, feed, key, advisory_id, cve_ids, is_disputed, rules)
       select 'cpe', p ->> 'package', 'nvd', id, id, array[id], false, (p -> 'rules')
       from json_to_recordset($1::json) as r(id text, packages json), json_array_elements(packages) p
       on conflict (ecosystem, package, feed, key) do update set rules = excluded.rules`,
      [part],
    )
    await client.query(
      `insert into catalogue_changes (generation, ecosystem, name)
       select generation, c.ecosystem, c.name from catalogue, (
         select 'cpe' as ecosystem, p ->> 'package' as name
         from json_to_recordset($1::json) as r(packages json), json_array_elements(packages) p
         union select '', id from json_to_recordset($1::json) as r(id text)) c on conflict do nothing`,
      [part],
    )
  }
}

function rowOf({ id, state, description, scores, rules }: Advisory) {
  const packages = [...Map.groupBy(rules, (rule) => rule.package)].map(([name, those]) => ({
    package: name,
    rules: those,
  }))
  return { id, state, packages, body: { description, scores, weaknesses: [], references: [] } }
}

interface Named {
  readonly vendor: string
  readonly product: string
  readonly version: string
}

/** One version of every product that the records know, and for the rest things that no record is about. */
function softwareOf(boundaries: readonly Boundary[], distinct: number): Named[] {
  const known = new Map<string, Named>()
  for (const { part, vendor, product, version } of boundaries)
    if (part === 'a' && !known.has(`${vendor} ${product}`))
      known.set(`${vendor} ${product}`, { vendor, product: product.replaceAll(/\\(.)/g, '$1'), version })
  const others = Array.from({ length: Math.max(0, distinct - known.size) }, (_, n) => ({
    vendor: `maker${n % 997}`,
    product: `tool_${n}`,
    version: `${n % 13}.${n % 31}.${n % 7}`,
  }))
  return [...known.values(), ...others].slice(0, distinct)
}

async function addSoftware(client: pg.Client, tenantId: string, software: readonly Named[]): Promise<void> {
  const now = new Date().toISOString()
  await copyIn(client, {
    table: 'software',
    rows: software.map(({ vendor, product, version }, n) => ({
      tenant_id: tenantId,
      digest: `\\x${n.toString(16).padStart(32, '0')}`,
      origin: 'windows',
      ecosystem: '',
      name: product,
      version,
      arch: '',
      source_name: '',
      source_version: '',
      vendor,
      purl: '',
      cpe: '',
      vendor_key: vendor,
      product_key: product,
      first_seen: now,
    })),
  })
}

/** `each` different ones on every observation. */
async function install(client: pg.Client, tenantId: string, each: number): Promise<void> {
  await client.query(
    `insert into software_sets (observation_id, origin, tenant_id, ids, hash, reported_at)
     select o.id, 'windows', $1, array(
       select distinct s.lowest + ((o.n * 7919 + k * 104729 + k * k * 31) % s.n)::int
       from generate_series(1, $2::int) k order by 1), '', now()
     from (select id, row_number() over (order by id) as n from asset_observations where tenant_id = $1) o,
       (select min(id) as lowest, count(*) as n from software where tenant_id = $1) s`,
    [tenantId, each],
  )
}
