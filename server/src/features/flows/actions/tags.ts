import { Type } from 'typebox'
import { addTags, removeTags } from '#features/assets/assets.ts'
import type { InnerAction } from './action.ts'

const settings = Type.Object({
  tags: Type.Array(Type.String({ minLength: 1 }), { title: 'Tags', pick: 'tag', minItems: 1, maxItems: 20 }),
})
const shared = {
  kind: 'inner',
  settings,
  templates: ['tags'],
  outputs: ['tags'],
  permission: 'assets:write',
  needsAsset: true,
  locks: ['identity'],
} as const

export const addTagsAction: InnerAction = {
  ...shared,
  name: 'add_tags',
  label: 'Add tags',
  sentence: 'Adds tags to the asset.',
  run: (ctx, { tags }, { assetId = '' }) =>
    retagged(addTags(ctx, { assetIds: [assetId], tags: tags as string[] })),
}

export const removeTagsAction: InnerAction = {
  ...shared,
  name: 'remove_tags',
  label: 'Remove tags',
  sentence: 'Removes tags from the asset.',
  run: (ctx, { tags }, { assetId = '' }) =>
    retagged(removeTags(ctx, { assetIds: [assetId], tags: tags as string[] })),
}

const retagged = async (assets: Promise<readonly { readonly tags: readonly string[] }[]>) => ({
  tags: (await assets)[0]?.tags ?? [],
})
