import { expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf, type AskField } from '#test/support/http/graphql-client.ts'
import { addTag, liveFlow, newAsset, onNewAsset, startWorker, untilIdle } from '../flows.fixture.ts'

const shared = sharedTestApp({ contextOf: believed })

async function person(): Promise<{ ctx: Ctx; ask: AskField }> {
  const ctx = await shared().newTenant()
  return { ctx, ask: fieldAsker(asker(shared().as(), headersOf(ctx))) }
}

const manual = { kind: 'manual' }
const stop = { action: 'stop' }
const create = `mutation ($name: String!, $description: String, $definition: JSON!) {
  createFlow(name: $name, description: $description, definition: $definition) { id name description enabled pausedReason triggerKind summary definition publishedVersion lastTriggeredAt } }`
const START = `mutation ($id: ID!, $assetIds: [ID!], $where: String, $inputs: JSON) {
  startFlow(id: $id, assetIds: $assetIds, where: $where, inputs: $inputs) }`

test('a flow is made, changed, published, switched on, listed and archived', async () => {
  const { ask } = await person()
  const definition = { trigger: manual, steps: [addTag('seen')] }
  const made = await ask<{ id: string }>(create, { name: 'one', definition })
  expect(made).toMatchObject({
    name: 'one',
    description: '',
    enabled: false,
    pausedReason: null,
    triggerKind: 'manual',
    summary: 'When somebody starts it: add tags (seen).',
    definition: { trigger: manual, steps: [addTag('seen')] },
    publishedVersion: null,
    lastTriggeredAt: null,
  })
  const other = await ask<{ id: string }>(create, { name: 'two', description: 'why', definition })
  expect(other).toMatchObject({ description: 'why' })
  const { id } = made
  const update = `mutation ($id: ID!, $name: String, $description: String, $definition: JSON) {
    updateFlow(id: $id, name: $name, description: $description, definition: $definition) { name description summary } }`
  expect(await ask(update, { id, name: 'first' })).toMatchObject({ name: 'first', description: '' })
  expect(await ask(update, { id, description: 'what for' })).toMatchObject({
    name: 'first',
    description: 'what for',
  })
  expect(await ask(update, { id, definition: { trigger: manual, steps: [stop] } })).toMatchObject({
    name: 'first',
    summary: 'When somebody starts it: stop.',
  })
  expect(
    await ask('mutation ($id: ID!) { publishFlow(id: $id) { publishedVersion enabled } }', { id }),
  ).toEqual({
    publishedVersion: 1,
    enabled: false,
  })
  const enable = 'mutation ($id: ID!, $on: Boolean!) { setFlowEnabled(id: $id, enabled: $on) { enabled } }'
  for (const on of [true, false]) expect(await ask(enable, { id, on })).toEqual({ enabled: on })
  expect(
    await ask('query ($id: ID!) { flowVersions(id: $id) { n state runAs publishedAt definition } }', { id }),
  ).toMatchObject([
    { n: 1, state: 'published', publishedAt: expect.any(String), definition: { steps: [stop] } },
  ])
  const list = `query ($first: Int! = 50, $offset: Int! = 0) { flows(first: $first, offset: $offset) { total items { id } } }`
  expect(await ask(list)).toEqual({ total: 2, items: [{ id: other.id }, { id }] })
  expect(await ask(list, { first: 1, offset: 1 })).toEqual({ total: 2, items: [{ id }] })
  expect(await ask('mutation ($id: ID!) { archiveFlow(id: $id) }', { id })).toBe(id)
  await expect(ask('query ($id: ID!) { flow(id: $id) { id } }', { id })).rejects.toThrow('not_found')
  expect(await ask('query ($id: ID!) { flow(id: $id) { name } }', { id: other.id })).toEqual({ name: 'two' })
})

test('runs are started for assets, for a condition and with inputs, listed, cancelled and repeated', async () => {
  const { ctx, ask } = await person()
  startWorker(shared())
  const [a, b] = [await newAsset(ctx, 'a-host'), await newAsset(ctx, 'b-host')]
  const waiting = await liveFlow(ctx, {
    trigger: { kind: 'manual', fields: { urgent: 'bool', why: 'text', n: 'number', on: 'date' } },
    steps: [addTag('{{event.why}}'), { action: 'wait', minutes: 9 }],
  })
  const { id } = waiting
  expect(
    await ask(START, { id, assetIds: [a], inputs: { why: 'asked', urgent: true, n: 3, on: '2026-03-14' } }),
  ).toBe(1)
  expect(await ask(START, { id, where: 'name : b-', inputs: { why: 'found' } })).toBe(1)
  for (const [inputs, field] of [
    [{ colour: 'red' }, 'inputs.colour'],
    [{ why: 7 }, 'inputs.why'],
    [{ urgent: 'yes' }, 'inputs.urgent'],
    [{ n: '3' }, 'inputs.n'],
    [{ on: 'some day' }, 'inputs.on'],
    [{ why: 'x'.repeat(10_001) }, 'inputs.why'],
  ] as const)
    await expect(ask(START, { id, inputs })).rejects.toThrow(`invalid_request ${field}: `)
  await untilIdle(ctx)
  expect((await getAsset(ctx, a)).tags).toEqual(['asked'])
  expect((await getAsset(ctx, b)).tags).toEqual(['found'])
  const list = `query ($flowId: ID, $where: String, $sort: String) { flowRuns(flowId: $flowId, where: $where, sort: $sort) { total items {
    id flowId flowName version status cause assetId assetName reason rerunOf startedAt finishedAt causedBy { runId } } } }`
  type Runs = { total: number; items: { id: string; assetName: string }[] }
  const { total, items } = await ask<Runs>(list, { flowId: id, sort: 'created' })
  expect(total).toBe(2)
  const run = {
    flowId: id,
    flowName: 'flow',
    version: 1,
    status: 'waiting',
    cause: 'manual',
    reason: null,
    rerunOf: null,
    startedAt: expect.any(String),
    finishedAt: null,
    causedBy: null,
  }
  expect(items).toMatchObject([
    { ...run, assetId: a, assetName: 'a-host' },
    { ...run, assetId: b, assetName: 'b-host' },
  ])
  expect((await ask<Runs>(list, { where: 'status = failed' })).total).toBe(0)
  const runId = items[0]?.id
  const detail = `query ($id: ID!) { flowRun(id: $id) { id flowId version status cause assetId assetName reason rerunOf causedBy { runId }
    steps { path item action status ms input output fault } } }`
  expect(await ask(detail, { id: runId })).toMatchObject({
    id: runId,
    status: 'waiting',
    steps: [
      {
        path: 'steps[0]',
        item: '',
        action: 'add_tags',
        status: 'done',
        ms: expect.any(Number),
        input: { tags: ['asked'] },
        output: { tags: ['asked'] },
        fault: null,
      },
    ],
  })
  const rerun = 'mutation ($id: ID!) { rerunFlow(runId: $id, path: "steps[1]") }'
  await expect(ask(rerun, { id: runId })).rejects.toThrow('conflict')
  const cancel = 'mutation ($id: ID!) { cancelFlowRun(id: $id) { id status reason } }'
  expect(await ask(cancel, { id: runId })).toEqual({
    id: runId,
    status: 'cancelled',
    reason: 'cancelled by a person',
  })
  const again = await ask<string>(rerun, { id: runId })
  await untilIdle(ctx)
  expect(await ask(detail, { id: again })).toMatchObject({ rerunOf: runId, status: 'waiting', steps: [] })
})

