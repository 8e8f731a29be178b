import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { deleteAsset, exportAssets, getAsset, listAssets } from './assets.ts'
import { clearAttribute, setAttribute } from './editing/attribute-edits.ts'
import { addTags, removeTags, setTags } from './editing/tags.ts'
import { assetsOf, csv, eventsOf, seen, sweep } from './observations.fixture.ts'

const tenant = async () => (await testApp()).newTenant()
const PAGE = { limit: 50, offset: 0 }

describe('the list', () => {
  test('is newest first, the greater id among equals, and the same from both ends', async () => {
    const ctx = await tenant()
    const many = Array.from({ length: 40 }, (_, n) => seen(`${n}`, {}, { name: `n${n}`, minute: n % 7 }))
    await submit(ctx, csv, many)
    const { items: all } = await listAssets(ctx, PAGE)
    const sorted = all.toSorted((x, y) =>
      x.lastSeen === y.lastSeen ? (x.id < y.id ? 1 : -1) : x.lastSeen < y.lastSeen ? 1 : -1,
    )
    expect(all).toEqual(sorted)
    for (const offset of [0, 3, 19, 20, 21, 33, 37, 39, 40, 41, 1_000_000_000_000]) {
      const { items, total } = await listAssets(ctx, { limit: 7, offset })
      expect(items).toEqual(all.slice(offset, offset + 7))
      expect(total).toBe(40)
    }
  })

  test('of one type is exact, and of no type empty', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [seen('1', {}, { assetType: 'user' }), seen('2', {}), seen('3', {})])
    expect((await listAssets(ctx, PAGE, { type: 'device' })).total).toBe(2)
    expect((await listAssets(ctx, PAGE, { type: 'user' })).items).toHaveLength(1)
    await submit(ctx, csv, [seen('2', {}, { assetType: 'user', minute: 1 })])
    expect((await listAssets(ctx, PAGE, { type: 'device' })).total).toBe(1)
    for (const type of ['Device', 'spaceship', 'a\0']) {
      expect(await listAssets(ctx, PAGE, { type })).toEqual({ items: [], total: 0 })
    }
  })
})

describe('a search', () => {
  test.each([
    ['DB-1', ['one']],
    ['b-1.corp', ['one']],
    ['0.0.5', ['one']],
    ['2001:db8::5', ['one']],
    ['pf0', ['one', 'two']],
    ['%', ['two']],
    ['_', ['two']],
    ['\\', ['two']],
    ['X%', ['two']],
    ['q\nr', []],
    ['two', ['two']],
    ['not there', []],
    ['\0', []],
    ["'; drop table assets; --", []],
  ])('for %j finds %j', async (search, names) => {
    const ctx = await tenant()
    await submit(ctx, csv, [
      seen(
        '1',
        { hostname: ['DB-1.corp.example', 'alias'], ip: ['10.0.0.5', '2001:db8::5'], serial: 'PF0ABC12' },
        { name: 'one' },
      ),
      seen('2', { serial: 'PF0_X%\\Y' }, { name: 'two' }),
    ])
    const { items, total } = await listAssets(ctx, PAGE, { search })
    expect(items.map(({ name }) => name).toSorted()).toEqual(names)
    expect(total).toBe(names.length)
  })

  test('finds an id, keeps to the type and to the page, and follows changes', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [
      seen('1', { hostname: 'old-1' }, { assetType: 'user' }),
      seen('2', { hostname: 'old-2' }),
    ])
    const [one] = await assetsOf(ctx)
    expect(
      (await listAssets(ctx, PAGE, { search: one?.id.toUpperCase().slice(3, 20) })).total,
    ).toBeGreaterThan(0)
    expect((await listAssets(ctx, PAGE, { search: 'old', type: 'user' })).total).toBe(1)
    expect(await listAssets(ctx, { limit: 1, offset: 5 }, { search: 'old' })).toEqual({ items: [], total: 2 })
    await submit(ctx, csv, [seen('1', { hostname: 'new-1' }, { minute: 1 })])
    expect((await listAssets(ctx, PAGE, { search: 'old' })).total).toBe(1)
    expect((await listAssets(ctx, PAGE, { search: 'new-1' })).total).toBe(1)
  })

  test('finds nothing of another tenant', async () => {
    const { newTenant } = await testApp()
    const [here, there] = [await newTenant(), await newTenant()]
    await submit(there, csv, [seen('1', { hostname: 'web-1' })])
    const [theirs] = await assetsOf(there)
    expect((await listAssets(here, PAGE, { search: 'web-1' })).total).toBe(0)
    await expect(getAsset(here, theirs?.id ?? '')).rejects.toMatchObject({ status: 404 })
  })
})

