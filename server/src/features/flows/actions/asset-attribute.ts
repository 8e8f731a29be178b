import { Type } from 'typebox'
import { attributeNames, setAttribute, type AttributeName } from '#features/assets/assets.ts'
import type { InnerAction } from './action.ts'

export const setAttributeAction: InnerAction = {
  name: 'set_attribute',
  kind: 'inner',
  label: 'Set or lock an attribute',
  sentence: 'Says what an attribute of the asset is, such as its type; locked, it wins over every source.',
  settings: Type.Object({
    attribute: Type.Union(
      attributeNames.map((it) => Type.Literal(it)),
      { title: 'Attribute' },
    ),
    value: Type.String({ title: 'Value', minLength: 1, maxLength: 1_024 }),
    lock: Type.Optional(Type.Boolean({ title: 'Lock it against all sources' })),
    reason: Type.Optional(Type.String({ title: 'Reason', maxLength: 1_024 })),
  }),
  templates: ['value', 'reason'],
  outputs: ['attribute', 'value'],
  permission: 'assets:write',
  needsAsset: true,
  locks: ['identity'],
  async run(ctx, settings, { assetId = '' }) {
    const given = settings as { attribute: AttributeName; value: string; lock?: boolean; reason?: string }
    const { attribute, value, lock = false, reason = 'a flow' } = given
    await setAttribute(ctx, { assetId, attribute, value, lock, reason })
    return { attribute, value }
  },
}
