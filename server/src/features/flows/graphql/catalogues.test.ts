import { beforeAll, describe, expect, test } from 'vitest'
import { emit } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf, type AskField } from '#test/support/http/graphql-client.ts'
import { newAsset } from '../flows.fixture.ts'

const shared = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: AskField
beforeAll(async () => {
  ctx = await shared().newTenant()
  ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
})

const onEvent = (...eventTypes: readonly string[]) => ({ kind: 'event', eventTypes })

test('actions tell what they do, what they need and what an editor asks for', async () => {
  const actions = await ask<({ name: string; fields: { name: string }[] } & Record<string, unknown>)[]>(
    `{ flowActions { name label sentence outputs permission needsAsset isSentOut settings
      fields { name label help type isRequired isTemplate values pick min max } } }`,
  )
  const of = (name: string) => actions.find((it) => it.name === name)
  expect(of('add_tags')).toMatchObject({
    label: 'Add tags',
    outputs: ['tags'],
    permission: 'assets:write',
    needsAsset: true,
    isSentOut: false,
    settings: { type: 'object', required: ['tags'] },
    fields: [
      {
        name: 'tags',
        label: 'Tags',
        help: '',
        type: 'list',
        isRequired: true,
        isTemplate: true,
        values: [],
        pick: 'tag',
        min: null,
        max: null,
      },
    ],
  })
  expect(of('http_request')).toMatchObject({ isSentOut: true, needsAsset: false })
  expect(of('send_notice')?.fields).toMatchObject([
    { name: 'to', help: 'me, addresses of members, and names of channels', pick: 'recipient' },
    { name: 'subject', type: 'text', isRequired: true, isTemplate: true, min: null, max: 200 },
    { name: 'text', type: 'text', isRequired: false, max: 10_000 },
  ])
  const fieldOf = (action: string, name: string) => of(action)?.fields.find((it) => it.name === name)
  expect(fieldOf('create_override', 'days')).toMatchObject({
    type: 'number',
    min: 1,
    max: 3_650,
    isTemplate: false,
  })
  expect(fieldOf('create_override', 'severity')).toMatchObject({
    type: 'choice',
    values: expect.arrayContaining(['critical', 'low']),
  })
  expect(fieldOf('http_request', 'headers')).toMatchObject({ type: 'map' })
})

test('triggers tell their settings, and what can be read after them', async () => {
  const triggers = await ask<{ kind: string; settings: string[] }[]>(
    '{ flowTriggers { kind label settings } }',
  )
  expect(triggers.map(({ kind }) => kind).toSorted()).toEqual([
    'event',
    'manual',
    'query',
    'schedule',
    'webhook',
  ])
  expect(triggers.find(({ kind }) => kind === 'schedule')?.settings).toEqual(['cron', 'zone'])
  const fieldsAfter = async (trigger: object) => {
    const fields = await ask<{ name: string; type: string; isList: boolean; values: string[] }[]>(
      'query ($trigger: JSON!) { flowTriggerFields(trigger: $trigger) { name type isList values } }',
      { trigger },
    )
    return new Map(fields.map(({ name, ...it }) => [name, it]))
  }
  const plain = (type: string) => ({ type, isList: false, values: [] })
  const asObject = async (trigger: object) => Object.fromEntries(await fieldsAfter(trigger))
  const query = { kind: 'query', condition: 'has name', on: 'enter' }
  expect(await asObject({ kind: 'schedule', cron: '0 8 * * 1', zone: 'UTC' })).toEqual({
    'event.due_at': plain('instant'),
  })
  expect(await asObject({ ...query, per: 'asset' })).toEqual({
    'event.move': plain('text'),
    'event.asset_id': plain('text'),
    'event.asset_name': plain('text'),
  })
  expect(await asObject({ ...query, per: 'batch' })).toEqual({
    'event.move': plain('text'),
    'event.count': plain('number'),
  })
  for (const kind of ['manual', 'webhook'])
    expect(await asObject({ kind, fields: { urgent: 'bool', until: 'date' } })).toEqual({
      'event.urgent': plain('bool'),
      'event.until': plain('date'),
    })
  expect(await asObject({ kind: 'manual' })).toEqual({})
  const found = await fieldsAfter(onEvent('VULNERABILITY_FOUND', 'UPDATED_ASSET'))
  expect(found.get('event.severity')).toMatchObject({
    type: 'text',
    values: expect.arrayContaining(['critical']),
  })
  expect(found.get('event.confidence')).toEqual(plain('number'))
  expect(found.get('event.found_at')).toEqual(plain('instant'))
  expect(found.get('event.changed_fields')).toMatchObject({ type: 'text', isList: true })
  expect([...found.keys()]).not.toContain('event.tenant_id')
})

