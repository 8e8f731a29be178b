import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { rulesFor } from '../src/features/advisories/advisories.ts'
import { testApp } from './support/app/test-app.ts'
import { MIGRATIONS } from '../src/startup/migrations.ts'

const MIGRATION = readFileSync(join(MIGRATIONS, '0247-advisories.sql'), 'utf8')

test('rules that were read with the capitals of a module are found by its small letters after the migration', async () => {
  const { runtime } = await testApp()
  const { system } = runtime
  const add = (ecosystem: string, name: string, key: string, fixed: string) =>
    system.db.run(sql`
      insert into advisory_rules (ecosystem, package, feed, key, advisory_id, cve_ids, is_disputed, rules)
      values (${ecosystem}, ${name}, 'osv', ${key}, ${key}, '{}', false, ${JSON.stringify([{ names: 'binary', verdict: 'affected', ranges: [{ fixed }], versions: [] }])}::json)`)
  await add('Go', 'github.com/BurntSushi/toml', 'GO-1', '1.0.0')
  await add('Go', 'github.com/Azure/x', 'GO-2', '1.0.0')
  await add('Go', 'github.com/azure/X', 'GO-2', '2.0.0')
  await add('Go', 'github.com/azure/x', 'GO-2', '3.0.0')
  await add('Go', 'golang.org/x/net', 'GO-3', '4.0.0')
  await add('Maven', 'org.Example:Lib', 'GHSA-1', '5.0.0')
  await system.db.run(sql.raw(MIGRATION))
  const keys = [
    ['Go', 'github.com/burntsushi/toml'],
    ['Go', 'github.com/azure/x'],
    ['Go', 'golang.org/x/net'],
    ['Maven', 'org.Example:Lib'],
  ].map(([ecosystem = '', name = '']) => ({ ecosystem, package: name }))
  const found = await rulesFor(system, keys)
  const fixes = new Map(
    found.map((it) => [
      it.package,
      it.rules
        .flatMap(({ ranges }) => ranges.map(({ fixed }) => fixed ?? ''))
        .sort((a, b) => (a < b ? -1 : 1)),
    ]),
  )
  expect(Object.fromEntries(fixes)).toEqual({
    'github.com/burntsushi/toml': ['1.0.0'],
    'github.com/azure/x': ['1.0.0', '2.0.0', '3.0.0'],
    'golang.org/x/net': ['4.0.0'],
    'org.Example:Lib': ['5.0.0'],
  })
  const { n } = await system.db.one(sql<{ n: number }>`select count(*)::int as n from advisory_rules`)
  expect(n).toBe(4)
})
