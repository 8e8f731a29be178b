import { expect, test } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { commands } from './cli.ts'

function call(ctx: Ctx, path: string, id: string, options: Record<string, string> = {}) {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args: { id }, options })
}

async function made() {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const there = await receiver()
  const { json } = await call(ctx, 'webhook create', '', {
    name: 'ops',
    url: there.url,
    events: 'NEW_ASSET, UPDATED_ASSET',
  })
  return { ctx, there, json: json as { id: string; secret: string } }
}

test('create answers the endpoint and its secret, rotate another secret', async () => {
  const { ctx, there, json } = await made()
  expect(json).toEqual({
    id: expect.any(String),
    name: 'ops',
    url: there.url,
    events: ['NEW_ASSET', 'UPDATED_ASSET'],
    active: true,
    disabled_reason: null,
    headers: [],
    max_in_flight: null,
    max_rate: null,
    auto_disable_days: null,
    secret_prefix: json.secret.slice(0, 8),
    created_at: expect.any(String),
    updated_at: expect.any(String),
    secret: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const { secret: _, ...listed } = json
  expect((await call(ctx, 'webhook list', '')).json).toEqual([listed])
  const rotated = await call(ctx, 'webhook rotate', json.id)
  expect(rotated.json).toMatchObject({ id: json.id, secret: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(rotated.text).not.toContain(json.secret)
})

test('a test delivery answers how it went', async () => {
  const { ctx, json } = await made()
  const result = { success: true, status: 200, ms: expect.any(Number), error: null }
  expect((await call(ctx, 'webhook test', json.id)).json).toEqual(result)
})

test('deliveries are listed, with a filter that is understood', async () => {
  const { ctx, json } = await made()
  expect((await call(ctx, 'webhook deliveries', json.id)).json).toEqual([])
  expect((await call(ctx, 'webhook deliveries', json.id, { status: 'dead-letter' })).json).toEqual([])
  await expect(call(ctx, 'webhook deliveries', json.id, { status: 'lost' })).rejects.toThrow(/^status: /)
  await expect(call(ctx, 'webhook deliveries', json.id, { since: 'then' })).rejects.toThrow(/^since: /)
})

test('delete removes it', async () => {
  const { ctx, json } = await made()
  expect((await call(ctx, 'webhook delete', json.id)).json).toEqual({ id: json.id })
  await expect(call(ctx, 'webhook delete', json.id)).rejects.toThrow('webhook not found')
})

test('update changes what is given, and says what is wrong by its field', async () => {
  const { ctx, json } = await made()
  const update = (options: Record<string, string>) => call(ctx, 'webhook update', json.id, options)
  const changes = {
    name: 'other',
    events: 'UNLINK',
    active: 'false',
    header: 'X-Team: ops\nAuthorization: Bearer a:b',
    'max-in-flight': '3',
    'max-rate': '0.5',
    'auto-disable-days': '7',
  }
  expect((await update(changes)).json).toMatchObject({
    id: json.id,
    name: 'other',
    events: ['UNLINK'],
    active: false,
    headers: ['X-Team', 'Authorization'],
    max_in_flight: 3,
    max_rate: 0.5,
    auto_disable_days: 7,
  })
  const none = { header: '', 'max-in-flight': 'none', 'max-rate': 'none', 'auto-disable-days': 'never' }
  expect((await update(none)).json).toMatchObject({
    name: 'other',
    headers: [],
    max_in_flight: null,
    max_rate: null,
    auto_disable_days: null,
  })
  await expect(update({ active: 'yes' })).rejects.toThrow(/^active: /)
  await expect(update({ 'max-rate': 'fast' })).rejects.toThrow(/^max_rate: /)
  await expect(update({ header: 'no colon' })).rejects.toThrow(/^headers: /)
  await expect(update({ header: 'A: 1\nA: 2' })).rejects.toThrow(/^headers: A is given twice/)
  await expect(update({ url: 'http://10.0.0.1/' })).rejects.toThrow(/^url: /)
})

test('what was missed is searched, ordered again and watched; a delivery tells its attempts', async () => {
  const { ctx, json } = await made()
  const happen = () => atomically(ctx, (ctx) => emit(ctx, [{ type: 'NEW_ASSET', payload: {} }]))
  await call(ctx, 'webhook update', json.id, { active: 'false' })
  await happen()
  expect((await call(ctx, 'webhook deliveries', json.id)).json).toEqual([])
  const missed = await call(ctx, 'webhook deliveries', json.id, { status: 'not-delivered' })
  expect(missed.json).toMatchObject([
    {
      id: null,
      webhook_id: json.id,
      status: 'Not delivered',
      last_error: 'not delivered: endpoint disabled',
    },
  ])
  await call(ctx, 'webhook update', json.id, { active: 'true' })
  const since = { since: '2020-01-01' }
  const { json: replay } = await call(ctx, 'webhook replay', json.id, since)
  expect(replay).toMatchObject({ webhook_id: json.id, only_missed: false, deliveries: 0, finished_at: null })
  expect((await call(ctx, 'webhook replays', json.id)).json).toEqual([replay])
  await happen()
  const [delivery] = (await call(ctx, 'webhook deliveries', json.id, { type: 'NEW_ASSET' })).json as {
    id: string
  }[]
  const about = (path: string) =>
    commands.find((it) => it.path === path)?.run(ctx, { args: { delivery: delivery?.id ?? '' }, options: {} })
  expect((await about('webhook delivery'))?.json).toEqual({ ...delivery, log: [] })
  await expect(about('webhook resend')).rejects.toMatchObject({ status: 409 })
  await expect(call(ctx, 'webhook deliveries', json.id, { type: 'NEWS' })).rejects.toThrow(/^type: /)
})
