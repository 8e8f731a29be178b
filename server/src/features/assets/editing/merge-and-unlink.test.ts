import { describe, expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { getAsset, listCandidates } from '../assets.ts'
import { mergeAssets, unlinkObservations } from './merge-and-unlink.ts'
import { suggestMerge } from './suggest-merge.ts'
import { defineCustomField } from './custom-fields.ts'
import { clearCustomField, customValuesOf, setCustomField } from './custom-values.ts'
import { setAttribute } from './attribute-edits.ts'
import { explainAsset } from '../details/explain-asset.ts'
import {
  agent,
  assetsOf,
  csv,
  eventsOf,
  later,
  observationIds,
  seen,
  sweep,
} from '../observations.fixture.ts'
import { addTags } from './tags.ts'

const PAGE = { limit: 50, offset: 0 }
const tenant = async () => (await testApp()).newTenant()

/** Two assets, the first the older. */
async function twoAssets(ctx: Ctx): Promise<[string, string]> {
  await submit(ctx, csv, [seen('1', { serial: 'PF0ABC12' }, { name: 'one', tags: ['a'] })])
  await submit(later(ctx), sweep, [seen('2', { serial: 'PF0XYZ99' }, { name: 'two', tags: ['b'] })])
  const [one, two] = await assetsOf(ctx)
  return [one?.id ?? '', two?.id ?? '']
}

const merge = (ctx: Ctx, assetIdA: string, assetIdB: string) =>
  mergeAssets(ctx, { assetIdA, assetIdB, reason: 'same box' })

describe('merging', () => {
  test('makes two assets one: the older survives with what both had', async () => {
    const ctx = await tenant()
    const [one, two] = await twoAssets(ctx)
    const field = await defineCustomField(ctx, { name: 'room', kind: 'text' })
    await setCustomField(ctx, { assetId: two, fieldId: field.id, value: 'B-12' })
    await addTags(ctx, { assetIds: [two], tags: ['mine'] })
    await setAttribute(ctx, { assetId: two, attribute: 'model', value: 'T14', reason: '' })
    const survivor = await merge(ctx, two, one)
    expect(survivor).toMatchObject({ id: one, name: 'two', tags: ['a', 'b', 'mine'], model: 'T14' })
    expect(await customValuesOf(ctx, one)).toMatchObject([{ name: 'room', value: 'B-12' }])
    expect((await eventsOf(ctx)).slice(-2)).toEqual([
      expect.objectContaining({
        type: 'UPDATED_ASSET',
        asset_id: one,
        changed_fields: ['confidence', 'merged'],
      }),
      expect.objectContaining({ type: 'DELETED_ASSET', asset_id: two, asset_name: 'two', reason: 'merged' }),
    ])
    await expect(getAsset(ctx, two)).rejects.toMatchObject({
      status: 404,
      extras: { headers: { 'x-merged-into': one } },
    })
    const [entry] = (await searchAudit(ctx, PAGE)).items
    expect(entry).toMatchObject({
      action: 'asset.merged',
      subject: { id: one },
      details: { reason: 'same box' },
    })
  })

  test('holds for what either is seen as later, and for a third asset', async () => {
    const ctx = await tenant()
    const [one, two] = await twoAssets(ctx)
    await merge(ctx, one, two)
    await submit(ctx, agent, [seen('a', { serial: 'PF0ABC12' }), seen('b', { serial: 'PF0XYZ99' })])
    expect(await assetsOf(ctx)).toMatchObject([{ id: one, keys: ['1', '2', 'a', 'b'] }])
    await submit(later(ctx), csv, [seen('3', { serial: 'PF0QRS55' })])
    const third = (await assetsOf(ctx)).find(({ keys }) => keys.includes('3'))?.id ?? ''
    await merge(ctx, third, one)
    await expect(getAsset(ctx, two)).rejects.toMatchObject({ extras: { headers: { 'x-merged-into': one } } })
    expect(await assetsOf(ctx)).toHaveLength(1)
  })

  test('needs two assets of the tenant and a reason that can be kept', async () => {
    const ctx = await tenant()
    const [one, two] = await twoAssets(ctx)
    for (const same of [one, one.toUpperCase()]) {
      await expect(merge(ctx, one, same)).rejects.toMatchObject({ status: 400 })
      const pair = { assetIdA: same, assetIdB: one, reason: '' }
      await expect(suggestMerge(ctx, pair)).rejects.toMatchObject({ status: 400 })
    }
    await expect(merge(ctx, one, '0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21')).rejects.toMatchObject({
      status: 404,
    })
    await expect(merge(ctx, one, 'none')).rejects.toMatchObject({ status: 404 })
    await expect(mergeAssets(ctx, { assetIdA: one, assetIdB: two, reason: '\0' })).rejects.toMatchObject({
      status: 400,
    })
    expect(await assetsOf(ctx)).toHaveLength(2)
  })
})

describe('unlinking', () => {
  test('undoes a merge, gives back the id, and keeps it undone', async () => {
    const ctx = await tenant()
    const [one, two] = await twoAssets(ctx)
    await merge(ctx, one, two)
    const ids = await observationIds(ctx)
    const unlink = { assetId: one, observationIds: [ids['2'] ?? ''], reason: 'two boxes' }
    expect(await unlinkObservations(ctx, unlink)).toMatchObject([{ id: two, name: 'two' }])
    expect((await eventsOf(ctx)).at(-1)).toMatchObject({
      type: 'UNLINK',
      asset_id_a: one,
      asset_id_b: two,
      reason: 'two boxes',
      unlinked_at: expect.stringMatching(/Z$/),
    })
    const both = { mac: '3c:2a:f4:02:34:5f', hostname: 'x.corp.example' }
    await submit(ctx, csv, [seen('1', both, { minute: 1, name: 'one' })])
    await submit(ctx, sweep, [seen('2', both, { minute: 1, name: 'two' })])
    expect(await assetsOf(ctx)).toMatchObject([
      { id: one, keys: ['1'] },
      { id: two, keys: ['2'] },
    ])
    expect(await listCandidates(ctx, PAGE)).toEqual({ items: [], total: 0 })
  })

  test('clusters what leaves anew, one event for each asset, and keeps together what stays', async () => {
    const ctx = await tenant()
    const hub = {
      mac: ['3c:2a:f4:02:34:51', '3c:2a:f4:02:34:52', '3c:2a:f4:02:34:53'],
      hostname: 'r1.example',
    }
    const port = (n: number) => ({ mac: `3c:2a:f4:02:34:5${n}`, hostname: 'r1.example' })
    await submit(ctx, sweep, [seen('1', port(1)), seen('2', port(2)), seen('3', port(3)), seen('hub', hub)])
    const [asset] = await assetsOf(ctx)
    const ids = await observationIds(ctx)
    const leaving = [ids['hub'] ?? '', ids['1'] ?? '']
    const made = await unlinkObservations(ctx, {
      assetId: asset?.id ?? '',
      observationIds: leaving,
      reason: '',
    })
    expect(made).toHaveLength(1)
    expect((await assetsOf(ctx)).map(({ keys }) => keys.join(' ')).toSorted()).toEqual(['1 hub', '2 3'])
    expect((await assetsOf(ctx)).find(({ keys }) => keys.includes('2'))?.id).toBe(asset?.id)
    expect((await eventsOf(ctx)).filter(({ type }) => type === 'UNLINK')).toHaveLength(1)
    expect((await eventsOf(ctx)).filter(({ type }) => type === 'NEW_ASSET')).toHaveLength(1)
  })

  test.each([
    ['none', () => []],
    ['all', (ids: Record<string, string>) => Object.values(ids)],
    ['a foreign one', () => ['0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21']],
    ['no id', () => ['x']],
  ] as const)('%s is refused', async (...[, choose]) => {
    const ctx = await tenant()
    const [one, two] = await twoAssets(ctx)
    await merge(ctx, one, two)
    const observationIdsGiven = choose(await observationIds(ctx))
    const unlinking = unlinkObservations(ctx, {
      assetId: one,
      observationIds: observationIdsGiven,
      reason: '',
    })
    await expect(unlinking).rejects.toMatchObject({ status: 400, extras: { field: 'observationIds' } })
    expect(await assetsOf(ctx)).toHaveLength(1)
  })

  test('can be taken back by a merge', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [seen('1', { serial: 'PF0ABC12' }), seen('2', { serial: 'PF0ABC12' })])
    const [asset] = await assetsOf(ctx)
    const ids = await observationIds(ctx)
    await unlinkObservations(ctx, { assetId: asset?.id ?? '', observationIds: [ids['2'] ?? ''], reason: '' })
    const [one, two] = await assetsOf(ctx)
    await merge(ctx, one?.id ?? '', two?.id ?? '')
    expect(await assetsOf(ctx)).toMatchObject([{ id: asset?.id, keys: ['1', '2'] }])
  })
})

