import { describe, expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import {
  addTag,
  eventsOf,
  liveFlow,
  newAsset,
  onNewAsset,
  passTime,
  runsOf,
  startWorker,
  untilIdle,
} from '../flows.fixture.ts'
import { createFlow, getFlow, testFlow } from '../flows.ts'

const home = sharedTestApp()

describe('steps', () => {
  test('branch, wait and stop', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const flow = await liveFlow(ctx, {
      trigger: onNewAsset,
      steps: [
        {
          action: 'if',
          condition: 'event.asset_name = a',
          steps: [addTag('is a'), { action: 'wait', minutes: 5 }],
          otherwise: [addTag('is not a'), { action: 'stop' }],
        },
        addTag('later'),
      ],
    })
    const [a, b] = [await newAsset(ctx, 'a'), await newAsset(ctx, 'b')]
    await untilIdle(ctx)
    expect((await getAsset(ctx, a)).tags).toEqual(['is a'])
    expect((await getAsset(ctx, b)).tags).toEqual(['is not a'])
    expect((await runsOf(ctx, flow)).map(({ status }) => status).toSorted()).toEqual(['succeeded', 'waiting'])
    await passTime(ctx)
    await untilIdle(ctx)
    expect((await getAsset(ctx, a)).tags).toEqual(['is a', 'later'])
    expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toHaveLength(2)
  })

  test('an HTTP request is tried again with the same key, and its answer is there for later steps', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    let asked = 0
    const there = await receiver(() => (++asked === 1 ? 503 : 200))
    await liveFlow(ctx, {
      trigger: onNewAsset,
      steps: [
        {
          action: 'http_request',
          name: 'ticket',
          with: { url: there.url, body: '{"host":"{{asset.name}}"}' },
        },
        addTag('ticket {{steps.ticket.status}}'),
      ],
    })
    const asset = await newAsset(ctx, 'a')
    await untilIdle(ctx)
    await passTime(ctx)
    await untilIdle(ctx)
    expect((await getAsset(ctx, asset)).tags).toEqual(['ticket 200'])
    expect(there.requests.map(({ body }) => body.toString())).toEqual(['{"host":"a"}', '{"host":"a"}'])
    expect(new Set(there.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('what a step may not do fails the run with its place, and changes nothing', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const flow = await liveFlow(ctx, {
      trigger: onNewAsset,
      steps: [
        addTag('kept'),
        { action: 'set_field', with: { field: 'nowhere', value: 'x' } },
        addTag('never'),
      ],
    })
    const asset = await newAsset(ctx, 'a')
    await untilIdle(ctx)
    expect(await runsOf(ctx, flow)).toMatchObject([
      { status: 'failed', reason: 'steps[1]: field: there is no custom field nowhere' },
    ])
    expect((await getAsset(ctx, asset)).tags).toEqual(['kept'])
  })

  test('a flow whose runs keep failing is paused, and says why', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const steps = [{ action: 'set_field', with: { field: 'nowhere', value: 'x' } }]
    const flow = await liveFlow(ctx, { trigger: onNewAsset, steps })
    for (let n = 0; n < 10; n++) await newAsset(ctx, `host-${n}`)
    await untilIdle(ctx)
    expect(await getFlow(ctx, flow.id)).toMatchObject({
      enabled: false,
      pausedReason: '10 runs in a row failed',
    })
  })
})

test('a test run says what would happen, and nothing of it does', async () => {
  const ctx = await home().newTenant()
  const asset = await newAsset(ctx, 'print-1')
  const { id } = await createFlow(ctx, {
    name: 'f',
    definition: {
      trigger: onNewAsset,
      steps: [
        { ...addTag('new {{event.asset_name}}'), name: 'tagged' },
        { action: 'wait', minutes: 3 },
        { action: 'http_request', with: { url: 'http://127.0.0.1:9/{{steps.tagged.tags | join}}' } },
        { action: 'set_field', with: { field: 'nowhere', value: 'x' } },
        addTag('never'),
      ],
    },
  })
  expect(await testFlow(ctx, id, { assetId: asset })).toMatchObject({
    matches: true,
    steps: [
      { path: 'steps[0]', output: { tags: ['new print-1'] }, fault: null },
      { path: 'steps[1]', output: 'would wait 3 minutes' },
      { path: 'steps[2]', output: 'would POST to http://127.0.0.1:9/new print-1' },
      { path: 'steps[3]', fault: 'field: there is no custom field nowhere' },
    ],
  })
  expect((await getAsset(ctx, asset)).tags).toEqual([])
  expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toEqual([])
})
