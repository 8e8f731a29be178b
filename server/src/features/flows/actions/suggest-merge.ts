import { Type } from 'typebox'
import {
  identifierTypes,
  suggestMerge,
  suggestMergeOfSame,
  type IdentifierType,
} from '#features/assets/assets.ts'
import { invalid } from '#platform/errors.ts'
import type { InnerAction } from './action.ts'

/** It never merges: a person decides on the screen of possible duplicates. */
export const suggestMergeAction: InnerAction = {
  name: 'suggest_merge',
  kind: 'inner',
  label: 'Suggest a merge',
  sentence: 'Lists the asset as a possible duplicate of others, for a person to decide.',
  settings: Type.Object({
    same: Type.Optional(
      Type.Union(
        identifierTypes.map((it) => Type.Literal(it)),
        { title: 'Of assets with the same', description: 'at most 10 of them' },
      ),
    ),
    asset: Type.Optional(
      Type.String({ title: 'Or of this asset', description: 'its id, such as {{event.asset_id}}' }),
    ),
    reason: Type.String({ title: 'Reason', minLength: 1, maxLength: 1_000 }),
  }),
  templates: ['asset', 'reason'],
  outputs: ['assetIds'],
  permission: 'assets:write',
  needsAsset: true,
  async run(ctx, settings, { assetId = '' }) {
    const { same, asset = '', reason } = settings as unknown as Given
    if ((same === undefined) === (asset === ''))
      throw invalid('asset', 'either an asset or what both have the same of')
    if (same !== undefined)
      return { assetIds: await suggestMergeOfSame(ctx, { assetId, identifier: same, reason }) }
    await suggestMerge(ctx, { assetIdA: assetId, assetIdB: asset, reason })
    return { assetIds: [asset] }
  },
}

interface Given {
  readonly same?: IdentifierType
  readonly asset?: string
  readonly reason: string
}
