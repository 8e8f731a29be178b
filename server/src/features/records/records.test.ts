import { beforeEach, describe, expect, test } from 'vitest'
import { deleteAsset, listAssets } from '#features/assets/assets.ts'
import { mergeAssets, unlinkObservations } from '#features/assets/editing/merge-and-unlink.ts'
import { csv, eventsOf, observationIds, seen } from '#features/assets/observations.fixture.ts'
import { searchAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { createPlace } from './places/places.ts'
import {
  getRecord,
  importRecords,
  recordsOf,
  setRecords,
  suggestValues,
  type ImportedRecord,
} from './records.ts'

const shared = sharedTestApp()
let ctx: Ctx
let ids: Record<string, string>
beforeEach(async () => {
  ctx = await shared().newTenant()
  await submit(ctx, csv, [
    seen('1', { serial: 'PF0AAA11', ip: '10.1.2.3' }, { name: 'alpha' }),
    seen('2', { serial: 'PF0BBB22' }, { name: 'beta' }),
  ])
  const { items } = await listAssets(ctx, { limit: 10, offset: 0 })
  ids = Object.fromEntries(items.map(({ name, id }) => [name, id]))
})

const alpha = () => ids['alpha'] ?? ''
const beta = () => ids['beta'] ?? ''
const set = (assetId: string, values: Parameters<typeof setRecords>[1]['values']) =>
  setRecords(ctx, { assetIds: [assetId], values })
const refusal = (assetId: string, values: Record<string, string>) =>
  set(assetId, values).then(
    () => 'taken',
    (error: Error) => error.message,
  )

describe('setting values', () => {
  test('says who recorded each field and when, and keeps what is not given', async () => {
    await set(alpha(), { owner: 'Facilities', price: '1299.5', currency: 'eur', purchasedOn: '2024-02-29' })
    const [record] = await set(alpha(), { state: 'In use', owner: ' ' })
    expect(record?.values).toMatchObject({
      owner: null,
      state: 'in_use',
      price: '1299.50',
      currency: 'EUR',
      purchasedOn: '2024-02-29',
    })
    expect(Object.keys(record?.origins ?? {}).sort()).toEqual(['currency', 'price', 'purchasedOn', 'state'])
    expect(record?.origins.price).toMatchObject({ source: 'person', at: expect.stringContaining('T') })
  })

  test('is audited with before and after, sends no event, and is nothing where nothing changes', async () => {
    const sent = (await eventsOf(ctx)).length
    await set(alpha(), { department: 'IT' })
    await set(alpha(), { department: 'Legal' })
    await set(alpha(), { department: 'Legal' })
    await setRecords(ctx, { assetIds: [alpha(), beta()], values: { supplier: 'Dell' } })
    expect(await eventsOf(ctx)).toHaveLength(sent)
    const { items } = await searchAudit(ctx, { limit: 10, offset: 0, action: 'asset.recorded' })
    expect(items.map(({ details }) => details)).toMatchObject([
      { subjects: [{ after: { supplier: 'Dell' } }, { after: { supplier: 'Dell' } }] },
      { name: 'alpha', before: { department: 'IT' }, after: { department: 'Legal' } },
      { before: { department: null }, after: { department: 'IT' } },
    ])
  })

  test.each([
    [{ state: 'broken' }, 'state: is none of'],
    [{ price: '12,50' }, 'price: is not an amount'],
    [{ price: '-1', currency: 'EUR' }, 'price: is not an amount'],
    [{ price: '1' }, 'currency: must say'],
    [{ currency: 'Euro' }, 'currency: is not a currency code'],
    [{ warrantyEnds: '2026-02-30' }, 'warrantyEnds: is not a date'],
    [{ owner: 'x'.repeat(201) }, 'owner: is longer than 200'],
    [{ owner: 'a\nb' }, 'owner: holds a control character'],
    [{ notes: 'a\0' }, 'notes: holds what is no character'],
    [{ placeId: 'there' }, 'placeId: is not a UUID'],
    [{ placeId: '00000000-0000-7000-8000-000000000000' }, 'placeId: names no place'],
  ])('%j is refused', async (values, why) => {
    expect(await refusal(alpha(), values)).toContain(why)
    expect(await recordsOf(ctx, [alpha()])).toEqual([])
  })

  test('all assets or none', async () => {
    const assetIds = [alpha(), '00000000-0000-7000-8000-000000000000']
    await expect(setRecords(ctx, { assetIds, values: { owner: 'x' } })).rejects.toThrow('asset not found')
    expect(await recordsOf(ctx, [alpha()])).toEqual([])
  })

  test('an owner who is a member is known by name', async () => {
    const person = await newPerson(shared(), ctx, { isAdmin: false })
    await set(alpha(), { owner: person.email.toUpperCase() })
    expect(await getRecord(ctx, alpha())).toMatchObject({ ownerId: person.id, ownerName: person.email })
    await set(alpha(), { owner: 'nobody@else.example' })
    expect(await getRecord(ctx, alpha())).toMatchObject({ ownerId: null, ownerName: null })
  })

  test('values in use are suggested, the most used first', async () => {
    await setRecords(ctx, { assetIds: [alpha(), beta()], values: { department: 'Legal' } })
    await set(beta(), { department: 'Logistics' })
    await set(alpha(), { department: 'logistics' })
    expect(await suggestValues(ctx, 'department', { text: 'LOG', limit: 5 })).toHaveLength(2)
    expect(await suggestValues(ctx, 'department', { text: '%', limit: 5 })).toEqual([])
  })
})

describe('where an asset is', () => {
  test('by the longest network that has its address, unless a place is recorded', async () => {
    const oslo = await createPlace(ctx, { name: 'Oslo', kind: 'site', networks: ['10.1.0.0/16'] })
    const cellar = await createPlace(ctx, { name: 'Cellar', kind: 'room', parentId: oslo.id })
    expect(await getRecord(ctx, alpha())).toMatchObject({ place: { path: 'Oslo' }, placeFrom: 'network' })
    await createPlace(ctx, { name: 'Lab', kind: 'room', parentId: oslo.id, networks: ['10.1.2.9/24'] })
    expect(await getRecord(ctx, alpha())).toMatchObject({ place: { path: 'Oslo / Lab', site: 'Oslo' } })
    await set(alpha(), { placeId: cellar.id })
    expect(await getRecord(ctx, alpha())).toMatchObject({
      place: { path: 'Oslo / Cellar' },
      placeFrom: 'person',
    })
    expect((await getRecord(ctx, beta())).place).toBeNull()
  })
})

const imported = (name: string, rows: readonly ImportedRecord[]) =>
  atomically(ctx, (inner) => importRecords(inner, name, rows))

describe('an import', () => {
  const bring = async (values: Record<string, string>, name = 'list.csv') =>
    (await imported(name, [{ assetId: alpha(), values }])).length

  test('fills and updates fields, but not those that a person set', async () => {
    expect(await bring({ owner: 'IT', department: 'Finance' })).toBe(1)
    expect(await bring({ owner: 'IT' })).toBe(0)
    await set(alpha(), { owner: 'Ada' })
    expect(await bring({ owner: 'Bob', department: 'Sales' }, 'new.csv')).toBe(1)
    const { values, origins } = await getRecord(ctx, alpha())
    expect(values).toMatchObject({ owner: 'Ada', department: 'Sales' })
    expect(origins).toMatchObject({ owner: { source: 'person' }, department: { by: 'new.csv' } })
    await set(alpha(), { owner: null })
    await bring({ owner: 'Bob' })
    expect((await getRecord(ctx, alpha())).values.owner).toBe('Bob')
  })

  test('a person who confirms an imported value keeps it from later imports', async () => {
    await bring({ owner: 'IT' })
    await set(alpha(), { owner: 'IT' })
    expect(await bring({ owner: 'Sales' })).toBe(0)
  })
})

describe('merged, split and deleted assets', () => {
  test('the survivor takes over what it lacks; people go before imports; nothing moves back at a split', async () => {
    await set(alpha(), { owner: 'Ada', notes: 'mine' })
    await imported('a', [{ assetId: alpha(), values: { price: '5', currency: 'EUR' } }])
    await set(beta(), { owner: 'Bob', department: 'IT', price: '9', currency: 'USD' })
    const { id } = await mergeAssets(ctx, { assetIdA: alpha(), assetIdB: beta(), reason: '' })
    const merged = await getRecord(ctx, id)
    expect(merged.values).toMatchObject(
      id === alpha()
        ? { owner: 'Ada', notes: 'mine', department: 'IT', price: '9.00', currency: 'USD' }
        : { owner: 'Bob', notes: 'mine', department: 'IT', price: '9.00', currency: 'USD' },
    )
    const observation = (await observationIds(ctx))[id === alpha() ? '2' : '1'] ?? ''
    const [split] = await unlinkObservations(ctx, { assetId: id, observationIds: [observation], reason: '' })
    expect(await recordsOf(ctx, [split?.id ?? ''])).toEqual([])
    expect((await getRecord(ctx, id)).values).toEqual(merged.values)
  })

  test('a deleted asset leaves no record', async () => {
    await set(alpha(), { owner: 'Ada' })
    await deleteAsset(ctx, alpha())
    expect(await recordsOf(ctx, [alpha()])).toEqual([])
  })
})

test('at the command line', async () => {
  const run = (path: string, args: Record<string, string>, options = {}) =>
    commands.find((each) => each.path === path)!.run(ctx, { args, options })
  const { json } = await run('place create', { name: 'Oslo' }, { network: '10.1.0.0/16\n10.2.0.0/16' })
  expect((await run('place list', {})).text).toContain('site  Oslo  10.1.0.0/16, 10.2.0.0/16')
  await run('place set', { id: (json as { id: string }).id }, { name: 'Bergen' })
  expect((await run('asset record', { id: alpha() })).text).toBe('place: Bergen  (by its address)')
  const shown = await run('asset record', { id: alpha() }, { owner: 'Ada', 'warranty-ends': '2027-01-31' })
  expect(shown.text).toMatch(/^owner: Ada {2}\(.*\)\nwarranty-ends: 2027-01-31/)
  expect((await run('asset record', { id: alpha() }, { clear: 'owner' })).text).not.toContain('Ada')
  await expect(run('asset record', { id: alpha() }, { clear: 'colour' })).rejects.toThrow('clear: is none of')
  await run('place delete', { id: (json as { id: string }).id })
  expect((await run('place list', {})).text).toBe('')
})
