import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'

/** What reports show of a seeded estate beside findings, software and owners: prices, links, and counts of past nights. */

/** Of a switch. */
const FAN_OUT = 24
const NIGHTS = 365

/** Purchases of each asset with a record, prices for the rest, links of a tree of switches, and a year of nights. */
export async function seedReportRecords(superuser: DatabaseAddress, tenantId: string): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement, [tenantId])
    await client.query('vacuum (analyze) asset_records, topology_links, inventory_days')
  } finally {
    await client.end()
  }
}

const statements = [
  `update asset_records set department = 'Department ' || length(owner) % 3 || substr(owner, 6, 1), price = 990.10,
     currency = 'EUR', purchased_on = warranty_ends - 1095 where tenant_id = $1`,
  `insert into replacement_prices (tenant_id, device_type, price, currency, life_months)
   select distinct $1::uuid, device_type, 1190.10, 'EUR', 48 from assets where tenant_id = $1 and device_type <> ''`,
  `insert into budget_settings (tenant_id, currency, price_rise) values ($1, 'EUR', 0.03)`,
  `with numbered as materialized (
     select a.id, a.name, row_number() over (order by a.id) - 1 as row,
       (select o.id from asset_observations o where o.tenant_id = $1 and o.asset_id = a.id limit 1) as observation
     from assets a where a.tenant_id = $1)
   insert into topology_links (tenant_id, a_asset, a_port, kind, b_text, b_asset, b_port, vlan, observation_id,
     first_seen, last_seen, derived_at)
   select $1, s.id, 'ge-0/0/' || n.row % ${FAN_OUT}, 'lldp', n.name || ' ' || n.row, n.id, 'eth0', 1 + n.row % 20,
     s.observation, now() - interval '90 days', now(), now()
   from numbered n join numbered s on s.row = (n.row - 1) / ${FAN_OUT} where n.row > 0`,
  `insert into inventory_days (tenant_id, day, dimension, value, count)
   select $1, current_date - n, 'total', '', 10000 - n from generate_series(0, ${NIGHTS - 1}) n`,
]
