import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { receiver, type Received } from '#test/support/http/webhook-receiver.ts'
import { sendDue } from './delivery/send-due.ts'
import { jobs } from './jobs.ts'
import { createChannel, enqueueNotice, listNoticeDeliveries } from './notices.ts'

const home = sharedTestApp()
const PAGE = { limit: 200, offset: 0 }

const room = async (ctx: Ctx, url: string) =>
  (await createChannel(ctx, { name: 'room', kind: 'slack', url })).channel.id

const BEGAN = Date.now() - 1_000

/** In the order of keys, each a millisecond later. */
const tell = (ctx: Ctx, channelId: string, key: number, topic = `rule:${key}`) =>
  enqueueNotice(
    { ...ctx, now: () => new Date(BEGAN + key) },
    {
      dedupeKey: `n${key}`,
      recipients: [{ channelId }],
      topic,
      subject: `Notice ${key}`,
      text: '',
    },
  )

const textsOf = (requests: readonly Received[]) =>
  requests.map(({ body }) => (JSON.parse(String(body)) as { text: string }).text)

test('a chat room gets one message a second, however many workers send', async () => {
  const ctx = await home().newTenant()
  const there = await receiver()
  const id = await room(ctx, there.url)
  for (let n = 1; n <= 3; n++) await tell(ctx, id, n)
  const send = () => sendDue(ctx, AbortSignal.timeout(60_000))
  await Promise.all([send(), send(), send()])
  const queues = [1, 2, 3].map(() => startQueue(home().runtime, jobs))
  onTestFinished(async () => void (await Promise.all(queues.map((it) => it.stop()))))
  await vi.waitFor(() => expect(there.requests).toHaveLength(3), { timeout: 30_000 })
  expect(textsOf(there.requests)).toEqual(['Notice 1', 'Notice 2', 'Notice 3'])
  const pauses = there.requests.slice(1).map(({ at }, n) => at - (there.requests[n]?.at ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(990)
})

test('what waits under one topic is one message with the first lines', async () => {
  const ctx = await home().newTenant()
  const there = await receiver()
  const id = await room(ctx, there.url)
  for (let n = 1; n <= 37; n++) await tell(ctx, id, n, 'flow:1')
  await sendDue(ctx, AbortSignal.timeout(60_000))
  expect(textsOf(there.requests)).toEqual(['37: Notice 1'])
  const body = String(there.requests[0]?.body)
  expect(body).toContain('- Notice 1\\n- Notice 2\\n')
  expect(body).toContain('- Notice 10\\n… and 27 more')
  const { items } = await listNoticeDeliveries(ctx, PAGE)
  expect(items.filter(({ status }) => status === 'sent')).toHaveLength(37)
})

test('a room that asks to be left alone gets nothing until then', async () => {
  const ctx = await home().newTenant()
  const there = await receiver(
    () => (response) => void response.writeHead(429, { 'retry-after': '600' }).end(),
  )
  const id = await room(ctx, there.url)
  await tell(ctx, id, 1)
  await tell(ctx, id, 2)
  const at = (minutes: number): Ctx => ({ ...ctx, now: () => new Date(Date.now() + minutes * 60_000) })
  const send = async (minutes: number) => {
    await ctx.db.run(sql`update notice_channels set last_attempt_at = null where tenant_id = ${ctx.tenantId}`)
    await sendDue(at(minutes), AbortSignal.timeout(60_000))
    return there.requests.length
  }
  expect(await send(0)).toBe(1)
  expect(await send(9)).toBe(1)
  expect(await send(11)).toBe(2)
})
