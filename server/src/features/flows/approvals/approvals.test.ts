import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { searchAudit } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import {
  addTag,
  liveFlow,
  newAsset,
  onNewAsset,
  passTime,
  runsOf,
  startWorker,
  untilIdle,
} from '../flows.fixture.ts'
import { getRun } from '../flows.ts'
import { decideApproval, listApprovals } from './approvals.ts'

const home = sharedTestApp()
const PAGE = { limit: 10, offset: 0 }

const asking = (more: readonly object[] = []) => ({
  trigger: onNewAsset,
  steps: [
    { action: 'request_approval', name: 'ask', with: { question: 'Retire {{asset.name}}?', hours: 1 } },
    ...more,
    { action: 'wait_for_approval', request: 'ask', otherwise: [addTag('not approved')] },
    addTag('{{steps.ask.decision}}'),
  ],
})

const expireAll = (ctx: Ctx) =>
  sql`update flow_approvals set expires_at = now() - interval '1 second' where tenant_id = ${ctx.tenantId}`

const openOf = async (ctx: Ctx) => (await listApprovals(ctx, PAGE, { isOpen: true })).items

test('a run waits for the answer, which can be given once and is audited', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flow = await liveFlow(ctx, asking())
  const asset = await newAsset(ctx, 'a')
  await untilIdle(ctx)
  const [approval] = await openOf(ctx)
  expect(approval).toMatchObject({ question: 'Retire a?', state: 'open', flowId: flow.id, assetId: asset })
  expect((await runsOf(ctx, flow))[0]?.status).toBe('waiting')
  const id = approval?.id ?? ''
  expect(await decideApproval(ctx, id, { decision: 'approve', note: 'fine' })).toMatchObject({
    state: 'approved',
  })
  await expect(decideApproval(ctx, id, { decision: 'refuse' })).rejects.toMatchObject({ status: 409 })
  await untilIdle(ctx)
  expect((await getAsset(ctx, asset)).tags).toEqual(['approved'])
  expect((await runsOf(ctx, flow))[0]?.status).toBe('succeeded')
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0 })
  expect(items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['flow_approval.requested', 'flow_approval.approved']),
  )
})

test.each([
  ['is refused', (ctx: Ctx, id: string) => decideApproval(ctx, id, { decision: 'refuse' })],
  ['expires', (ctx: Ctx) => ctx.db.run(expireAll(ctx))],
])('when it %s the other steps are done, and the run ends', async (_, answer) => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flow = await liveFlow(ctx, asking())
  const asset = await newAsset(ctx, 'a')
  await untilIdle(ctx)
  await answer(ctx, (await openOf(ctx))[0]?.id ?? '')
  await passTime(ctx)
  await untilIdle(ctx)
  expect((await getAsset(ctx, asset)).tags).toEqual(['not approved'])
  expect((await runsOf(ctx, flow))[0]?.status).toBe('succeeded')
  expect(await openOf(ctx)).toEqual([])
})

test('the token answers once without a session, and stands in no log', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const there = await receiver()
  const send = { action: 'http_request', with: { url: there.url, body: '{"token":"{{steps.ask.token}}"}' } }
  const flow = await liveFlow(ctx, asking([send]))
  const asset = await newAsset(ctx, 'a')
  await untilIdle(ctx)
  const { token } = JSON.parse(there.requests[0]?.body.toString() ?? '{}') as { token: string }
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  const [run] = await runsOf(ctx, flow)
  expect(JSON.stringify(await getRun(ctx, run?.id ?? ''))).not.toContain(token)
  const answer = async (decision: string) => {
    const url = `${await home().address()}/hooks/approvals/${token}`
    const body = JSON.stringify({ decision })
    return (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } }))
      .status
  }
  expect(await answer('perhaps')).toBe(400)
  expect(await answer('approve')).toBe(200)
  expect(await answer('refuse')).toBe(404)
  await untilIdle(ctx)
  expect((await getAsset(ctx, asset)).tags).toEqual(['approved'])
})

test('who may not approve is refused', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  await liveFlow(ctx, asking())
  await newAsset(ctx, 'a')
  await untilIdle(ctx)
  const [approval] = await openOf(ctx)
  const limited: Ctx = { ...ctx, actor: { ...ctx.actor, may: (it) => it !== 'approvals:write' } }
  await expect(decideApproval(limited, approval?.id ?? '', { decision: 'approve' })).rejects.toMatchObject({
    status: 403,
  })
})
