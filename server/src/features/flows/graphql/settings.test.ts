import { expect, test } from 'vitest'
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

test('a flow has an address, secrets are set and removed, and all flows are stopped and resumed', async () => {
  const { ctx, ask } = await person()
  const signed = { trigger: { kind: 'webhook', signature: 'rollcall' }, steps: [stop] }
  const flow = await liveFlow(ctx, signed)
  const hook = 'query ($id: ID!) { flowHook(flowId: $id) { createdAt isSigned } }'
  expect(await ask(hook, { id: flow.id })).toBeNull()
  const rotate = 'mutation ($id: ID!) { rotateFlowHook(flowId: $id) { path secret } }'
  expect(await ask(rotate, { id: flow.id })).toEqual({
    path: expect.stringMatching(/^\/hooks\/.{20}/),
    secret: expect.stringMatching(/.{20}/),
  })
  expect(await ask(hook, { id: flow.id })).toEqual({ createdAt: expect.any(String), isSigned: true })
  const byHand = await liveFlow(ctx, { trigger: manual, steps: [stop] })
  await expect(ask(rotate, { id: byHand.id })).rejects.toThrow('conflict')

  const set =
    'mutation ($name: String!, $value: String!) { setFlowSecret(name: $name, value: $value) { name } }'
  const list = '{ flowSecrets { name updatedAt } }'
  const remove = 'mutation ($name: String!) { deleteFlowSecret(name: $name) }'
  const name = 'ticket'
  expect(await ask(set, { name, value: 'longer' })).toEqual({ name })
  await expect(ask(set, { name: 'No', value: 'longer' })).rejects.toThrow('invalid_request name: ')
  for (const value of ['short', 'x'.repeat(4_097), 'with\u0007bell'])
    await expect(ask(set, { name, value })).rejects.toThrow('invalid_request value: ')
  expect(await ask(list)).toEqual([{ name, updatedAt: expect.any(String) }])
  expect(await ask(remove, { name })).toBe(name)
  expect(await ask(list)).toEqual([])
  await expect(ask(remove, { name })).rejects.toThrow('not_found')

  const state = '{ flowStop { reason stoppedAt } }'
  expect(await ask(state)).toBeNull()
  const stopAll = 'mutation ($reason: String!) { stopFlows(reason: $reason) { reason } }'
  for (const reason of ['  ', 'x'.repeat(501)])
    await expect(ask(stopAll, { reason })).rejects.toThrow('invalid_request reason: ')
  expect(await ask(stopAll, { reason: ' they misbehave ' })).toEqual({ reason: 'they misbehave' })
  expect(await ask(state)).toMatchObject({ reason: 'they misbehave' })
  expect(await ask('mutation { resumeFlows }')).toBe(true)
  await expect(ask('mutation { resumeFlows }')).rejects.toThrow('conflict')
  expect(await ask(state)).toBeNull()
})

const create = `mutation ($name: String!, $definition: JSON!) { createFlow(name: $name, definition: $definition) { id } }`

test('a back-test tells what a flow would have run for; ready flows and files become drafts', async () => {
  const { ctx, ask } = await person()
  startWorker(shared())
  for (const name of ['a', 'b']) await newAsset(ctx, name)
  const { id: flowId } = await ask<{ id: string }>(create, {
    name: 'f',
    definition: { trigger: onNewAsset, condition: 'event.asset_name = a', steps: [addTag('x')] },
  })
  const start = `mutation ($flowId: ID, $definition: JSON, $days: Int) {
    startFlowBackTest(flowId: $flowId, definition: $definition, days: $days) { id flowId days status } }`
  const latest = 'query ($id: ID!) { latestFlowBackTest(flowId: $id) { id } }'
  expect(await ask(latest, { id: flowId })).toBeNull()
  const started = await ask<{ id: string }>(start, { flowId })
  expect(started).toMatchObject({ flowId, days: 30, status: 'running' })
  for (const days of [0, 31])
    await expect(ask(start, { flowId, days })).rejects.toThrow('invalid_request days: ')
  await expect(ask(start)).rejects.toThrow('conflict')
  const given = await ask<{ id: string }>(start, {
    definition: { trigger: onNewAsset, steps: [addTag('x')] },
    days: 1,
  })
  await untilIdle(ctx)
  const result = `query ($id: ID!) { flowBackTest(id: $id) { status total done message flowId result {
    runs assets summary note skipped { guard count } sample { assetName eventId } } } }`
  expect(await ask(result, { id: started.id })).toMatchObject({
    status: 'completed',
    total: 2,
    done: 2,
    message: '',
    result: { runs: 1, assets: 1, skipped: [], sample: [{ assetName: 'a', eventId: expect.any(String) }] },
  })
  expect(await ask(result, { id: given.id })).toMatchObject({ flowId: null, result: { runs: 2, assets: 2 } })
  expect(await ask(latest, { id: flowId })).toEqual({ id: started.id })
  const ready = await ask<{ id: string; name: string }[]>('{ readyFlows { id name description definition } }')
  const offered = ready.find(({ id }) => id === 'unclear-device')
  const made = `mutation ($id: ID!) { createReadyFlow(id: $id) { flow { name enabled } backTest { status } } }`
  expect(await ask(made, { id: 'unclear-device' })).toEqual({
    flow: { name: offered?.name, enabled: false },
    backTest: { status: 'running' },
  })
  await expect(ask(made, { id: 'no-such' })).rejects.toThrow('not_found')
  const file = await ask('query ($id: ID!) { exportFlow(id: $id) }', { id: flowId })
  expect(file).toMatchObject({ schema: 'rollcall.flow/1', name: 'f', secrets: [] })
  const imported = 'mutation ($file: JSON!) { importFlow(file: $file) { name publishedVersion } }'
  expect(await ask(imported, { file })).toEqual({ name: 'f', publishedVersion: null })
  await untilIdle(ctx)
})
