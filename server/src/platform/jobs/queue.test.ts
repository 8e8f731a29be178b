import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { notFound } from '../errors.ts'
import { enqueue, job, worker } from './job.ts'
import { startQueue } from './queue.ts'

const note = job<{ text: string }>('test.note', 3)

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('never came true')
    await sleep(10)
  }
}

async function queueHouse() {
  const { runtime, newTenant } = await testApp()
  const room = { database: runtime.database, system: runtime.system, contextFor: runtime.contextFor }
  const left = () =>
    runtime.system.db.all(sql<{ attempts: number; failed_at: string | null; last_error: string | null }>`
    select attempts, failed_at, last_error from jobs`)
  return { room, newTenant, left }
}

test('a job enqueued in a transaction that fails never runs', async () => {
  const { newTenant, left } = await queueHouse()
  const ctx = await newTenant()
  await expect(
    ctx.db.transaction(async (db) => {
      await enqueue({ ...ctx, db }, note, { text: 'lost' })
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  expect(await left()).toEqual([])
})

test('a job runs once, for its tenant, and its row goes', async () => {
  const { room, newTenant, left } = await queueHouse()
  const ctx = await newTenant()
  const seen: unknown[] = []
  const queue = startQueue(room, [worker(note, async (of, { text }) => void seen.push([of.tenantId, text]))])
  await enqueue(ctx, note, { text: 'hello' })
  await until(async () => (await left()).length === 0)
  await queue.stop()
  expect(seen).toEqual([[ctx.tenantId, 'hello']])
})

test('a refusal is final; an accident is tried again until it succeeds', async () => {
  const { room, newTenant, left } = await queueHouse()
  const ctx = await newTenant()
  let tries = 0
  const refused = job<object>('test.refused')
  const queue = startQueue(room, [
    worker(refused, () => Promise.reject(notFound('thing'))),
    worker(note, async () => {
      tries += 1
      if (tries === 1) throw new Error('accident')
    }),
  ])
  await enqueue(ctx, refused, {})
  await enqueue(ctx, note, { text: 'x' })
  await until(() => tries === 2)
  await until(async () => (await left()).length === 1)
  await queue.stop()
  expect(await left()).toMatchObject([{ attempts: 1, last_error: 'Refusal: thing not found' }])
})

test('the job of a worker that died is taken over when its lease ends', async () => {
  const { room, newTenant, left } = await queueHouse()
  const ctx = await newTenant()
  await enqueue(ctx, note, { text: 'orphan' })
  await room.system.db.run(sql`update jobs set lease = gen_random_uuid(), attempts = 1,
    leased_until = clock_timestamp() + interval '300 milliseconds'`)
  const seen: string[] = []
  const queue = startQueue(room, [worker(note, async (_, { text }) => void seen.push(text))])
  await until(async () => (await left()).length === 0)
  await queue.stop()
  expect(seen).toEqual(['orphan'])
})

test('a stopping worker signals its jobs and gives them back uncounted', async () => {
  const { room, newTenant, left } = await queueHouse()
  const ctx = await newTenant()
  let isRunning = false
  const queue = startQueue(room, [
    worker(note, async (_, __, signal) => {
      isRunning = true
      await sleep(60_000, undefined, { signal })
    }),
  ])
  await enqueue(ctx, note, { text: 'long' })
  await until(() => isRunning)
  await queue.stop()
  expect(await left()).toMatchObject([{ attempts: 0, failed_at: null }])
})

test('one tenant with many jobs does not hold up another', async () => {
  const { room, newTenant } = await queueHouse()
  const [busy, calm] = [await newTenant(), await newTenant()]
  for (let n = 0; n < 50; n += 1) await enqueue(busy, note, { text: `busy ${n}` })
  await enqueue(calm, note, { text: 'calm' })
  const seen: string[] = []
  const queue = startQueue(room, [worker(note, async (_, { text }) => void seen.push(text))])
  await until(() => seen.length === 51)
  await queue.stop()
  expect(seen.indexOf('calm')).toBeLessThan(8)
})

test('work that took its workers down as often as it may be tried is given up', async () => {
  const { room, newTenant, left } = await queueHouse()
  const ctx = await newTenant()
  await enqueue(ctx, note, { text: 'deadly' })
  await room.system.db.run(
    sql`update jobs set attempts = 3, leased_until = clock_timestamp() - interval '1 s'`,
  )
  const ran: string[] = []
  const queue = startQueue(room, [worker(note, async (_, { text }) => void ran.push(text))])
  await until(async () => (await left()).some((it) => it.failed_at !== null))
  await queue.stop()
  expect(ran).toEqual([])
  expect(await left()).toMatchObject([{ last_error: 'Error: its worker died each time it was tried' }])
})
