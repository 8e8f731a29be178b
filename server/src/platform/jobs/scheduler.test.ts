import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import type { DatabaseAddress } from '../database/address.ts'
import type { PeriodicJob } from './job.ts'
import { startScheduler } from './scheduler.ts'

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('never came true')
    await sleep(10)
  }
}

async function room() {
  const { runtime, where } = await testApp()
  const noted = async () =>
    (await runtime.system.db.all(sql<{ name: string }>`select name from periodic_jobs`)).map((it) => it.name)
  return { room: { database: runtime.database, system: runtime.system }, noted, where }
}

test('two schedulers run a due job once, and not again before its time', async () => {
  const { room: one, noted } = await room()
  const runs: string[] = []
  const jobBy = (who: string): PeriodicJob => ({
    name: 'test.hourly',
    everySeconds: 3600,
    run: async () => void runs.push(who),
  })
  const both = [startScheduler(one, [jobBy('a')]), startScheduler(one, [jobBy('b')])]
  await until(async () => (await noted()).length === 1)
  const [leader] = runs
  await both[leader === 'a' ? 0 : 1]?.stop() // the other one leads now, and finds nothing due
  await until(async () => (await leaders(one)) === 1)
  await Promise.all(both.map((it) => it.stop()))
  expect(runs).toEqual([leader])
})

test('a job that fails is noted like any other and does not stop its neighbours', async () => {
  const { room: one, noted } = await room()
  let runs = 0
  const scheduler = startScheduler(one, [
    { name: 'test.broken', everySeconds: 3600, run: () => Promise.reject(new Error('broken')) },
    { name: 'test.often', everySeconds: 0, run: async () => void (runs += 1) },
  ])
  await until(() => runs >= 2)
  await scheduler.stop()
  expect((await noted()).toSorted()).toEqual(['test.broken', 'test.often'])
})

test('a leader whose session is killed leads again with a new one', async () => {
  const { room: one, where } = await room()
  let runs = 0
  const scheduler = startScheduler(one, [
    { name: 'test.often', everySeconds: 0, run: async () => void (runs += 1) },
  ])
  await until(() => runs >= 1)
  const before = runs
  await endLeaders(where)
  await until(() => runs > before)
  expect(await leaders(one)).toBe(1)
  await scheduler.stop()
})

async function leaders({ system }: Awaited<ReturnType<typeof room>>['room']): Promise<number> {
  const { n } = await system.db.one(sql<{ n: number }>`select count(*) as n from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
  return n
}

async function endLeaders(where: DatabaseAddress): Promise<void> {
  const client = new pg.Client(where)
  await client.connect()
  await client.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`)
  await client.end()
}
