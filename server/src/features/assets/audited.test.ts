import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { restRecordFactories } from '#test/support/api-coverage/rest-record-factories.ts'
import { deleteAsset, getAsset } from './assets.ts'
import { mergeAssets, unlinkObservations } from './editing/merge-and-unlink.ts'
import { defineCustomField } from './editing/custom-fields.ts'
import { clearCustomField, setCustomField } from './editing/custom-values.ts'
import { clearAttribute, setAttribute } from './editing/attribute-edits.ts'
import { addTags } from './editing/tags.ts'
import { deleteView, saveView } from '#features/conditions/views/saved-views.ts'
import { observationIds } from './observations.fixture.ts'

test('the log tells what people changed, before and after', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const assetId = (await restRecordFactories['assets']?.(ctx)) ?? ''
  const { id: fieldId } = await defineCustomField(ctx, { name: 'Owner', kind: 'text' })
  await setCustomField(ctx, { assetId, fieldId, value: 'Ada' })
  await setCustomField(ctx, { assetId, fieldId, value: 'Bob' })
  await clearCustomField(ctx, { assetId, fieldId })
  await addTags(ctx, { assetIds: [assetId], tags: ['lab'] })
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0, subjectType: 'asset', subjectId: assetId })
  expect(items.map(({ action, details }) => [action, details['before'], details['after']])).toEqual([
    ['asset.tagged', { own: [], muted: [] }, { own: ['lab'], muted: [] }],
    ['asset.custom_field_cleared', { value: 'Bob' }, { value: null }],
    ['asset.custom_field_set', { value: 'Ada' }, { value: 'Bob' }],
    ['asset.custom_field_set', { value: null }, { value: 'Ada' }],
  ])
})

test('a value that a person set or took back is told with the one before', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const assetId = (await restRecordFactories['assets']?.(ctx)) ?? ''
  const { os } = await getAsset(ctx, assetId)
  await setAttribute(ctx, { assetId, attribute: 'os', value: 'Plan 9', reason: '' })
  await clearAttribute(ctx, assetId, 'os')
  const { items } = await searchAudit(ctx, { limit: 2, offset: 0, subjectType: 'asset', subjectId: assetId })
  expect(items.map(({ action, details }) => [action, details['before'], details['after']])).toEqual([
    ['asset.attribute_cleared', { os: 'Plan 9' }, { os }],
    ['asset.attribute_set', { os }, { os: 'Plan 9' }],
  ])
})

test('one action on many assets is one entry, which names each and is found by each', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const assetIds = [
    (await restRecordFactories['assets']?.(ctx)) ?? '',
    (await restRecordFactories['assets']?.(ctx)) ?? '',
  ]
  await addTags(ctx, { assetIds, tags: ['lab'] })
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0, action: 'asset.tagged' })
  expect(items).toMatchObject([{ subject: { type: 'asset', id: '' } }])
  const subjects = items[0]?.details['subjects'] as { id: string; name: string; after: object }[]
  expect(subjects.map(({ id }) => id).toSorted()).toEqual(assetIds.toSorted())
  for (const { id, name, after } of subjects)
    expect([name, after]).toEqual([(await getAsset(ctx, id)).name, { own: ['lab'], muted: [] }])
  for (const subjectId of assetIds)
    expect(
      (await searchAudit(ctx, { limit: 50, offset: 0, subjectId, action: 'asset.tagged' })).items,
    ).toHaveLength(1)
})

test('an entry about an asset still names it when it is gone', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const assetId = (await restRecordFactories['assets']?.(ctx)) ?? ''
  const { name } = await getAsset(ctx, assetId)
  await setAttribute(ctx, { assetId, attribute: 'os', value: 'Plan 9', reason: '' })
  await addTags(ctx, { assetIds: [assetId], tags: ['lab'] })
  await deleteAsset(ctx, assetId)
  const { items } = await searchAudit(ctx, { limit: 3, offset: 0, subjectId: assetId })
  expect(items.map(({ details }) => details['name'])).toEqual([name, name, name])
})

test('an observation taken out of an asset, and a view that is deleted, are named', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const [one = '', two = ''] = [
    await restRecordFactories['assets']?.(ctx),
    await restRecordFactories['assets']?.(ctx),
  ]
  const { id: assetId, name } = await mergeAssets(ctx, { assetIdA: one, assetIdB: two, reason: 'same' })
  const observationId = Object.values(await observationIds(ctx)).at(-1) ?? ''
  await unlinkObservations(ctx, { assetId, observationIds: [observationId], reason: 'no' })
  const view = await saveView(ctx, { name: 'Printers', view: {} })
  await deleteView(ctx, view.id)
  const { items } = await searchAudit(ctx, { limit: 9, offset: 0 })
  const named = new Map(items.map(({ action, details }) => [action, details['name']]))
  expect(named.get('asset.unlinked')).toBe(name)
  expect(named.get('view.deleted')).toBe('Printers')
})
