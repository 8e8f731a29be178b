import { expect, test } from 'vitest'
import { createTarget } from '#features/scans/scans.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { migrate } from '#platform/database/migrate.ts'
import { keepsSessions } from '#platform/database/pooler-check.ts'
import { MIGRATIONS } from './support/database/test-database.ts'
import { testApp } from './support/app/test-app.ts'
import { systemPostgres, OLDEST } from './support/database/system-postgres.ts'
import { needs } from './support/needs.ts'
import { pgbouncer } from './support/database/pgbouncer.ts'
import { onDatabase, rollcall } from './support/processes/rollcall-process.ts'

const LONG = { timeout: 180_000 }
const SECRET_KEY = 'a key for a database behind a pooler'
const ROUNDS = 100

const urlOf = ({ port }: DatabaseAddress): string => `postgresql://rollcall:x@127.0.0.1:${port}/rollcall`

needs(
  'root',
  OLDEST,
  'pgbouncer',
)('PgBouncer', () => {
  test(
    'in transaction mode is refused, unless the database can be reached directly as well',
    LONG,
    async () => {
      const postgres = await systemPostgres()
      const pooler = await pgbouncer(postgres, 'transaction')
      const environment = onDatabase(pooler, SECRET_KEY)
      const refused = await rollcall(['tenant', 'list'], environment)
      expect(refused.code).toBe(1)
      expect(refused.err).toMatch(
        /^DATABASE_URL leads to a pooler in transaction mode.*DIRECT_DATABASE_URL.*\n$/,
      )
      const direct = { DIRECT_DATABASE_URL: urlOf(postgres.where) }
      expect(await rollcall(['tenant', 'list'], { ...environment, ...direct })).toMatchObject({
        code: 0,
        err: '',
      })
    },
  )

  test(
    'in transaction mode: every tenant sees its own rows, whoever had the session before',
    LONG,
    async () => {
      const postgres = await systemPostgres()
      await migrate(postgres.where, MIGRATIONS)
      const pooler = await pgbouncer(postgres, 'transaction')
      expect(await keepsSessions(pooler)).toBe(false)
      expect(await keepsSessions(postgres.where)).toBe(true)
      const home = await testApp({ where: { ...pooler, direct: postgres.where, losesSessions: true } })
      const tenants = await Promise.all(
        [1, 2, 3].map(async (n) => {
          const ctx = await home.newTenant()
          const target = await createTarget(ctx, { name: `Office ${n}`, cidr: '192.0.2.0/24' })
          const api = home.as(await home.key(ctx))
          for (let i = 0; i < n; i += 1) await api.post('/scans', { type: 'sweep', target: target.id })
          return { api, n }
        }),
      )
      const counts = await Promise.all(
        tenants.flatMap(({ api, n }) =>
          Array.from({ length: ROUNDS }, async () => {
            const { status, headers } = await api.get('/scans')
            return [n, status, headers['x-total-count']].join(' ')
          }),
        ),
      )
      expect(new Set(counts)).toEqual(new Set(['1 200 1', '2 200 2', '3 200 3']))
      const heard = new Promise<void>(
        (resolve) => void home.runtime.database.onCommit('pooler', () => resolve()),
      )
      const other = await testApp({ where: { ...pooler, direct: postgres.where, losesSessions: true } })
      const cry = setInterval(() => other.runtime.system.db.afterCommit('pooler'), 50)
      await heard.finally(() => clearInterval(cry))
    },
  )

  test('in session mode needs nothing else', LONG, async () => {
    const postgres = await systemPostgres()
    const pooler = await pgbouncer(postgres, 'session')
    expect(await keepsSessions(pooler)).toBe(true)
    expect(await rollcall(['tenant', 'list'], onDatabase(pooler, SECRET_KEY))).toMatchObject({
      code: 0,
      err: '',
    })
  })
})
