import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { receiver, type Reply } from '#test/support/http/webhook-receiver.ts'
import { startEngine } from '../delivery/engine.ts'
import { jobs } from '../jobs.ts'
import { listReplays, replayEvents, resendDelivery, runReplay } from './replay.ts'
import * as webhooks from '../webhooks.ts'

const LONG_AGO = '2020-01-01T00:00:00.000Z'
const wanted = { name: 'ops', events: ['NEW_SOURCE'] }
const page = { limit: 1_000, offset: 0 }

async function scene(reply: () => Reply | Promise<Reply> = () => 200) {
  const home = await testApp()
  const ctx = await home.newTenant()
  const there = await receiver(reply)
  const make = async () => (await webhooks.createEndpoint(ctx, { ...wanted, url: there.url })).endpoint.id
  const records = async (endpointId?: string) =>
    (await webhooks.listDeliveries(ctx, { ...(endpointId && { endpointId }), ...page })).items
  return { home, ctx, there, make, records }
}

const emitMany = (ctx: Ctx, count: number) =>
  atomically(ctx, (ctx) =>
    emit(
      ctx,
      Array.from({ length: count }, (_, n) => ({ type: 'NEW_SOURCE', payload: { n } }) as const),
    ),
  )

function run({ runtime }: TestApp): void {
  const engine = startEngine(runtime, { schedule: () => undefined })
  const queue = startQueue(runtime, jobs)
  onTestFinished(async () => {
    await Promise.all([engine.stop(), queue.stop()])
  })
}

const auditDetails = async (ctx: Ctx, action: string) =>
  (await searchAudit(ctx, { ...page, action })).items.map(({ details }) => details)

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

describe('a delivery that is sent again', () => {
  test('is a new one of the same event, and the old stays as it was', async () => {
    const { home, ctx, there, make, records } = await scene()
    await make()
    run(home)
    await emitMany(ctx, 1)
    await until(async () => expect(await records()).toMatchObject([{ status: 'Delivered' }]))
    const [original] = await records()
    const again = await resendDelivery(ctx, original?.id ?? '')
    expect(await auditDetails(ctx, 'webhook.delivery_resent')).toMatchObject([{ name: wanted.name }])
    expect(again).toMatchObject({ status: 'Pending', eventId: original?.eventId, replayOf: original?.id })
    await until(async () => expect(await records()).toMatchObject([{ status: 'Delivered' }, {}]))
    expect(await records()).toMatchObject([{ id: again.id, replayOf: original?.id }, original ?? {}])
    const [first, second] = there.requests
    expect(second?.headers['x-service-event-id']).toBe(first?.headers['x-service-event-id'])
    expect(second?.body).toEqual(first?.body)
  })

  test('is refused while the first is Pending or Processing, and allowed when it failed', async () => {
    let answer: (reply: Reply) => void = () => {}
    const { home, ctx, there, make, records } = await scene(
      () => new Promise<Reply>((resolve) => (answer = resolve)),
    )
    await make()
    await emitMany(ctx, 1)
    const [{ id } = { id: '' }] = await records()
    await expect(resendDelivery(ctx, id)).rejects.toMatchObject({ status: 409, message: /is Pending/ })
    const engine = startEngine(home.runtime, { schedule: () => 3_600 })
    onTestFinished(() => engine.stop())
    await until(() => expect(there.requests).toHaveLength(1))
    await expect(resendDelivery(ctx, id)).rejects.toMatchObject({ status: 409, message: /is Processing/ })
    answer(500)
    await until(async () => expect(await records()).toMatchObject([{ status: 'Failed' }]))
    expect(await resendDelivery(ctx, id)).toMatchObject({ replayOf: id })
    await until(() => expect(there.requests).toHaveLength(2))
    answer(200)
    await until(async () =>
      expect(await records()).toMatchObject([{ status: 'Delivered' }, { status: 'Failed' }]),
    )
  })

  test('is refused for a disabled receiver, for an event that is gone, and for what is not there', async () => {
    const { home, ctx, make, records } = await scene()
    const endpointId = await make()
    run(home)
    await emitMany(ctx, 1)
    await until(async () => expect(await records()).toMatchObject([{ status: 'Delivered' }]))
    const [{ id } = { id: '' }] = await records()
    await webhooks.updateEndpoint(ctx, endpointId, { active: false })
    await expect(resendDelivery(ctx, id)).rejects.toThrow(/disabled/)
    await webhooks.updateEndpoint(ctx, endpointId, { active: true })
    const stranger = await home.newTenant()
    for (const [who, what] of [
      [stranger, id],
      [ctx, '999999'],
      [ctx, 'x'],
      [ctx, '9'.repeat(30)],
    ] as const) {
      await expect(resendDelivery(who, what)).rejects.toMatchObject({ status: 404 })
      await expect(webhooks.explainDelivery(who, what)).rejects.toMatchObject({ status: 404 })
    }
    await home.runtime.system.db.run(sql`delete from events`)
    await expect(resendDelivery(ctx, id)).rejects.toMatchObject({ status: 409, message: /kept no longer/ })
  })
})