test('explains why observations form one asset', async () => {
  const ctx = await tenant()
  const values = { mac: '3c:2a:f4:02:34:5f', hostname: 'lap-7' }
  await submit(ctx, csv, [seen('1', values, { os: 'Linux' })])
  await submit(ctx, sweep, [seen('2', values, { os: 'Linux 6.1' })])
  const [asset] = await assetsOf(ctx)
  const ids = await observationIds(ctx)
  const explanation = await explainAsset(ctx, asset?.id ?? '')
  expect(explanation.observations.map(({ source }) => source).toSorted()).toEqual([
    'csv list',
    'sweep office',
  ])
  expect(explanation.links).toEqual([
    {
      because: 'evidence',
      a: ids['1'],
      b: ids['2'],
      score: 0.9175,
      reasons: [
        { group: 'net', type: 'mac', value: '3c:2a:f4:02:34:5f', weight: 0.85 },
        { group: 'name', type: 'hostname', value: 'lap-7', weight: 0.45 },
      ],
    },
  ])
  expect(
    explanation.attributes.find(({ attribute }) => attribute === 'os')?.offers.map(({ value }) => value),
  ).toEqual(['Linux 6.1', 'Linux'])
})

test('possible duplicates are asked about, and no more once they are answered', async () => {
  const ctx = await tenant()
  const named = { hostname: 'web-1.corp.example' }
  await submit(ctx, csv, [seen('1', named), seen('2', named), seen('3', { hostname: 'other' })])
  const { items, total } = await listCandidates(ctx, PAGE)
  expect(total).toBe(1)
  expect(items).toMatchObject([
    { score: 0.7, nameA: 'web-1.corp.example', nameB: 'web-1.corp.example', veto: null },
  ])
  await merge(ctx, items[0]?.assetIdA ?? '', items[0]?.assetIdB ?? '')
  expect(await listCandidates(ctx, PAGE)).toEqual({ items: [], total: 0 })
})

