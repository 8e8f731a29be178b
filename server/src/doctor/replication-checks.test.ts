import { expect, test } from 'vitest'
import { databaseFacts } from '#platform/database/server-facts.ts'
import { OLDEST, systemPostgres } from '#test/support/database/system-postgres.ts'
import { needs } from '#test/support/needs.ts'
import { clock, replicas } from './replication-checks.ts'

needs('root', OLDEST)('A standby', () => {
  test(
    'is seen with the rights to, and told of when its replay is paused',
    { timeout: 180_000 },
    async () => {
      const primary = await systemPostgres()
      const seen = async () => replicas(await databaseFacts(primary.where))
      expect(await seen()).toEqual([])
      const standby = await primary.standby()
      await expect.poll(seen, { timeout: 30_000 }).toHaveLength(1)
      expect(await seen()).toMatchObject([
        { state: 'warn', message: expect.stringContaining('cannot be seen') },
      ])
      await primary.ask('grant pg_monitor to rollcall')
      await expect
        .poll(seen, { timeout: 30_000 })
        .toMatchObject([{ state: 'ok', message: expect.stringMatching(/: async, 0\.0 MB behind$/) }])
      await standby.ask('select pg_wal_replay_pause()')
      await expect
        .poll(() => standby.ask('select pg_get_wal_replay_pause_state() as state'), { timeout: 30_000 })
        .toEqual([{ state: 'paused' }])
      await primary.ask(`select pg_logical_emit_message(true, 'test', repeat('x', 20000000))`)
      expect(await seen()).toMatchObject([
        { state: 'warn', message: expect.stringMatching(/: async, 19\.\d MB behind$/) },
      ])
      await standby.ask('select pg_wal_replay_resume()')
      await expect.poll(seen, { timeout: 30_000 }).toMatchObject([{ state: 'ok' }])
    },
  )
})

test.each([
  [0, 'ok', '0.0 s from the database’s'],
  [-2_000, 'ok', '2.0 s from the database’s'],
  [2_500, 'warn', '2.5 s behind the database’s'],
  [-3_600_000, 'warn', '3600.0 s ahead of the database’s'],
])('a clock of the database that is %i ms ahead is %s', (clockAheadMs, state, message) => {
  expect(clock({ clockAheadMs })).toMatchObject({ state, message })
})
