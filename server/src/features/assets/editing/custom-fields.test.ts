import { beforeEach, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import { assetsOf, csv, eventsOf, seen } from '../observations.fixture.ts'
import {
  defineCustomField,
  deleteCustomField,
  listCustomFields,
  orderCustomFields,
  updateCustomField,
} from './custom-fields.ts'
import { customValuesOf, listCustomValues, setCustomField, setCustomFieldOfAssets } from './custom-values.ts'

const shared = sharedTestApp()
let ctx: Ctx
let assetIds: string[]
beforeEach(async () => {
  ctx = await shared().newTenant()
  await submit(
    ctx,
    csv,
    ['a', 'b', 'c'].map((key) => seen(key, {}, { name: key })),
  )
  // events come in the order of ids
  assetIds = (await assetsOf(ctx)).map(({ id }) => id).toSorted()
})

const text = (name: string, choices?: string[]) => defineCustomField(ctx, { name, kind: 'text', choices })
const fieldEvents = async () =>
  (await eventsOf(ctx)).flatMap(({ asset_id: id, custom_field: field }) => (field ? [{ id, field }] : []))

test('in bulk: one event for each asset whose value changed, with one statement for all', async () => {
  const { id, name } = await text('Rack')
  await setCustomField(ctx, { assetId: assetIds[0]!, fieldId: id, value: 'R1' })
  expect(await setCustomFieldOfAssets(ctx, { assetIds, fieldId: id, value: 'R1' })).toBe(2)
  expect(await setCustomFieldOfAssets(ctx, { assetIds, fieldId: id, value: 'R1' })).toBe(0)
  expect(await fieldEvents()).toEqual(
    assetIds.map((asset) => ({ id: asset, field: { id, name, value: 'R1', operation: 'set' } })),
  )
  const unknown = '00000000-0000-7000-8000-000000000000'
  await expect(
    setCustomFieldOfAssets(ctx, { assetIds: [assetIds[0]!, unknown], fieldId: id, value: 'R2' }),
  ).rejects.toThrow('asset not found')
  expect(await customValuesOf(ctx, assetIds[0]!)).toMatchObject([{ value: 'R1' }])
})

test('deleting a field clears each value with an event, and takes the field away', async () => {
  const { id, name } = await text('Rack')
  await setCustomFieldOfAssets(ctx, { assetIds: assetIds.slice(0, 2), fieldId: id, value: 'R1' })
  await deleteCustomField(ctx, id)
  expect((await fieldEvents()).slice(2)).toEqual(
    assetIds
      .slice(0, 2)
      .map((asset) => ({ id: asset, field: { id, name, value: null, operation: 'clear' } })),
  )
  expect(await listCustomFields(ctx)).toEqual([])
  await expect(deleteCustomField(ctx, id)).rejects.toThrow('custom field not found')
})

test('choices limit what is set from then on; a new name and other choices send no events', async () => {
  const { id } = await text('Stage', ['test', 'live', 'live'])
  expect(await listCustomFields(ctx)).toMatchObject([{ name: 'Stage', choices: ['test', 'live'] }])
  const set = (value: string) => setCustomField(ctx, { assetId: assetIds[0]!, fieldId: id, value })
  await set('live')
  await expect(set('prod')).rejects.toThrow('value: is none of test, live')
  await updateCustomField(ctx, id, { name: 'Environment', choices: ['prod'] })
  expect(await customValuesOf(ctx, assetIds[0]!)).toMatchObject([{ name: 'Environment', value: 'live' }])
  await set('prod')
  expect(await fieldEvents()).toHaveLength(2)
  await updateCustomField(ctx, id, { choices: null })
  await set('anything')
})

test('are listed in the order that people give them, new ones last', async () => {
  const [b, a] = [await text('b'), await text('a')]
  const names = async () => (await listCustomFields(ctx)).map(({ name }) => name)
  expect(await names()).toEqual(['b', 'a'])
  await orderCustomFields(ctx, [a.id, b.id])
  await text('0')
  expect(await names()).toEqual(['a', 'b', '0'])
  await expect(orderCustomFields(ctx, [a.id, a.id, b.id])).rejects.toThrow('ids: must name every')
})

test.each([
  [{ name: 'x', kind: 'number', choices: ['1'] }, 'choices: are for fields of the kind text'],
  [{ name: 'x', kind: 'text', choices: ['a', ' '] }, 'choices: each must have'],
  [{ name: 'Taken', kind: 'text' }, 'name: there is a custom field Taken'],
] as const)('%j is refused', async (field, why) => {
  const { id } = await text('Taken')
  await expect(defineCustomField(ctx, field)).rejects.toThrow(why)
  const other = await text('Other')
  await expect(updateCustomField(ctx, other.id, { name: 'Taken' })).rejects.toThrow('there is a custom field')
  expect(await updateCustomField(ctx, id, { name: 'Taken' })).toMatchObject({ name: 'Taken' })
})

const many = (length: number) => Array.from({ length }, (_, n) => `choice ${n}`)
const ids = (length: number) => Array.from({ length }, () => newUuid(ctx.now()))
test.each<[string, number, (size: number) => unknown]>([
  ['name', 100, (n) => text('x'.repeat(n))],
  ['choices', 200, (n) => text('Stage', many(n))],
  ['choices', 200, (n) => text('Stage', ['x'.repeat(n)])],
  ['assetIds', 500, (n) => listCustomValues(ctx, { fieldIds: [], assetIds: ids(n) })],
  [
    'value',
    4_096,
    async (n) => {
      const fieldId = (await listCustomFields(ctx))[0]?.id ?? (await text('Notes')).id
      await setCustomField(ctx, { assetId: assetIds[0]!, fieldId, value: 'x'.repeat(n) })
    },
  ],
])('%s of custom fields go to %i, and no further', async (field, most, write) => {
  expect(await refusedBeyond(most, write)).toBe(field)
})
