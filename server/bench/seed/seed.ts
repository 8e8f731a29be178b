import pg from 'pg'
import { listSources, submit } from '#features/sources/sources.ts'
import { createTenant } from '#features/tenancy/tenancy.ts'
import type { Tenant } from '#features/tenancy/tenant.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import type { Runtime } from '../../src/startup/runtime.ts'
import { copyIn, type Rows } from './copy-rows.ts'
import { IN_BULK, setIndexesAside } from './indexes-aside.ts'
import { intakeRows, type Owner } from './intake-rows.ts'
import { observationOf, SOURCE } from './seeded-assets.ts'

export const TENANT_SLUG = 'bench'

/** Things whose rows go in together. */
const BLOCK = 10_000

/** Events are what happened once, not part of what there is: a seeded estate has none. */
const TABLES = ['assets', 'asset_search', 'asset_observations', 'asset_identifiers'] as const

/** Of the other tenant, which shares tables and indexes with the measured one. */
const NEIGHBOUR_SLUG = 'bench-neighbour'
const NEIGHBOUR_SHARE = 0.1

/**
 * A tenant with `size` things, beside another with a tenth of them, by bulk load: the rows that the intake would have written, in a fraction of its time.
 * Indexes that no constraint needs are set aside meanwhile and built again in the end. Needs an empty inventory.
 * With `isNeverStale` none of them is marked as stale, which a server would do with all, since they were last seen long ago.
 */
export async function seedTenant(
  runtime: Runtime,
  superuser: DatabaseAddress,
  size: number,
  { isNeverStale = false } = {},
): Promise<Tenant> {
  const tenant = await createTenant(runtime.system, { slug: TENANT_SLUG, name: 'Bench' })
  const neighbour = await createTenant(runtime.system, { slug: NEIGHBOUR_SLUG, name: 'Neighbour' })
  const estates = [
    { tenantId: tenant.id, size },
    { tenantId: neighbour.id, size: Math.ceil(size * NEIGHBOUR_SHARE) },
  ]
  const clients = await Promise.all(TABLES.map(() => connect(superuser)))
  const [first] = clients as [pg.Client]
  try {
    const restore = await setIndexesAside(first, TABLES)
    for (const { tenantId, size: things } of estates) {
      const owner = { tenantId, source: await connectSource(runtime, tenantId) }
      for await (const rows of blocks(owner, things)) {
        const asWanted = isNeverStale ? rows.map(neverStale) : rows
        await Promise.all(asWanted.map((each, at) => copyIn(clients[at] as pg.Client, each)))
      }
      await count(first, tenantId)
      if (isNeverStale)
        await first.query(
          'update assets set stale_after_days = null where tenant_id = $1 and stale_after_days is not null',
          [tenantId],
        )
    }
    await restore()
    await first.query('vacuum (freeze, analyze)')
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
  return tenant
}

async function connect(where: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client(where)
  await client.connect()
  await client.query(IN_BULK)
  return client
}

/** A source announces itself with its first observation, so thing 0 comes through the intake itself. */
async function connectSource(runtime: Runtime, tenantId: string): Promise<Owner['source']> {
  const ctx = runtime.contextFor(tenantId)
  await submit(ctx, SOURCE, [observationOf(0)])
  const [source] = await listSources(ctx)
  if (!source) throw new Error('the source did not connect')
  return source
}

/** The next block is worked out while the one before travels. */
async function* blocks(owner: Owner, size: number): AsyncGenerator<Rows[]> {
  for (let from = 1; from < size; from += BLOCK) {
    const numbers = Array.from({ length: Math.min(BLOCK, size - from) }, (_, at) => from + at)
    const rows = intakeRows(
      owner,
      numbers.map((n) => observationOf(n)),
      new Date(),
    )
    yield rows.filter(({ table }) => TABLES.some((it) => it === table))
  }
}

const neverStale = (each: Rows): Rows =>
  each.table === 'assets'
    ? { ...each, rows: each.rows.map((row) => ({ ...row, stale_after_days: null })) }
    : each

async function count(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(
    `insert into asset_counts (tenant_id, asset_type, n)
     select tenant_id, asset_type, count(*) from assets where tenant_id = $1 group by tenant_id, asset_type
     on conflict (tenant_id, asset_type) do update set n = excluded.n`,
    [tenantId],
  )
  await client.query(
    `insert into asset_observation_counts (tenant_id, source_id, n)
     select tenant_id, source_id, count(*) from asset_observations where tenant_id = $1 group by tenant_id, source_id
     on conflict (tenant_id, source_id) do update set n = excluded.n`,
    [tenantId],
  )
}
