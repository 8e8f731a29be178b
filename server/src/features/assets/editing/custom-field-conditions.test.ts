import { beforeEach, expect, test } from 'vitest'
import { completions, facets } from '#features/conditions/conditions.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listAssets } from '../assets.ts'
import { csv, eventsOf, seen } from '../observations.fixture.ts'
import { refreshAllCustomFacets } from './custom-facets.ts'
import { customFieldKey } from './custom-field-key.ts'
import { defineCustomField, deleteCustomField, updateCustomField } from './custom-fields.ts'
import { clearCustomField, setCustomField, setCustomFieldOfAssets } from './custom-values.ts'
import { mergeAssets, unlinkObservations } from './merge-and-unlink.ts'
import { sql } from 'kysely'

const shared = sharedTestApp()
let ctx: Ctx
const ids = new Map<string, string>()
beforeEach(async () => {
  ctx = await shared().newTenant()
  await submit(
    ctx,
    csv,
    ['a', 'b', 'c'].map((key) => seen(key, {}, { name: key })),
  )
  const { items } = await listAssets(ctx, { limit: 10, offset: 0 })
  for (const { id, name } of items) ids.set(name, id)
})
const idOf = (name: string): string => ids.get(name) ?? ''

const names = async (where: string): Promise<string[]> =>
  (await listAssets(ctx, { limit: 50, offset: 0 }, { where })).items.map(({ name }) => name).toSorted()

test('each kind is asked about by its type', async () => {
  const text = await defineCustomField(ctx, { name: 'Cost centre', kind: 'text' })
  const number = await defineCustomField(ctx, { name: 'Seats', kind: 'number' })
  const bool = await defineCustomField(ctx, { name: 'In scope?', kind: 'boolean' })
  const date = await defineCustomField(ctx, { name: 'Audited on', kind: 'date' })
  expect([text, number, bool, date].map(({ key }) => key)).toEqual([
    'cost_centre',
    'seats',
    'in_scope',
    'audited_on',
  ])
  await setCustomField(ctx, { assetId: idOf('a'), fieldId: text.id, value: 'Ærø 4711' })
  await setCustomField(ctx, { assetId: idOf('b'), fieldId: number.id, value: 2.5 })
  await setCustomField(ctx, { assetId: idOf('b'), fieldId: bool.id, value: false })
  await setCustomField(ctx, { assetId: idOf('c'), fieldId: date.id, value: '2026-03-31' })
  expect(await names('custom.cost_centre = "ÆRØ 4711"')).toEqual(['a'])
  expect(await names('custom.cost_centre:4711')).toEqual(['a'])
  expect(await names('custom.seats > 2 custom.in_scope = no')).toEqual(['b'])
  expect(await names('custom.audited_on <= 2026-03-31')).toEqual(['c'])
  expect(await names('not has custom.seats')).toEqual(['a', 'c'])
  await expect(names('custom.seats = many')).rejects.toThrow('custom.seats takes a number')
  await clearCustomField(ctx, { assetId: idOf('a'), fieldId: text.id })
  expect(await names('has custom.cost_centre')).toEqual([])
})

test('values are completed and counted as they are spelled, choices that nobody has too', async () => {
  const { id: fieldId } = await defineCustomField(ctx, {
    name: 'Rack',
    kind: 'text',
    choices: ['R 1', 'R 2'],
  })
  await setCustomFieldOfAssets(ctx, { assetIds: [idOf('a'), idOf('b')], fieldId, value: 'R 1' })
  const { suggestions } = await completions(ctx, 'asset', { text: 'custom.rack = ', cursor: 14 })
  expect(suggestions.map(({ text, detail }) => [text, detail])).toEqual([
    ['"R 1"', '2'],
    ['"R 2"', '0'],
  ])
  expect(await facets(ctx, { subject: 'asset', where: '', fields: ['custom.rack'], first: 5 })).toEqual([
    { field: 'custom.rack', values: [{ value: 'R 1', count: 2 }], without: 1 },
  ])
})

test('a renamed field keeps its old name as an alias; a deleted one is unknown', async () => {
  const { id: fieldId } = await defineCustomField(ctx, { name: 'Rack', kind: 'text' })
  await setCustomField(ctx, { assetId: idOf('a'), fieldId, value: 'R1' })
  expect((await updateCustomField(ctx, fieldId, { name: 'Shelf' })).key).toBe('shelf')
  expect([await names('custom.rack = r1'), await names('custom.shelf = r1')]).toEqual([['a'], ['a']])
  // what was its name is not given to another
  expect((await defineCustomField(ctx, { name: 'Rack', kind: 'number' })).key).toBe('rack_2')
  await deleteCustomField(ctx, fieldId)
  await expect(names('custom.shelf = r1')).rejects.toThrow('there is no field custom.shelf')
  const { left } = await ctx.db.one(sql<{ left: number }>`
    select count(*) as left from assets where tenant_id = ${ctx.tenantId} and custom <> '{}'`)
  expect(left).toBe(0)
})

test('a merge sets values on the survivor, each with an event; a split moves none', async () => {
  const rack = await defineCustomField(ctx, { name: 'Rack', kind: 'text' })
  const seats = await defineCustomField(ctx, { name: 'Seats', kind: 'number' })
  // the older one survives
  const [older = '', younger = ''] = [idOf('a'), idOf('b')].toSorted()
  await setCustomField(ctx, { assetId: older, fieldId: rack.id, value: 'of the older' })
  await setCustomField(ctx, { assetId: younger, fieldId: rack.id, value: 'of the younger' })
  await setCustomField(ctx, { assetId: younger, fieldId: seats.id, value: 5 })
  const told = async () =>
    (await eventsOf(ctx)).flatMap(({ asset_id: id, custom_field: field }) => (field ? [{ id, field }] : []))
  const before = (await told()).length
  const { id } = await mergeAssets(ctx, { assetIdA: idOf('a'), assetIdB: idOf('b'), reason: 'one' })
  expect((await told()).slice(before)).toEqual([
    { id, field: { id: seats.id, name: 'Seats', value: 5, operation: 'set' } },
  ])
  expect((await names('custom.seats = 5')).length).toBe(1)
  const { ids: observations } = await ctx.db.one(sql<{ ids: string[] }>`
    select array_agg(id order by source_key) as ids from asset_observations
    where tenant_id = ${ctx.tenantId} and asset_id = ${id}`)
  await unlinkObservations(ctx, { assetId: id, observationIds: [observations[1] ?? ''], reason: 'two' })
  expect((await told()).length).toBe(before + 1)
})

test('the job writes the column anew for values that were there before it', async () => {
  const { id: fieldId } = await defineCustomField(ctx, { name: 'Rack', kind: 'text' })
  await setCustomField(ctx, { assetId: idOf('a'), fieldId, value: 'R1' })
  await ctx.db.run(sql`update assets set custom = '{}' where tenant_id = ${ctx.tenantId}`)
  await refreshAllCustomFacets(ctx)
  expect(await names('custom.rack = r1')).toEqual(['a'])
})

test.each([
  ['Cost centre', [], 'cost_centre'],
  ['  Ærø–4711! ', [], 'ærø_4711'],
  ['???', [], 'field'],
  ['Rack', ['rack', 'rack_2'], 'rack_3'],
])('%j beside %j is %s', (name, taken, key) => {
  expect(
    customFieldKey(
      name,
      taken.map((it) => ({ key: it, aliases: [] })),
    ),
  ).toBe(key)
})
