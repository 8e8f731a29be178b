import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { house } from '#test/house.ts'
import { makers } from '#test/makers.ts'
import { getAsset } from './assets.ts'
import { clearCustomField, defineCustomField, setCustomField } from './custom-fields.ts'
import { clearAttribute, setAttribute } from './edits.ts'
import { addTags } from './tags.ts'

test('the log tells what people changed, before and after', async () => {
  const { newTenant } = await house()
  const ctx = await newTenant()
  const assetId = (await makers['assets']?.(ctx)) ?? ''
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
  const { newTenant } = await house()
  const ctx = await newTenant()
  const assetId = (await makers['assets']?.(ctx)) ?? ''
  const { os } = await getAsset(ctx, assetId)
  await setAttribute(ctx, { assetId, attribute: 'os', value: 'Plan 9', reason: '' })
  await clearAttribute(ctx, assetId, 'os')
  const { items } = await searchAudit(ctx, { limit: 2, offset: 0, subjectType: 'asset', subjectId: assetId })
  expect(items.map(({ action, details }) => [action, details['before'], details['after']])).toEqual([
    ['asset.attribute_cleared', { os: 'Plan 9' }, { os }],
    ['asset.attribute_set', { os }, { os: 'Plan 9' }],
  ])
})
