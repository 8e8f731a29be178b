import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { OLDEST_POSTGRESQL } from '../src/startup/installation.ts'
import { testApp } from './support/app/test-app.ts'
import { systemPostgres, OLDEST } from './support/database/system-postgres.ts'
import { needs } from './support/needs.ts'
import { onDatabase, rollcall } from './support/processes/rollcall-process.ts'

const LONG = { timeout: 180_000 }
const SECRET_KEY = 'a key for an old server, long enough'
const ADDRESSES = [
  '10.0.0.1',
  '10.0.0.1/8',
  '::1',
  'fe80::1%eth0',
  'printer',
  '',
  '1.2.3',
  '256.1.1.1',
  '1:2',
]
const FILLED = sql<object>`
  select current_setting('server_version_num')::int / 10000 as version, count(*) >= 20 as "hasAssets",
    count(address_order(ip_address)) > 0 as "hasOrder" from assets`
const ORDERED = sql<{ order: string | null }>`
  select address_order(it)::text as "order" from unnest(${ADDRESSES}::text[]) with ordinality t (it, n) order by n`

needs('root', OLDEST)('the oldest PostgreSQL that is supported', () => {
  test(
    `is ${OLDEST_POSTGRESQL}: assets with software go in, and addresses are ordered as by a newer one`,
    LONG,
    async () => {
      const postgres = await systemPostgres()
      const environment = onDatabase(postgres.where, SECRET_KEY)
      expect(await rollcall(['tenant', 'create', 'old'], environment)).toMatchObject({ code: 0, err: '' })
      expect(await rollcall(['demo', '--assets', '20'], environment)).toMatchObject({ code: 0, err: '' })
      const [old, newer] = [await testApp({ where: postgres.where }), await testApp()]
      const { system } = old.runtime
      expect(await system.db.one(FILLED)).toEqual({
        version: OLDEST_POSTGRESQL,
        hasAssets: true,
        hasOrder: true,
      })
      expect(await system.db.all(ORDERED)).toEqual(await newer.runtime.system.db.all(ORDERED))
    },
  )
})