describe('a condition in the editor', () => {
  const completions = `query ($trigger: JSON!, $text: String!, $cursor: Int) {
    flowConditionCompletions(trigger: $trigger, text: $text, cursor: $cursor) { from to suggestions { text } } }`
  type Completion = { from: number; to: number; suggestions: { text: string }[] }
  const textsAt = async (text: string, cursor?: number) =>
    (await ask<Completion>(completions, { trigger: onEvent('NEW_ASSET'), text, cursor })).suggestions.map(
      (it) => it.text.trim(),
    )

  test('is completed by fields of the event and of the asset, and by values that assets have', async () => {
    await newAsset(ctx, 'completed-host')
    expect(await textsAt('event.asset_n')).toEqual(expect.arrayContaining(['event.asset_name']))
    expect(await textsAt('asset.hostn')).toEqual(expect.arrayContaining(['asset.hostname']))
    expect((await textsAt('asset.hostname = comp')).join()).toContain('completed-host')
    // of what stands before the cursor alone
    expect(await textsAt('event.asset_n and nonsense', 13)).toEqual(await textsAt('event.asset_n'))
    expect(await textsAt('event.asset_name = comp')).toEqual([])
  })

  test.each([
    [{ text: 'x'.repeat(10_001) }, 'text'],
    [{ text: 'ab', cursor: -1 }, 'cursor'],
    [{ text: 'ab', cursor: 3 }, 'cursor'],
    [{ text: '', trigger: { kind: 'moon' } }, 'trigger.kind'],
  ])('%.40j is refused', async (given, field) => {
    await expect(ask(completions, { trigger: onEvent('NEW_ASSET'), ...given })).rejects.toThrow(
      `invalid_request ${field}: `,
    )
  })

  test('says how many of the newest events it lets through', async () => {
    const payload = (asset_name: string) => ({ asset_id: '0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21', asset_name })
    const of = await shared().newTenant()
    const asked = fieldAsker(asker(shared().as(), headersOf(of)))
    for (const name of ['print-1', 'print-2', 'laptop'])
      await emit(of, [{ type: 'NEW_ASSET', payload: payload(name) }])
    const matches = `query ($trigger: JSON!, $condition: String!) { flowEventMatches(trigger: $trigger, condition: $condition) { events matching } }`
    const count = (condition: string, trigger: object = onEvent('NEW_ASSET')) =>
      asked(matches, { trigger, condition })
    expect(await count('event.asset_name : print')).toEqual({ events: 3, matching: 2 })
    expect(await count('')).toEqual({ events: 3, matching: 3 })
    expect(await count('event.asset_name : print', onEvent('UNLINK', 'NEW_ASSET'))).toMatchObject({
      matching: 2,
    })
    expect(await count('', { kind: 'manual' })).toBeNull()
    const past = await asked<{ type: string; payload: { asset_name: string } }[]>(
      'query ($types: [String!]!) { pastFlowEvents(types: $types) { id type occurredAt payload before } }',
      { types: ['NEW_ASSET'] },
    )
    expect(past.map((it) => it.payload.asset_name)).toEqual(['laptop', 'print-2', 'print-1'])
    expect(past[0]).toMatchObject({ type: 'NEW_ASSET', before: null })
  })
})

test('all faults of a definition are named with their places', async () => {
  const faults = (definition: object) =>
    ask('query ($of: JSON!) { flowFaults(definition: $of) { place message } }', { of: definition })
  const fine = { trigger: { kind: 'manual' }, steps: [{ action: 'stop' }] }
  expect(await faults(fine)).toEqual([])
  const bad = [{ action: 'fly' }, { action: 'stop' }, { action: 'wait', minutes: 0 }]
  expect(await faults({ ...fine, steps: bad })).toEqual([
    { place: 'steps[0].action', message: expect.stringMatching(/^must be one of if, /) },
    { place: 'steps[2].minutes', message: expect.stringMatching(/^must be /) },
  ])
  expect(await faults({})).toMatchObject([{ place: 'trigger' }])
  const many = Array.from({ length: 25 }, () => ({ action: 'fly' }))
  expect(await faults({ ...fine, steps: many })).toHaveLength(20)
})

test('the next times of a schedule are told in its zone', async () => {
  const times = await ask<{ at: string; local: string }[]>(
    '{ flowScheduleTimes(cron: "0 8 * * 1", zone: "Europe/Berlin") { at local isAfterClockChange } }',
  )
  expect(times).toHaveLength(5)
  expect(times.every(({ local }) => local.includes('08:00'))).toBe(true)
  const noReader = fieldAsker(asker(shared().as(), headersOf(ctx, ['assets:read'])))
  await expect(noReader('{ flowScheduleTimes(cron: "0 8 * * 1", zone: "UTC") { at } }')).rejects.toThrow(
    'forbidden',
  )
})
