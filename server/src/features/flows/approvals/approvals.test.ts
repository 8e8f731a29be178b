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
import { cancelRun, getRun, startFlow } from '../flows.ts'
import { decideApproval, decideApprovals, listApprovals } from './approvals.ts'

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
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0 })
  const answers = items.filter(({ action }) => /^flow_approval\.(refused|expired)$/.test(action))
  expect(answers).toHaveLength(1)
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

test('a request says about which asset it is and who started the run, and is found by flow and run', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const question = { question: 'Retire {{asset.name}}?' }
  const steps = [
    { action: 'request_approval', name: 'ask', with: question },
    { action: 'wait_for_approval', request: 'ask', otherwise: [] },
  ]
  const flow = await liveFlow(ctx, { trigger: { kind: 'manual' }, steps })
  const other = await liveFlow(ctx, asking())
  const assets = [await newAsset(ctx, 'a'), await newAsset(ctx, 'b')]
  await startFlow(ctx, flow.id, { assetIds: assets })
  await untilIdle(ctx)
  const mine = await listApprovals(ctx, PAGE, { flowId: flow.id })
  expect(mine.items.map(({ assetName }) => assetName).toSorted()).toEqual(['a', 'b'])
  expect(mine.items[0]).toMatchObject({ cause: 'manual', startedByName: ctx.actor.name ?? ctx.actor.id })
  const [theirs] = (await listApprovals(ctx, PAGE, { flowId: other.id })).items
  expect(theirs).toMatchObject({ cause: 'NEW_ASSET', startedByName: null })
  const [first] = mine.items
  const ofRun = await listApprovals(ctx, PAGE, { runId: first?.runId ?? '' })
  expect(ofRun.items.map(({ id }) => id)).toEqual([first?.id])
  const ids = mine.items.map(({ id }) => id)
  const wrong = decideApprovals(ctx, [...ids, flow.id], { decision: 'approve' })
  await expect(wrong).rejects.toMatchObject({ status: 404 })
  expect(await decideApprovals(ctx, ids, { decision: 'approve', note: 'both' })).toBe(2)
  await untilIdle(ctx)
  expect((await runsOf(ctx, flow)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
})

test('a request of a run that was cancelled cannot be answered', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flow = await liveFlow(ctx, asking())
  await newAsset(ctx, 'a')
  await untilIdle(ctx)
  const [approval] = await openOf(ctx)
  await cancelRun(ctx, (await runsOf(ctx, flow))[0]?.id ?? '')
  const late = decideApproval(ctx, approval?.id ?? '', { decision: 'approve' })
  await expect(late).rejects.toMatchObject({ status: 409, message: 'the run has ended' })
  expect((await listApprovals(ctx, PAGE)).items[0]?.state).toBe('cancelled')
})
