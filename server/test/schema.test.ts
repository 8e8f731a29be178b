import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { compile } from '../src/platform/database/sql.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { catalogueRules, type CatalogueRule } from './schema/catalogue-rules.ts'
import { exceptions } from './schema/exceptions.ts'
import { offencesOf, statementRules } from './schema/statement-rules.ts'
import { tables, tablesOfTenants } from './schema/tables.ts'

const shared = sharedTestApp()

/** What breaks the rule in the database as it is, or with some statements run in it, which are undone. */
async function offences(rule: CatalogueRule, change = ''): Promise<string[]> {
  const client = new pg.Client(shared().where)
  await client.connect()
  try {
    await client.query(`begin; ${change}`)
    const known = change === '' ? tablesOfTenants : [...tablesOfTenants, 'gadgets']
    const { text, values } = compile(rule.offences(known, tables))
    const { rows } = await client.query<{ offence: string }>({ text, values })
    return rows.map(({ offence }) => offence)
  } finally {
    await client.end()
  }
}

test('every declared table exists', async () => {
  const missing = await shared().runtime.system.db.all(sql`
    select name from unnest(${Object.keys(tables)}::text[]) as name where to_regclass(name) is null`)
  expect(missing).toEqual([])
})

describe.each(catalogueRules)('$name', (rule) => {
  test('holds', async () => {
    expect(await offences(rule)).toEqual([])
  })

  test('fails when it is broken', async () => {
    expect(await offences(rule, rule.offence)).not.toEqual([])
  })
})

// That they hold is seen by statement-guard.ts, in whatever test a statement is sent.
describe.each(statementRules)('a statement that uses tables of tenants $name', (rule) => {
  const schema = { tables, readers: new Set(['search_assets']) }

  test('fails when it is broken', () => {
    expect(offencesOf(rule.offence, schema)).toEqual([expect.stringContaining(`${rule.name}: `)])
  })
})

test.each([
  'select id from assets where tenant_id = $1',
  'select a.id from assets a, findings f where a.tenant_id = $1 and f.tenant_id = $1 and f.asset_id = a.id',
  `with mine as (select id from assets where tenant_id = $1 union all select id from findings where tenant_id = $1)
    select count(*) from mine m join unnest($2::uuid[]) as wanted(id) using (id)`,
  `insert into asset_counts as c (tenant_id, asset_type, n) select $1, it, 1 from unnest($2::text[]) as it
    on conflict (tenant_id, asset_type) do update set n = c.n + excluded.n`,
  `update assets a set name = r.name from json_to_recordset($2) as r(id uuid, name text)
    where a.tenant_id = $1 and a.id = r.id and a.name is distinct from r.name`,
  'select id, extract(epoch from last_seen) from assets where tenant_id = $1 order by id for update of assets',
  'select id, total from search_assets($1, null, 50, 0)',
  'select id from assets where tenant_id = $1 and (name = $2 or name = $3)',
  `select id, case when name = $2 or name = $3 then 1 end from assets where tenant_id = $1
    and case when name = $2 or name = $3 then true end order by name = $2 or name = $3`,
  `select a.id from assets a left join findings f on f.tenant_id = $1 and f.asset_id = a.id
    left join lateral (select true) x on f.id is null or a.id is null where a.tenant_id = $1`,
  "select 'from assets' as text, run_at from jobs -- from findings",
])('%s breaks no rule', (statement) => {
  expect(offencesOf(statement, { tables, readers: new Set(['search_assets']) })).toEqual([])
})

test.each([
  'select a.id from assets a, findings f where a.tenant_id = $1 and f.asset_id = a.id',
  'select id from assets where tenant_id = $1 union all select id from findings',
  'select count(*) from assets a where a.tenant_id = $1 and exists (select from findings f where f.asset_id = a.id)',
  'select count(*) from (select id from assets) a',
  'update assets set name = $2 where id = $1',
  'delete from assets using unnest($1::uuid[]) as gone(id) where assets.id = gone.id',
  'select a.id from assets a where a.tenant_id = a.tenant_id',
  'update assets set name = $2 where tenant_id = $1 or id = $3',
  'delete from assets where id = $2 or name = $3 and tenant_id = $1',
  'select a.id from assets a join findings f on f.tenant_id = $1 or f.asset_id = a.id where a.tenant_id = $1',
  'select id from assets where tenant_id <> $1',
])('%s does not name its tenant', (statement) => {
  expect(offencesOf(statement, { tables, readers: new Set() })).toHaveLength(1)
})

test('exceptions are few, and of functions that are there', () => {
  expect(Object.keys(exceptions).length).toBeLessThanOrEqual(15)
  for (const sender of Object.keys(exceptions)) {
    const [path = '', name = ''] = sender.split(' ')
    expect(readFileSync(join(import.meta.dirname, '../src', path), 'utf8')).toMatch(
      new RegExp(`function ${name}[<(]|const ${name} = `),
    )
  }
})
