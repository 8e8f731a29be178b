import { Type } from 'typebox'
import { recordFields, setRecords } from '#features/records/records.ts'
import type { InnerAction } from './action.ts'

/** An empty value clears the field. */
export const setRecordAction: InnerAction = {
  name: 'set_record',
  kind: 'inner',
  label: 'Record the owner, state or place',
  sentence: 'Sets what is recorded about the asset, such as its owner, department or state.',
  settings: Type.Object({
    field: Type.Union(
      recordFields.map((field) => Type.Literal(field)),
      { title: 'Field' },
    ),
    value: Type.String({ title: 'Value', maxLength: 10_000 }),
  }),
  templates: ['value'],
  outputs: ['field', 'value'],
  permission: 'assets:write',
  needsAsset: true,
  // a place changes the site of the asset
  locks: ['identity'],
  async run(ctx, settings, { assetId = '' }) {
    const { field, value } = settings as { field: string; value: string }
    await setRecords(ctx, { assetIds: [assetId], values: { [field]: value } })
    return { field, value }
  },
}
