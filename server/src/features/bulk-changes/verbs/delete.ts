import { deleteAssets } from '#features/assets/assets.ts'
import type { BulkVerb } from './verb.ts'

/** Final. Each asset emits DELETED_ASSET; its name stays with the change. */
export const deletion: BulkVerb = {
  name: 'delete',
  subject: 'asset',
  permission: 'assets:write',
  check: () => Promise.resolve({}),
  async apply(ctx, _, assetIds) {
    const names = await deleteAssets(ctx, assetIds)
    return new Map([...names].map(([id, name]) => [id, { name }]))
  },
}
