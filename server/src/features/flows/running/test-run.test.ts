import { beforeAll, expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addTag, eventsOf, newAsset, onNewAsset } from '../flows.fixture.ts'
import { createFlow, testFlow } from '../flows.ts'
import { setFlowSecret } from '../secrets/flow-secrets.ts'

const home = sharedTestApp()
let ctx: Ctx
let assetId = ''
beforeAll(async () => {
  ctx = await home().newTenant()
  assetId = await newAsset(ctx, 'print-1')
})

const tried = async (definition: object, input: object = {}, of = ctx) => {
  const { id } = await createFlow(ctx, { name: 'f', definition })
  const { matches, steps } = await testFlow(of, id, { assetId, ...input })
  return { matches, steps: steps.map((it) => [it.path, it.item, it.action, it.fault ?? it.output]) }
}
const tags = (...names: readonly string[]) => ({ tags: names })
const query = { kind: 'query', condition: 'has name', on: 'leave' }

test.each<[string, object, object, unknown[][]]>([
  [
    'for each item of a list, one after the other',
    { list: 'event.ids' },
    { event: { ids: ['x', 'y'] } },
    [
      ['steps[0].steps[0]', '0', 'add_tags', tags('is x')],
      ['steps[0].steps[0]', '1', 'add_tags', tags('is x', 'is y')],
      ['steps[1]', '', 'add_tags', tags('after', 'is x', 'is y')],
    ],
  ],
  [
    'for no item of an empty list',
    { list: 'event.ids' },
    { event: { ids: [] } },
    [['steps[1]', '', 'add_tags', tags('after')]],
  ],
  [
    'not on after what is no list',
    { list: 'event.ids' },
    { event: { ids: 'x' } },
    [['steps[0]', '', 'for_each', 'event.ids is no list']],
  ],
])('a test goes %s', async (_, loop, input, expected) => {
  const steps = [{ action: 'for_each', ...loop, steps: [addTag('is {{item}}')] }, addTag('after')]
  expect(await tried({ trigger: onNewAsset, steps }, input)).toEqual({ matches: true, steps: expected })
})

test('a test takes the branch that holds, and ends at a stop', async () => {
  const branches = (condition: string) => [
    { action: 'if', condition, steps: [addTag('then')], otherwise: [addTag('else'), { action: 'stop' }] },
    addTag('after'),
  ]
  const paths = async (condition: string) =>
    (await tried({ trigger: onNewAsset, steps: branches(condition) })).steps.map(([path]) => path)
  expect(await paths('asset.name : print')).toEqual(['steps[0].steps[0]', 'steps[1]'])
  expect(await paths('asset.name : laptop')).toEqual(['steps[0].otherwise[0]'])
})

test('a test goes on as if what it asks were approved', async () => {
  const steps = [
    { action: 'request_approval', name: 'ask', with: { question: 'Go on?', hours: 1 } },
    { action: 'wait_for_approval', request: 'ask', otherwise: [addTag('no')] },
    addTag('yes'),
  ]
  const { steps: done } = await tried({ trigger: onNewAsset, steps })
  expect(done.map(([path, , action]) => [path, action])).toEqual([
    ['steps[0]', 'request_approval'],
    ['steps[1]', 'wait_for_approval'],
    ['steps[2]', 'add_tags'],
  ])
  expect(done[1]?.[3]).toBe('would wait for the answer; goes on as if it were approved')
})

test.each<[string, object, object, string]>([
  ['an asset that begins to match', { ...query, per: 'asset' }, {}, 'leave  print-1'],
  ['several that do', { ...query, per: 'batch' }, {}, 'leave 1 '],
  ['several, about none', { ...query, per: 'batch' }, { assetId: null }, 'leave 0 '],
  ['a start by hand', { kind: 'manual' }, {}, '  print-1'],
  ['a start by hand about none', { kind: 'manual' }, { assetId: null }, '  '],
  ['a schedule', { kind: 'schedule', cron: '0 8 * * 1', zone: 'UTC' }, {}, '  print-1'],
  ['an event, as the catalogue has it', onNewAsset, {}, '  print-1'],
  ['an event that was', onNewAsset, { event: { asset_name: 'given' } }, '  given'],
])('a test has an example of %s', async (_, trigger, input, expected) => {
  const url = 'http://127.0.0.1:9/{{event.move}} {{event.count}} {{event.asset_name}}'
  const steps = [{ action: 'http_request', with: { url } }]
  const { steps: done } = await tried({ trigger, steps }, input)
  expect(done[0]?.[3]).toBe(`would POST to http://127.0.0.1:9/${expected}`)
})

test('a test says what would be in the way, shows no secret, and leaves nothing', async () => {
  await setFlowSecret(ctx, 'word', 'very secret')
  const url = 'http://127.0.0.1:9/{{secrets.word}}'
  const shown = await tried({ trigger: onNewAsset, steps: [{ action: 'http_request', with: { url } }] })
  expect(JSON.stringify(shown)).toContain('would POST to http://127.0.0.1:9/••••••')
  const one = { trigger: onNewAsset, steps: [addTag('x')] }
  expect(await tried(one, { assetId: null, event: {} })).toMatchObject({
    steps: [['steps[0]', '', 'add_tags', 'the run is about no asset']],
  })
  const may = (permission: string) => permission !== 'assets:write'
  expect(await tried(one, {}, { ...ctx, actor: { ...ctx.actor, may } })).toMatchObject({
    steps: [['steps[0]', '', 'add_tags', 'needs the permission assets:write']],
  })
  expect((await getAsset(ctx, assetId)).tags).toEqual([])
  expect(await eventsOf(ctx, 'UPDATED_ASSET')).toEqual([])
})

test('what stood in an event about its asset is read, also where no asset is named', async () => {
  const event = { asset_id: assetId, asset_name: 'print-1' }
  const definition = { trigger: onNewAsset, condition: 'asset.name : print', steps: [addTag('x')] }
  expect(await tried(definition, { assetId: null, event })).toMatchObject({ matches: true })
  expect(await tried({ ...definition, condition: 'asset.name : laptop' }, { assetId: null, event })).toEqual({
    matches: false,
    steps: [],
  })
  const onUpdate = { kind: 'event', eventTypes: ['UPDATED_ASSET'] }
  const changed = { trigger: onUpdate, condition: 'before.name : old', steps: [addTag('x')] }
  for (const [name, matches] of [
    ['old name', true],
    ['new name', false],
  ] as const)
    expect(await tried(changed, { event, before: { name } })).toMatchObject({ matches })
})
