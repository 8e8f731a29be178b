import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addTag, eventsOf, liveFlow, newAsset, runsOf, startWorker, untilIdle } from '../flows.fixture.ts'
import { publishFlow, setFlowEnabled, updateFlow } from '../flows.ts'
import type { Flow } from '../flow.ts'
import { getHook, rotateHook } from './hooks.ts'

const home = sharedTestApp()
const steps = [{ action: 'stop' }]

async function hooked(
  ctx: Ctx,
  trigger: object = {},
  more: object = { steps },
): Promise<{ flow: Flow; url: string; secret: string }> {
  const flow = await liveFlow(ctx, { trigger: { kind: 'webhook', ...trigger }, ...more })
  const { path, secret } = await rotateHook(ctx, flow.id)
  return { flow, url: `${await home().address()}${path}`, secret: secret ?? '' }
}

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

const answerOf = async (response: Response) => ({
  status: response.status,
  body: await response.text(),
  headers: [...response.headers.keys()].sort(),
})

test('a request starts a run with its payload, before which it has the id', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const { flow, url } = await hooked(
    ctx,
    { fields: { severity: 'text' } },
    { condition: 'event.severity = high', steps: [addTag('{{event.text}}')] },
  )
  const asset = await newAsset(ctx, 'a')
  const answer = await post(url, JSON.stringify({ severity: 'high', text: 'from outside', asset_id: asset }))
  expect(answer.status).toBe(202)
  const { run_id: runId } = (await answer.json()) as { run_id: string }
  await untilIdle(ctx)
  expect(await runsOf(ctx, flow)).toMatchObject([
    { id: runId, cause: 'webhook', status: 'succeeded', assetId: asset },
  ])
  expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toMatchObject([
    { execution_id: runId, event_type: 'webhook' },
  ])
})

test('what the condition does not let run leaves the row whose id was told', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const { flow, url } = await hooked(ctx, { fields: { n: 'number' } }, { condition: 'event.n > 5', steps })
  await post(url, 'n=3', { 'content-type': 'application/x-www-form-urlencoded' })
  await untilIdle(ctx)
  expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'skipped', reason: 'condition: it is not true' }])
})

test('unknown, off, rotated away, badly signed and too old are answered alike', async () => {
  const ctx = await home().newTenant()
  const [open, off, signed] = [
    await hooked(ctx),
    await hooked(ctx),
    await hooked(ctx, { signature: 'rollcall' }),
  ]
  await setFlowEnabled(ctx, off.flow.id, false)
  const fresh = await rotateHook(ctx, open.flow.id)
  const sign = (at: string, key: string) => ({
    'x-service-timestamp': at,
    'x-service-signature': createHmac('sha256', key).update('{}').update(at).digest('hex'),
  })
  const now = new Date().toISOString()
  const unknown = `${await home().address()}/hooks/${'0'.repeat(64)}`
  const answers = await Promise.all([
    post(unknown, '{}'),
    post(off.url, '{}'),
    post(open.url, '{}'),
    post(signed.url, '{}'),
    post(signed.url, '{}', sign(now, 'another key')),
    post(signed.url, '{}', sign(new Date(Date.now() - 360_000).toISOString(), signed.secret)),
    post(off.url, 'no json'),
    post(unknown, 'no json'),
  ])
  const [first, ...others] = await Promise.all(answers.map(answerOf))
  expect(first?.status).toBe(404)
  for (const other of others) expect(other).toEqual(first)
  expect((await post(signed.url, '{}', sign(now, signed.secret))).status).toBe(202)
  const hub = createHmac('sha256', signed.secret).update('{}').digest('hex')
  expect((await post(signed.url, '{}', { 'x-hub-signature-256': `sha256=${hub}` })).status).toBe(202)
  expect((await post(`${await home().address()}${fresh.path}`, '{}')).status).toBe(202)
  expect(await getHook(ctx, signed.flow.id)).toMatchObject({ isSigned: true })
})

