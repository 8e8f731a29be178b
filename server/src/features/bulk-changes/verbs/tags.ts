import { checkTags, restoreTags, retagAssets, type PeoplesTags } from '#features/assets/assets.ts'
import { invalid } from '#platform/errors.ts'
import type { BulkValues } from '../bulk-change.ts'
import type { BulkVerb } from './verb.ts'

const tagging = (name: 'add_tags' | 'remove_tags', kind: 'add' | 'remove'): BulkVerb => ({
  name,
  subject: 'asset',
  permission: 'assets:write',
  check: (_, values) => Promise.resolve({ tags: tagsIn(values) }),
  apply: (ctx, values, assetIds) => retagAssets(ctx, assetIds, { kind, tags: tagsIn(values) }),
  restore: (ctx, _, previous) => restoreTags(ctx, previous as ReadonlyMap<string, PeoplesTags>),
})

export const addTags = tagging('add_tags', 'add')
export const removeTags = tagging('remove_tags', 'remove')

function tagsIn({ tags = [] }: BulkValues): readonly string[] {
  if (tags.length === 0) throw invalid('tags', 'must name at least one')
  checkTags(tags)
  return tags
}