test('what a run asks of people is listed and answered, one by one or many at once', async () => {
  const { ctx, ask } = await person()
  startWorker(shared())
  const flow = await liveFlow(ctx, {
    trigger: manual,
    steps: [
      { action: 'request_approval', name: 'ask', with: { question: 'Retire {{asset.name}}?', hours: 1 } },
      { action: 'wait_for_approval', request: 'ask' },
    ],
  })
  const assets = [await newAsset(ctx, 'a'), await newAsset(ctx, 'b'), await newAsset(ctx, 'c')]
  await ask(START, { id: flow.id, assetIds: assets })
  await untilIdle(ctx)
  const list = `query ($isOpen: Boolean, $flowId: ID, $runId: ID) { flowApprovals(isOpen: $isOpen, flowId: $flowId, runId: $runId) { total items {
    id runId flowId flowName assetName cause question state decidedAt note } } }`
  type Approvals = { total: number; items: { id: string; runId: string }[] }
  const open = await ask<Approvals>(list, { isOpen: true })
  expect(open.total).toBe(3)
  expect(open.items[0]).toMatchObject({
    flowId: flow.id,
    flowName: 'flow',
    cause: 'manual',
    state: 'open',
    decidedAt: null,
  })
  const [first, second, third] = open.items
  expect(await ask(list, { runId: first?.runId })).toMatchObject({ total: 1, items: [{ id: first?.id }] })
  expect(await ask(list, { flowId: flow.id })).toMatchObject({ total: 3 })
  const decide = `mutation ($id: ID!, $note: String) { decideFlowApproval(id: $id, decision: approve, note: $note) { id state note decidedAt } }`
  expect(await ask(decide, { id: first?.id, note: 'fine' })).toEqual({
    id: first?.id,
    state: 'approved',
    note: 'fine',
    decidedAt: expect.any(String),
  })
  const ids = [second?.id, third?.id]
  expect(
    await ask('mutation ($ids: [ID!]!) { decideFlowApprovals(ids: $ids, decision: refuse) }', { ids }),
  ).toBe(2)
  expect(await ask('query ($id: ID!) { flowApproval(id: $id) { state note } }', { id: second?.id })).toEqual({
    state: 'refused',
    note: '',
  })
  expect(await ask(list, { isOpen: true })).toEqual({ total: 0, items: [] })
})

test('a test run says what each step would do, also for an event that was or another definition', async () => {
  const { ctx, ask } = await person()
  const assetId = await newAsset(ctx, 'print-1')
  const { id } = await ask<{ id: string }>(create, {
    name: 'f',
    definition: { trigger: onNewAsset, condition: 'event.asset_name : print', steps: [addTag('seen')] },
  })
  const testFlow = `mutation ($id: ID!, $assetId: ID, $event: JSON, $definition: JSON) {
    testFlow(id: $id, assetId: $assetId, event: $event, definition: $definition) { matches wouldChange { total } steps { path item action input output fault } } }`
  const tagged = (tag: string) => ({
    path: 'steps[0]',
    item: '',
    action: 'add_tags',
    input: { tags: [tag] },
    output: { tags: [tag] },
    fault: null,
  })
  expect(await ask(testFlow, { id, assetId })).toEqual({
    matches: true,
    wouldChange: { total: 1 },
    steps: [tagged('seen')],
  })
  const event = { asset_id: assetId, asset_name: 'laptop' }
  expect(await ask(testFlow, { id, event })).toEqual({ matches: false, wouldChange: { total: 0 }, steps: [] })
  const definition = { trigger: onNewAsset, steps: [addTag('{{event.asset_name}}')] }
  expect(await ask(testFlow, { id, event, definition })).toMatchObject({
    matches: true,
    steps: [tagged('laptop')],
  })
  expect((await getAsset(ctx, assetId)).tags).toEqual([])
})
