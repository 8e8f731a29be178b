import { Type } from 'typebox'
import { clearCustomField, listCustomFields, setCustomField } from '#features/assets/assets.ts'
import { invalid } from '#platform/errors.ts'
import type { InnerAction } from './action.ts'

/** An empty value clears the field. */
export const setFieldAction: InnerAction = {
  name: 'set_field',
  kind: 'inner',
  label: 'Set a custom field',
  sentence: 'Sets a custom field of the asset, or clears it when the value is empty.',
  settings: Type.Object({
    field: Type.String({ title: 'Custom field', pick: 'customField', minLength: 1 }),
    value: Type.String({ title: 'Value', maxLength: 10_000 }),
  }),
  templates: ['value'],
  outputs: ['field', 'value'],
  permission: 'assets:write',
  emits: ['UPDATED_ASSET'],
  needsAsset: true,
  locks: ['identity'],
  async run(ctx, settings, { assetId = '' }) {
    const { field: name, value: text } = settings as { field: string; value: string }
    const field = (await listCustomFields(ctx)).find((it) => it.name === name)
    if (!field) throw invalid('field', `there is no custom field ${name}`)
    const which = { assetId, fieldId: field.id }
    if (text === '') await clearCustomField(ctx, which)
    else await setCustomField(ctx, { ...which, value: valueOf(field.kind, text) })
    return { field: name, value: text }
  },
}

/** The verb refuses what does not fit the kind. */
function valueOf(kind: string, text: string): string | number | boolean {
  if (kind === 'number') return Number(text)
  if (kind === 'boolean') return text === 'true' || text === 'yes'
  return text
}
