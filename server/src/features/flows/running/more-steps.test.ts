import { describe, expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { emit } from '#features/events/events.ts'
import { createEndpoint, listDeliveries } from '#features/webhooks/webhooks.ts'
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
import { getFlow, getRun, rerunFrom, startFlow } from '../flows.ts'
import { setFlowSecret } from '../secrets/flow-secrets.ts'
import { resumeAllFlows, resumeFlows, stopAllFlows, stopFlows } from '../stops/stops.ts'

const home = sharedTestApp()
const manual = { kind: 'manual' }

describe('for_each', () => {
  test('does its steps for each item, and each of them once with a key of its own', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const there = await receiver()
    const assets = [await newAsset(ctx, 'a'), await newAsset(ctx, 'b')]
    const looping = await liveFlow(ctx, {
      trigger: { kind: 'event', eventTypes: ['COMPLIANCE_UPDATED'] },
      steps: [
        {
          action: 'for_each',
          list: 'event.asset_ids',
          steps: [
            addTag('{{asset.name}}'),
            { action: 'http_request', with: { url: there.url, body: '{"id":"{{item}}"}' } },
          ],
        },
      ],
    })
    await emit(ctx, [{ type: 'COMPLIANCE_UPDATED', payload: { asset_ids: assets } }])
    await emit(ctx, [{ type: 'COMPLIANCE_UPDATED', payload: { asset_ids: [] } }])
    await untilIdle(ctx)
    expect((await runsOf(ctx, looping)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    for (const id of assets) expect((await getAsset(ctx, id)).tags).toEqual([(await getAsset(ctx, id)).name])
    const keys = there.requests.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(2)
    const runs = await Promise.all((await runsOf(ctx, looping)).map(({ id }) => getRun(ctx, id)))
    const items = runs.flatMap(({ steps }) => steps.map(({ item }) => item))
    expect(items).toEqual(['0', '0', '1', '1'])
  })
})

describe('what goes out', () => {
  test('secrets are sent, and stand in no log', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    await setFlowSecret(ctx, 'ticket', 'a very "secret" word')
    const there = await receiver()
    const headers = { authorization: 'Bearer {{secrets.ticket}}' }
    const steps = [
      { action: 'http_request', name: 'sent', with: { url: there.url, headers, body: '{{secrets.ticket}}' } },
    ]
    const flow = await liveFlow(ctx, { trigger: manual, steps })
    await startFlow(ctx, flow.id)
    await untilIdle(ctx)
    expect(there.requests[0]?.headers['authorization']).toBe('Bearer a very "secret" word')
    const [run] = await runsOf(ctx, flow)
    const log = JSON.stringify(await getRun(ctx, run?.id ?? ''))
    expect(log).toContain('Bearer ••••••')
    expect(log).not.toContain('secret\\" word')
  })

  test('a message of ours goes to the endpoint that the step names, under one id', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const there = await receiver()
    const { endpoint } = await createEndpoint(ctx, { name: 'x', url: there.url, events: ['NEW_ASSET'] })
    const { endpoint: other } = await createEndpoint(ctx, {
      name: 'other',
      url: there.url,
      events: ['FLOW_TRIGGERED'],
    })
    const steps = [{ action: 'send_webhook', with: { endpoint: endpoint.id, message: 'hello {{run.id}}' } }]
    const flow = await liveFlow(ctx, { trigger: manual, steps })
    await startFlow(ctx, flow.id)
    await untilIdle(ctx)
    const page = { limit: 10, offset: 0 }
    const { items } = await listDeliveries(ctx, { endpointId: endpoint.id, ...page })
    const [run] = await runsOf(ctx, flow)
    expect(items).toMatchObject([
      { eventType: 'flow.message', payload: { execution_id: run?.id, message: `hello ${run?.id}` } },
    ])
    expect(items[0]?.eventId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/)
    const others = await listDeliveries(ctx, { endpointId: other.id, ...page })
    expect(others.items.map(({ eventType }) => eventType)).toEqual(['FLOW_TRIGGERED'])
  })

  test('retries are as many as the step says', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const there = await receiver(() => 503)
    const steps = [{ action: 'http_request', with: { url: there.url, retries: 1 } }]
    const flow = await liveFlow(ctx, { trigger: manual, steps })
    await startFlow(ctx, flow.id)
    await untilIdle(ctx)
    await passTime(ctx)
    await untilIdle(ctx)
    expect(there.requests).toHaveLength(2)
    expect((await runsOf(ctx, flow))[0]?.reason).toBe('steps[0]: answered with 503, 2 times')
  })
})

describe('guards', () => {
  test('one run for an asset at a time', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const asset = await newAsset(ctx, 'a')
    const waiting = { trigger: manual, concurrency: 'asset', steps: [{ action: 'wait', minutes: 5 }] }
    const flow = await liveFlow(ctx, waiting)
    for (let n = 0; n < 2; n++) {
      await startFlow(ctx, flow.id, { assetIds: [asset] })
      await untilIdle(ctx)
    }
    expect((await runsOf(ctx, flow)).map(({ status, reason }) => reason ?? status).toSorted()).toEqual([
      'concurrency: another run for the asset is under way',
      'waiting',
    ])
  })

  test('a stop skips what is asked for and ends what runs, of one tenant or of all', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const steps = [{ action: 'wait', minutes: 5 }, addTag('never')]
    const flow = await liveFlow(ctx, { trigger: manual, steps })
    await startFlow(ctx, flow.id)
    await untilIdle(ctx)
    await stopFlows(ctx, 'they misbehave')
    await expect(stopFlows(ctx, 'again')).rejects.toMatchObject({ status: 409 })
    await startFlow(ctx, flow.id)
    await passTime(ctx)
    await untilIdle(ctx)
    expect((await runsOf(ctx, flow)).map(({ status, reason }) => `${status} ${reason}`)).toEqual([
      'skipped stopped for the tenant: they misbehave',
      'cancelled stopped for the tenant: they misbehave',
    ])
    await resumeFlows(ctx)
    await stopAllFlows(home().runtime.system, 'maintenance')
    await startFlow(ctx, flow.id)
    await untilIdle(ctx)
    await resumeAllFlows(home().runtime.system)
    expect((await runsOf(ctx, flow))[0]).toMatchObject({
      status: 'skipped',
      reason: 'stopped for the installation: maintenance',
    })
    expect((await getFlow(ctx, flow.id)).enabled).toBe(true)
  })
})

test('a run that failed is repeated from a step on, as a run of its own', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  let status = 400
  const there = await receiver(() => status)
  const flow = await liveFlow(ctx, {
    trigger: onNewAsset,
    steps: [addTag('once'), { action: 'http_request', with: { url: there.url } }, addTag('then')],
  })
  const asset = await newAsset(ctx, 'a')
  await untilIdle(ctx)
  const [failed] = await runsOf(ctx, flow)
  status = 200
  await expect(rerunFrom(ctx, failed?.id ?? '', 'steps[9]')).rejects.toMatchObject({ status: 400 })
  const again = await rerunFrom(ctx, failed?.id ?? '', 'steps[1]')
  await untilIdle(ctx)
  const run = await getRun(ctx, again)
  expect(run).toMatchObject({ status: 'succeeded', rerunOf: failed?.id, assetId: asset })
  expect(run.steps.map(({ path }) => path)).toEqual(['steps[1]', 'steps[2]'])
  expect((await getAsset(ctx, asset)).tags).toEqual(['once', 'then'])
})
