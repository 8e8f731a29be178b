import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { compile } from '../src/platform/database/sql.ts'
import { platformTables, type Tables } from '../src/platform/database/tables.ts'
import { sharedHouse } from './house.ts'
import { catalogueRules, type CatalogueRule } from './schema/catalogue-rules.ts'

const tables: Tables = Object.assign({}, platformTables, ...features.map((it) => it.tables))
const ofTenants = Object.keys(tables).filter((name) => tables[name] === 'tenant')

const shared = sharedHouse()

/** What breaks the rule in the database as it is, or with some statements run in it, which are undone. */
async function offences(rule: CatalogueRule, change = ''): Promise<string[]> {
  const client = new pg.Client(shared().where)
  await client.connect()
  try {
    await client.query(`begin; ${change}`)
    const known = change === '' ? ofTenants : [...ofTenants, 'gadgets']
    const { text, values } = compile(rule.offences(known, tables))
    const { rows } = await client.query<{ offence: string }>({ text, values })
    return rows.map(({ offence }) => offence)
  } finally {
    await client.end()
  }
}

test('every declared table exists', async () => {
  const missing = await shared().household.system.db.all(sql`
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