describe('a replay', () => {
  test('sends what happened before the receiver existed, while it was disabled, and again what arrived', async () => {
    const { home, ctx, there, make, records } = await scene()
    await emitMany(ctx, 3)
    const endpointId = await make()
    run(home)
    await emitMany(ctx, 2)
    await until(() => expect(there.requests).toHaveLength(2))
    await webhooks.updateEndpoint(ctx, endpointId, { active: false })
    await emitMany(ctx, 4)
    await atomically(ctx, (ctx) => emit(ctx, [{ type: 'UNLINK', payload: {} }]))
    await webhooks.updateEndpoint(ctx, endpointId, { active: true })
    const replay = await replayEvents(ctx, { endpointId, since: LONG_AGO, onlyMissed: false })
    expect(await auditDetails(ctx, 'webhook.replay_ordered')).toMatchObject([{ name: wanted.name }])
    expect(replay).toMatchObject({ endpointId, deliveries: 0, finishedAt: null })
    await until(async () =>
      expect(await listReplays(ctx, endpointId)).toMatchObject([
        { deliveries: 9, finishedAt: expect.stringMatching(/Z$/) },
      ]),
    )
    await until(() => expect(there.requests).toHaveLength(11))
    expect(new Set(there.requests.map((it) => it.headers['x-service-event-id'])).size).toBe(9)
    await until(async () =>
      expect((await records()).filter((it) => it.status === 'Delivered')).toHaveLength(11),
    )
    expect((await records()).filter((it) => it.replayOf !== null)).toHaveLength(2)
  })

  test('of what was missed leaves out what was delivered, and what is under way', async () => {
    const { home, ctx, there, make } = await scene()
    const endpointId = await make()
    run(home)
    await emitMany(ctx, 5)
    await until(() => expect(there.requests).toHaveLength(5))
    await webhooks.updateEndpoint(ctx, endpointId, { active: false })
    await emitMany(ctx, 7)
    await webhooks.updateEndpoint(ctx, endpointId, { active: true })
    for (let i = 0; i < 2; i++) await replayEvents(ctx, { endpointId, since: LONG_AGO, onlyMissed: true })
    await until(async () =>
      expect((await listReplays(ctx, endpointId)).every((it) => it.finishedAt !== null)).toBe(true),
    )
    await until(() => expect(there.requests.length).toBeGreaterThanOrEqual(12))
    const walked = await listReplays(ctx, endpointId)
    expect(walked.map((it) => it.deliveries).toSorted((a, b) => a - b)).toEqual([0, 7])
    expect(there.requests).toHaveLength(12)
  })

  test('keeps to its time', async () => {
    const { ctx, make } = await scene()
    await emitMany(ctx, 1)
    const { at: between } = await ctx.db.one(sql<{ at: string }>`
      select created_at + interval '1 millisecond' as at from events`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await emitMany(ctx, 2)
    const endpointId = await make()
    const after = await replayEvents(ctx, { endpointId, since: between, onlyMissed: false })
    const before = await replayEvents(ctx, { endpointId, since: LONG_AGO, until: between, onlyMissed: false })
    for (const { id } of [after, before]) await runReplay(ctx, { replayId: id }, new AbortController().signal)
    expect(await listReplays(ctx, endpointId)).toMatchObject([
      { id: before.id, deliveries: 1, until: between },
      { id: after.id, deliveries: 2, since: between },
    ])
  })

  test('that is cut off at any step goes on where it was, and makes each delivery once', async () => {
    const { ctx, make, records } = await scene()
    await emitMany(ctx, 1_700)
    const endpointId = await make()
    const { id: replayId } = await replayEvents(ctx, { endpointId, since: LONG_AGO, onlyMissed: false })
    let steps = 0
    const failing: Ctx = {
      ...ctx,
      db: {
        ...ctx.db,
        afterCommit: () => {
          steps += 1
          throw new Error('the process ends here')
        },
      },
    }
    const { signal } = new AbortController()
    for (let i = 0; i < 3; i++)
      await expect(runReplay(failing, { replayId }, signal)).rejects.toThrow('ends here')
    await Promise.all([runReplay(ctx, { replayId }, signal), runReplay(ctx, { replayId }, signal)])
    expect(steps).toBe(3)
    expect(await listReplays(ctx, endpointId)).toMatchObject([
      { deliveries: 1_700, finishedAt: expect.stringMatching(/Z$/) },
    ])
    const { made, events } = await ctx.db.one(sql<{ made: number; events: number }>`
      select count(*) as made, count(distinct event_id) as events from webhook_deliveries`)
    expect({ made, events }).toEqual({ made: 1_700, events: 1_700 })
    expect(await records(endpointId)).toHaveLength(1_000)
  })

  test('rests while too much waits for the receiver', async () => {
    const { ctx, make } = await scene()
    const endpointId = await make()
    await emitMany(ctx, 10_000)
    const { id: replayId } = await replayEvents(ctx, { endpointId, since: LONG_AGO, onlyMissed: false })
    await runReplay(ctx, { replayId }, new AbortController().signal)
    expect(await listReplays(ctx, endpointId)).toMatchObject([{ deliveries: 0, finishedAt: null }])
    expect(await ctx.db.all(sql`select 1 from jobs where name = 'webhooks.replay'`)).toHaveLength(2)
  })

  test.each([
    [{ since: '2999-01-01T00:00:00.000Z' }, /^since: /],
    [{ since: LONG_AGO, until: LONG_AGO }, /^until: /],
  ])('%j is refused', async (time, why) => {
    const { ctx, make } = await scene()
    const endpointId = await make()
    await expect(replayEvents(ctx, { endpointId, onlyMissed: false, ...time })).rejects.toThrow(why)
  })

  test('to a disabled receiver, or another tenant’s, is refused', async () => {
    const { home, ctx, make } = await scene()
    const endpointId = await make()
    const request = { endpointId, since: LONG_AGO, onlyMissed: false }
    await expect(replayEvents(await home.newTenant(), request)).rejects.toMatchObject({ status: 404 })
    await webhooks.updateEndpoint(ctx, endpointId, { active: false })
    await expect(replayEvents(ctx, request)).rejects.toMatchObject({ status: 409 })
  })
})