test('an export tells receivers when it is done', async () => {
  const ctx = await tenant()
  await submit(ctx, csv, [seen('1', {}), seen('2', {})])
  expect(await exportAssets(ctx, { format: 'csv', filename: 'assets.csv' })).toMatchObject({
    truncated: false,
    assets: [{}, {}],
  })
  expect((await eventsOf(ctx)).at(-1)).toMatchObject({
    type: 'EXPORT_COMPLETED',
    kind: 'assets',
    format: 'csv',
    row_count: 2,
    filename: 'assets.csv',
  })
})

describe('deleting', () => {
  test('takes the observations too, tells receivers, and lets the thing come again', async () => {
    const ctx = await tenant()
    const web = seen('1', { hostname: 'web-1' })
    await submit(ctx, csv, [web, seen('2', {})])
    const id = (await listAssets(ctx, PAGE, { search: 'web-1' })).items[0]?.id ?? ''
    await deleteAsset(ctx, id)
    expect((await eventsOf(ctx)).at(-1)).toEqual({
      type: 'DELETED_ASSET',
      asset_id: id,
      asset_name: 'web-1',
      tenant_id: ctx.tenantId,
    })
    await expect(getAsset(ctx, id)).rejects.toMatchObject({ status: 404 })
    await expect(deleteAsset(ctx, id)).rejects.toMatchObject({ status: 404 })
    const left = await ctx.db.one(sql`select (select count(*) from asset_observations) as observations,
      (select count(*) from asset_identifiers) as identifiers, (select count(*) from asset_search) as texts`)
    expect(left).toEqual({ observations: 1, identifiers: 0, texts: 1 })
    expect((await listAssets(ctx, PAGE)).total).toBe(1)
    expect(await submit(ctx, csv, [web])).toMatchObject({ created: 1 })
  })

  test('frees what its values stood in the way of', async () => {
    const ctx = await tenant()
    const at = (serial: string) => ({ serial, ip: '10.0.0.5' })
    await submit(ctx, csv, [seen('1', at('PF0ABC12')), seen('2', at('PF0XYZ99'))])
    await submit(ctx, sweep, [seen('3', { ip: '10.0.0.5' })])
    const second = (await assetsOf(ctx)).find(({ keys }) => keys.includes('2'))
    expect(await assetsOf(ctx)).toHaveLength(3)
    await deleteAsset(ctx, second?.id ?? '')
    expect(await assetsOf(ctx)).toMatchObject([{ keys: ['1', '3'] }])
  })
})

describe('what people set', () => {
  test('tags come and go, whatever sources say', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [seen('1', {}, { tags: ['a', 'b'] })])
    const id = (await assetsOf(ctx))[0]?.id ?? ''
    expect((await addTags(ctx, { assetIds: [id], tags: ['c', 'c'] }))[0]?.tags).toEqual(['a', 'b', 'c'])
    expect((await removeTags(ctx, { assetIds: [id], tags: ['a', 'c'] }))[0]?.tags).toEqual(['b'])
    await submit(ctx, csv, [seen('1', {}, { tags: ['a', 'b', 'd'], minute: 1 })])
    expect((await getAsset(ctx, id)).tags).toEqual(['b', 'd'])
    expect((await setTags(ctx, { assetIds: [id], tags: ['x'] }))[0]?.tags).toEqual(['x'])
    expect((await addTags(ctx, { assetIds: [id], tags: ['a'] }))[0]?.tags).toEqual(['a', 'x'])
    await expect(setTags(ctx, { assetIds: [id], tags: [''] })).rejects.toMatchObject({
      status: 400,
      extras: { field: 'tags' },
    })
  })

  test('a value wins over sources until it is cleared', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [seen('1', { hostname: 'web-1' }, { os: 'Linux' })])
    const assetId = (await assetsOf(ctx))[0]?.id ?? ''
    await setAttribute(ctx, { assetId, attribute: 'os', value: 'Debian 13', reason: 'I know' })
    await setAttribute(ctx, { assetId, attribute: 'assetType', value: 'hypervisor', reason: '', lock: true })
    await submit(ctx, csv, [seen('1', { hostname: 'web-1' }, { os: 'Windows', minute: 1 })])
    expect(await getAsset(ctx, assetId)).toMatchObject({ os: 'Debian 13', assetType: 'hypervisor' })
    expect((await listAssets(ctx, PAGE, { type: 'hypervisor' })).total).toBe(1)
    expect(await clearAttribute(ctx, assetId, 'os')).toMatchObject({ os: 'Windows' })
    const wrong = { assetId, attribute: 'assetType' as const, value: 'spaceship', reason: '' }
    await expect(setAttribute(ctx, wrong)).rejects.toMatchObject({ status: 400 })
  })
})
