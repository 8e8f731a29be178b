import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { notFound } from '../errors.ts'
import { enqueue, job, longJob, worker } from './job.ts'
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
    worker(refused, () => Promise.reject(notFound('thi\0ng'))),
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

test('a worker that was too busy to renew a lease does not begin the same job beside itself', async () => {
  const { room, newTenant, left } = await queueHouse()
  const ctx = await newTenant()
  const begun: string[] = []
  let end: () => void = () => {}
  const ending = new Promise<void>((resolve) => (end = resolve))
  const queue = startQueue(room, [
    worker(note, async (_, { text }) => {
      begun.push(text)
      if (text === 'long') await ending
    }),
  ])
  await enqueue(ctx, note, { text: 'long' })
  await until(() => begun.length === 1)
  await room.system.db.run(sql`update jobs set leased_until = clock_timestamp() - interval '1 second'`)
  await enqueue(ctx, note, { text: 'next' })
  await until(() => begun.includes('next'))
  end()
  await until(async () => (await left()).length === 0)
  await queue.stop()
  expect(begun).toEqual(['long', 'next'])
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

test('slots go round: a tenant whose job has ended waits behind all that were served before it', async () => {
  const { room, newTenant } = await queueHouse()
  const enqueueTwo = async () => {
    const ctx = await newTenant()
    for (const text of ['older', 'newer']) await enqueue(ctx, note, { text })
    return ctx.tenantId
  }
  // as many as there are slots
  for (let n = 0; n < 8; n += 1) await enqueueTwo()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const queue = startQueue(room, [
    worker(note, async (of) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      begun.push(of.tenantId)
      ends.push(resolve)
      await promise
    }),
  ])
  await until(() => begun.length === 8)
  const newcomer = await enqueueTwo()
  for (let ended = 0; ended < 10; ended += 1) {
    ends[ended]?.()
    await until(() => begun.length === 9 + ended)
  }
  for (const end of ends) end()
  await queue.stop()
  expect(begun[8]).toBe(newcomer)
  expect(begun.slice(9)).toEqual(begun.slice(0, 9))
})

test('work that does all that waits runs once for jobs that wait already, and again for what comes later', async () => {
  const { room, newTenant, left } = await queueHouse()
  const [ctx, other] = [await newTenant(), await newTenant()]
  const all = job<object>('test.all', 3, { doesAll: true })
  for (let n = 0; n < 20; n += 1) await enqueue(ctx, all, {})
  await enqueue(other, all, {})
  const ran: string[] = []
  const begun = Promise.withResolvers<void>()
  const later = Promise.withResolvers<void>()
  const queue = startQueue(room, [
    worker(all, async (of) => {
      ran.push(of.tenantId)
      if (of.tenantId === other.tenantId) return
      begun.resolve()
      await later.promise
    }),
  ])
  await begun.promise
  const before = ran.length
  await enqueue(ctx, all, {})
  later.resolve()
  await until(async () => (await left()).length === 0)
  await queue.stop()
  // one process takes eight jobs at once; the others were removed by whoever began first
  expect(before).toBeLessThanOrEqual(8)
  expect(ran.filter((id) => id === ctx.tenantId).length).toBeLessThan(20)
  expect(ran).toContain(other.tenantId)
})

test('the pause before another attempt has a limit of the job', async () => {
  const { room, newTenant } = await queueHouse()
  const ctx = await newTenant()
  const failing = job<object>('test.failing', 100, { retrySecondsMax: 15 })
  await enqueue(ctx, failing, {})
  await room.system.db.run(sql`update jobs set attempts = 20`)
  const queue = startQueue(room, [worker(failing, () => Promise.reject(new Error('again')))])
  const pauseOf = () =>
    room.system.db.one(sql<{ seconds: number; error: string | null }>`
      select extract(epoch from run_at - clock_timestamp())::float8 as seconds, last_error as error from jobs`)
  await until(async () => (await pauseOf()).error !== null)
  await queue.stop()
  expect((await pauseOf()).seconds).toBeLessThanOrEqual(15)
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

test('work that waits for other machines holds up no other work, and leaves room for other tenants', async () => {
  const { room, newTenant } = await queueHouse()
  const [busy, calm] = [await newTenant(), await newTenant()]
  const scan = longJob<{ text: string }>('test.scan', 3)
  const begun: string[] = []
  const queue = startQueue(room, [
    worker(scan, async (_, { text }, signal) => {
      begun.push(text)
      await sleep(60_000, undefined, { signal })
    }),
    worker(note, async (_, { text }) => void begun.push(text)),
  ])
  for (let n = 0; n < 20; n += 1) await enqueue(busy, scan, { text: 'scan of the busy' })
  await until(() => begun.length === 6)
  await enqueue(busy, note, { text: 'note of the busy' })
  await until(() => begun.includes('note of the busy'))
  await enqueue(calm, scan, { text: 'scan of the calm' })
  await until(() => begun.includes('scan of the calm'))
  await queue.stop()
  expect(begun.filter((it) => it === 'scan of the busy')).toHaveLength(6)
})