describe('custom fields', () => {
  test('are set and cleared, and receivers are told of changes alone', async () => {
    const ctx = await tenant()
    const [assetId] = await twoAssets(ctx)
    const { id: fieldId } = await defineCustomField(ctx, { name: ' cost centre ', kind: 'number' })
    const before = (await eventsOf(ctx)).length
    await setCustomField(ctx, { assetId, fieldId, value: 4711 })
    await setCustomField(ctx, { assetId, fieldId, value: 4711 })
    expect(await customValuesOf(ctx, assetId)).toMatchObject([
      { id: fieldId, name: 'cost centre', kind: 'number', choices: null, value: 4711 },
    ])
    await clearCustomField(ctx, { assetId, fieldId })
    await clearCustomField(ctx, { assetId, fieldId })
    const about = {
      type: 'UPDATED_ASSET',
      asset_id: assetId,
      asset_name: 'one',
      changed_fields: ['custom_field:cost centre'],
    }
    expect((await eventsOf(ctx)).slice(before)).toMatchObject([
      { ...about, custom_field: { id: fieldId, name: 'cost centre', value: 4711, operation: 'set' } },
      { ...about, custom_field: { id: fieldId, name: 'cost centre', value: null, operation: 'clear' } },
    ])
  })

  test.each([
    ['text', 'B-12', 7],
    ['number', 1.5, '1'],
    ['boolean', false, 'no'],
    ['date', '2028-02-29', '2027-02-29'],
  ] as const)('a %s takes %s, not %s', async (kind, good, bad) => {
    const ctx = await tenant()
    const [assetId] = await twoAssets(ctx)
    const { id: fieldId } = await defineCustomField(ctx, { name: 'f', kind })
    await setCustomField(ctx, { assetId, fieldId, value: good })
    await expect(setCustomField(ctx, { assetId, fieldId, value: bad })).rejects.toMatchObject({
      status: 400,
      extras: { field: 'value' },
    })
    await expect(defineCustomField(ctx, { name: 'f', kind })).rejects.toMatchObject({ status: 409 })
  })
})
