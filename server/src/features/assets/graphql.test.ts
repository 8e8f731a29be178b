import { beforeEach, describe, expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { listSources, submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf, type Ask } from '#test/support/http/graphql-client.ts'
import { listAssets } from './assets.ts'
import { assetsOf, csv, later, observationIds, seen, sweep } from './observations.fixture.ts'

const shared = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: Ask
beforeEach(async () => {
  ctx = await shared().newTenant()
  ask = asker(shared().as(), headersOf(ctx))
})

const DAY = 86_400_000
const daysAgo = (days: number) => ({ seenAt: new Date(Date.now() - days * DAY) })

/** Data alone, or the test fails with what was refused. */
async function data<T = Record<string, never>>(query: string, variables = {}): Promise<T> {
  const result = await ask<T>(query, variables)
  expect(result.errors).toBeUndefined()
  return result.data as T
}
const refusal = async (query: string, variables = {}) => (await ask(query, variables)).errors?.[0]?.extensions

describe('looking', () => {
  const names = async (args: string) => {
    const { assets } = await data<{ assets: { total: number; items: { name: string }[] } }>(
      `{ assets(${args}) { total items { name } } }`,
    )
    return [assets.total, assets.items.map(({ name }) => name)]
  }

  beforeEach(async () => {
    await submit(ctx, csv, [
      seen(
        '1',
        { serial: 'PF0AAA11' },
        { name: 'alpha', tags: ['lab'], assetType: 'device', ...daysAgo(0.1) },
      ),
      seen('2', { serial: 'PF0BBB22' }, { name: 'beta', assetType: 'hypervisor', ...daysAgo(3) }),
      seen('3', { serial: 'PF0CCC33' }, { name: 'gamma', ...daysAgo(10) }),
    ])
    await submit(ctx, sweep, [seen('4', { serial: 'PF0DDD44' }, { name: 'delta', ...daysAgo(60) })])
  })

  test.each([
    ['first: 2', [4, ['alpha', 'beta']]],
    ['first: 2, offset: 3', [4, ['delta']]],
    ['offset: 9', [4, []]],
    ['sort: name, direction: asc', [4, ['alpha', 'beta', 'delta', 'gamma']]],
    ['sort: lastSeen, direction: asc, first: 1', [4, ['delta']]],
    ['filter: { type: hypervisor }', [1, ['beta']]],
    ['filter: { search: "f0CCc" }', [1, ['gamma']]],
    ['filter: { search: "ccc", type: hypervisor }, sort: name', [0, []]],
    ['filter: { tag: "lab" }', [1, ['alpha']]],
    ['filter: { tag: "lab", search: "aaa" }', [1, ['alpha']]],
    ['filter: { freshness: day }', [1, ['alpha']]],
    ['filter: { freshness: week }', [1, ['beta']]],
    ['filter: { freshness: month }', [1, ['gamma']]],
    ['filter: { freshness: older }', [1, ['delta']]],
    ['filter: { thisWeek: came }', [2, ['alpha', 'beta']]],
    ['filter: { thisWeek: went }', [1, ['gamma']]],
    ['filter: { thisWeek: went, freshness: week }', [0, []]],
    ['filter: { sourceId: "no source" }', [0, []]],
    ['filter: { newSince: "2999-01-01T00:00:00Z" }', [0, []]],
  ])('assets(%s)', async (args, expected) => {
    expect(await names(args)).toEqual(expected)
  })

  test('by source', async () => {
    const source = (await listSources(ctx)).find(({ kind }) => kind === 'sweep')
    expect(await names(`filter: { sourceId: "${source?.id}" }`)).toEqual([1, ['delta']])
  })

  test('in numbers', async () => {
    const { overview } = await data<{ overview: Record<string, unknown> }>(`{ overview {
      total byType { type count } bySource { kind name count } byFreshness { freshness count }
      newThisWeek goneThisWeek possibleDuplicates } }`)
    expect(overview).toEqual({
      total: 4,
      byType: [
        { type: 'device', count: 3 },
        { type: 'hypervisor', count: 1 },
      ],
      bySource: [
        { ...csv, count: 3 },
        { ...sweep, count: 1 },
      ],
      byFreshness: ['day', 'week', 'month', 'older'].map((freshness) => ({ freshness, count: 1 })),
      newThisWeek: 2,
      goneThisWeek: 1,
      possibleDuplicates: 0,
    })
  })

  test('not at more than may be asked for, nor before the first', async () => {
    for (const [args, field] of [
      ['first: 501', 'first'],
      ['first: 0', 'first'],
      ['offset: -1', 'offset'],
    ])
      expect(await refusal(`{ assets(${args}) { total } }`)).toEqual({ code: 'invalid_request', field })
  })
})

describe('one asset', () => {
  test('with all that is known of it', async () => {
    const values = { mac: '3c:2a:f4:02:34:5f', hostname: 'lap-7', ip: '192.0.2.7' }
    await submit(ctx, csv, [seen('1', values, { os: 'Linux', facts: { room: 'B-12' } })])
    await submit(ctx, sweep, [seen('2', values, { os: 'Linux 6.1' })])
    const [one] = await assetsOf(ctx)
    const field = await data<{ defineCustomField: { id: string } }>(
      'mutation { defineCustomField(name: "room", kind: text) { id } }',
    )
    await data(
      'mutation ($a: ID!, $f: ID!) { setCustomField(assetId: $a, fieldId: $f, value: "B-12") { id } }',
      {
        a: one?.id,
        f: field.defineCustomField.id,
      },
    )
    const { asset } = await data<{ asset: Record<string, unknown> }>(
      `query ($id: ID!) { asset(id: $id) {
        name os observations { source sourceKey payload identifiers { type value lastSeen } }
        attributes { attribute value offers { value source isLocked observationId } }
        links { because score reasons { group type value weight } } constraints { kind } ignoredValues { value }
        interfaces { mac addresses } customFields { value field { name kind } } } }`,
      { id: one?.id },
    )
    const ids = await observationIds(ctx)
    expect(asset).toMatchObject({
      name: 'lap-7',
      os: 'Linux 6.1',
      observations: [
        { source: 'csv list', payload: { facts: { room: 'B-12' } } },
        { source: 'sweep office' },
      ],
      links: [
        {
          because: 'evidence',
          reasons: expect.arrayContaining([{ group: 'net', type: 'mac', value: values.mac, weight: 0.85 }]),
        },
      ],
      constraints: [],
      ignoredValues: [],
      interfaces: [{ mac: values.mac, addresses: ['192.0.2.7'] }],
      customFields: [{ value: 'B-12', field: { name: 'room', kind: 'text' } }],
    })
    expect(asset['attributes']).toContainEqual({
      attribute: 'os',
      value: 'Linux 6.1',
      offers: [
        { value: 'Linux 6.1', source: 'sweep office', isLocked: false, observationId: ids['2'] },
        { value: 'Linux', source: 'csv list', isLocked: false, observationId: ids['1'] },
      ],
    })
  })

  test('that is not there', async () => {
    for (const id of ['0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21', 'x'])
      expect(await refusal('query ($id: ID!) { asset(id: $id) { id } }', { id })).toEqual({
        code: 'not_found',
      })
  })

  test('with values, tags and fields that people set', async () => {
    await submit(ctx, csv, [seen('1', { serial: 'A1' }), seen('2', { serial: 'B2' })])
    const ids = (await assetsOf(ctx)).map(({ id }) => id)
    const [id] = ids
    await data(
      `mutation ($id: ID!) { setAssetAttribute(assetId: $id, attribute: os, value: "BeOS", reason: "asked", lock: true) { id } }`,
      { id },
    )
    expect(await listAssets(ctx, { limit: 9, offset: 0 }, { search: id })).toMatchObject({
      items: [{ os: 'BeOS' }],
    })
    await data('mutation ($id: ID!) { clearAssetAttribute(assetId: $id, attribute: os) { os } }', { id })
    const tagged = await data<Record<string, { tags: string[] }[]>>(
      `mutation ($ids: [ID!]!) { addAssetTags(assetIds: $ids, tags: ["x", "y"]) { tags }
        removeAssetTags(assetIds: $ids, tags: ["x"]) { tags } setAssetTags(assetIds: $ids, tags: ["z"]) { tags } }`,
      { ids },
    )
    expect(tagged).toEqual({
      addAssetTags: [{ tags: ['x', 'y'] }, { tags: ['x', 'y'] }],
      removeAssetTags: [{ tags: ['y'] }, { tags: ['y'] }],
      setAssetTags: [{ tags: ['z'] }, { tags: ['z'] }],
    })
    expect(await data('{ assetTags { tag count } }')).toEqual({ assetTags: [{ tag: 'z', count: 2 }] })
    const { total } = await searchAudit(ctx, { limit: 1, offset: 0, action: 'asset.tagged' })
    expect(total).toBe(3)
    for (const bad of [[], Array.from({ length: 501 }, () => id)])
      expect(
        await refusal('mutation ($ids: [ID!]!) { setAssetTags(assetIds: $ids, tags: []) { id } }', {
          ids: bad,
        }),
      ).toEqual({ code: 'invalid_request', field: 'assetIds' })
    expect(await data('mutation ($id: ID!) { deleteAsset(id: $id) }', { id })).toEqual({ deleteAsset: id })
    expect((await assetsOf(ctx)).map((it) => it.id)).toEqual(ids.slice(1))
  })
})

describe('two assets', () => {
  let a: string
  let b: string
  beforeEach(async () => {
    const named = { hostname: 'web-1.corp.example' }
    await submit(ctx, csv, [seen('1', named, { name: 'one' })])
    await submit(later(ctx), csv, [seen('2', named, { name: 'two' })])
    const both = await assetsOf(ctx)
    ;[a, b] = both.map(({ id }) => id) as [string, string]
  })

  test('are asked about until someone says that they are not one', async () => {
    const query =
      '{ possibleDuplicates { total items { score assetA { name } assetB { name } reasons { type } veto } } }'
    const before = await data<{ possibleDuplicates: { total: number; items: object[] } }>(query)
    expect(before.possibleDuplicates.total).toBe(1)
    expect(before.possibleDuplicates.items).toMatchObject([
      { assetA: { name: 'one' }, assetB: { name: 'two' } },
    ])
    const forAsset = `query ($id: ID!) { possibleDuplicates(assetId: $id) { total } }`
    expect(await data(forAsset, { id: a })).toEqual({ possibleDuplicates: { total: 1 } })
    expect(await data(forAsset, { id: 'x' })).toEqual({ possibleDuplicates: { total: 0 } })
    await data('mutation ($a: ID!, $b: ID!) { keepAssetsApart(assetIdA: $a, assetIdB: $b) }', { a, b })
    expect(await data(query)).toEqual({ possibleDuplicates: { total: 0, items: [] } })
    expect(await assetsOf(ctx)).toHaveLength(2)
  })

  test('are shown as one before they are, and parted again', async () => {
    const pair = { a, b }
    const { previewMerge: shown } = await data<{ previewMerge: object }>(
      'query ($a: ID!, $b: ID!) { previewMerge(assetIdA: $a, assetIdB: $b) { id name serial } }',
      pair,
    )
    expect(await assetsOf(ctx)).toHaveLength(2)
    const { mergeAssets: done } = await data<{ mergeAssets: object }>(
      'mutation ($a: ID!, $b: ID!) { mergeAssets(assetIdA: $a, assetIdB: $b) { id name serial } }',
      pair,
    )
    expect(done).toEqual(shown)
    expect(await refusal('query ($id: ID!) { asset(id: $id) { id } }', { id: b })).toEqual({
      code: 'not_found',
      mergedInto: a,
    })
    const variables = { id: a, out: [(await observationIds(ctx))['2']] }
    const { previewUnlink: before } = await data<{ previewUnlink: object }>(
      'query ($id: ID!, $out: [ID!]!) { previewUnlink(assetId: $id, observationIds: $out) { remaining { id name } separated { id name } } }',
      variables,
    )
    expect(before).toEqual({ remaining: { id: a, name: 'one' }, separated: [{ id: b, name: 'two' }] })
    expect(await assetsOf(ctx)).toHaveLength(1)
    const after = await data(
      'mutation ($id: ID!, $out: [ID!]!) { unlinkAssetObservations(assetId: $id, observationIds: $out) { id name } }',
      variables,
    )
    expect(after).toEqual({ unlinkAssetObservations: [{ id: b, name: 'two' }] })
    expect(await assetsOf(ctx)).toHaveLength(2)
  })
})

test('a view is kept for the person alone', async () => {
  const save = 'mutation ($v: JSON!) { saveView(name: "mine", view: $v) { id view } }'
  const { saveView: first } = await data<{ saveView: { id: string } }>(save, { v: { sort: 'name' } })
  const { saveView: again } = await data<{ saveView: { id: string } }>(save, { v: { sort: 'os' } })
  expect(again).toEqual({ id: first.id, view: { sort: 'os' } })
  expect(await data('{ savedViews { id name view } }')).toEqual({
    savedViews: [{ id: first.id, name: 'mine', view: { sort: 'os' } }],
  })
  const remove = 'mutation ($id: ID!) { deleteView(id: $id) }'
  expect(await data(remove, { id: first.id })).toEqual({ deleteView: first.id })
  expect(await refusal(remove, { id: first.id })).toEqual({ code: 'not_found' })
  expect(await refusal('mutation { saveView(name: " ", view: 1) { id } }')).toEqual({
    code: 'invalid_request',
    field: 'name',
  })
  expect(await refusal(save, { v: 'x'.repeat(8_193) })).toEqual({ code: 'invalid_request', field: 'view' })
})