test('whether requests must be signed is what the published version says, whatever the draft does', async () => {
  const ctx = await home().newTenant()
  const { flow, url } = await hooked(ctx, { signature: 'rollcall' })
  const open = { trigger: { kind: 'webhook', signature: 'none' }, steps }
  await updateFlow(ctx, flow.id, { definition: open })
  expect((await post(url, '{}')).status).toBe(404)
  const { path } = await rotateHook(ctx, flow.id)
  const rotated = `${await home().address()}${path}`
  expect((await post(rotated, '{}')).status).toBe(404)
  await publishFlow(ctx, flow.id)
  await setFlowEnabled(ctx, flow.id, true)
  expect((await post(rotated, '{}')).status).toBe(202)
  expect(await getHook(ctx, flow.id)).toMatchObject({ isSigned: false })
})

test.each(['idempotency-key', 'x-github-delivery'])(
  'a delivery that is repeated with %s runs once',
  async (header) => {
    const ctx = await home().newTenant()
    const { flow, url } = await hooked(ctx)
    const ids = []
    for (const key of ['a', 'a', 'b']) {
      const answer = await post(url, '{}', { [header]: key })
      ids.push(((await answer.json()) as { run_id: string }).run_id)
    }
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    startWorker(home())
    await untilIdle(ctx)
    expect(await runsOf(ctx, flow)).toHaveLength(2)
  },
)

test('what is too large, no JSON or too much at once is refused', async () => {
  const ctx = await home().newTenant()
  const { url } = await hooked(ctx)
  const unknown = `${await home().address()}/hooks/${'1'.repeat(64)}`
  expect((await post(url, '{')).status).toBe(400)
  const large = JSON.stringify('x'.repeat(262_144))
  expect([(await post(url, large)).status, (await post(unknown, large)).status]).toEqual([413, 413])
  expect((await fetch(url)).status).toBe(405)
  const many = await Promise.all(Array.from({ length: 60 }, () => post(url, '{}')))
  expect(many.some(({ status }) => status === 429)).toBe(true)
  expect(many.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/)
  const guessed = await Promise.all(Array.from({ length: 61 }, () => post(unknown, '{}')))
  expect(guessed.some(({ status }) => status === 429)).toBe(true)
})

test('deliveries that arrive at once with one key are one run, and a day later another', async () => {
  const ctx = await home().newTenant()
  const { flow, url } = await hooked(ctx)
  // the server reads a few bodies at once and answers 503 to the others, which a sender repeats
  const deliver = async (): Promise<readonly [number, string]> => {
    const answer = await post(url, '{}', { 'idempotency-key': 'same' })
    if (answer.status === 503) return deliver()
    return [answer.status, ((await answer.json()) as { run_id: string }).run_id] as const
  }
  const answers = await Promise.all(Array.from({ length: 8 }, deliver))
  expect([...new Set(answers.map(String))]).toEqual([`202,${answers[0]?.[1]}`])
  await ctx.db.run(sql`
    update flow_runs set created_at = now() - interval '25 hours' where tenant_id = ${ctx.tenantId}`)
  expect((await deliver())[1]).not.toBe(answers[0]?.[1])
  const rows = await ctx.db.all(sql`
    select 1 from flow_runs where tenant_id = ${ctx.tenantId} and flow_id = ${flow.id}`)
  expect(rows).toHaveLength(2)
})

test('the time of an answer does not tell an unknown token from one that is off or badly signed', async () => {
  const ctx = await home().newTenant()
  const [off, signed] = [await hooked(ctx), await hooked(ctx, { signature: 'rollcall' })]
  await setFlowEnabled(ctx, off.flow.id, false)
  const address = await home().address()
  const urls = [
    (n: number) => `${address}/hooks/${String(n).padStart(64, '0')}`,
    () => off.url,
    () => signed.url,
  ]
  const times: number[][] = urls.map(() => [])
  // one after the other, so that whatever else the machine does befalls all three
  for (let n = 0; n < 55; n++)
    for (const [kind, url] of urls.entries()) {
      const begunAt = performance.now()
      const { status } = await post(url(n), '{"a":1}')
      times[kind]?.push(performance.now() - begunAt)
      expect(status).toBe(404)
    }
  const medians = times.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0)
  expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.5)
})
