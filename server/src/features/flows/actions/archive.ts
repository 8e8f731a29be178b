import { Type } from 'typebox'
import { archiveAsset, reviveAsset } from '#features/assets/assets.ts'
import type { InnerAction } from './action.ts'

const shared = {
  kind: 'inner',
  settings: Type.Object({}),
  templates: [],
  outputs: ['archived'],
  permission: 'assets:write',
  needsAsset: true,
  // findings of the asset are marked as archived with it
  locks: ['identity', 'findings'],
} as const

export const archiveAction: InnerAction = {
  ...shared,
  name: 'archive',
  label: 'Archive',
  sentence: 'Archives the asset; a sighting or a person revives it.',
  async run(ctx, _, { assetId = '' }) {
    await archiveAsset(ctx, assetId)
    return { archived: true }
  },
}

export const reviveAction: InnerAction = {
  ...shared,
  name: 'revive',
  label: 'Revive',
  sentence: 'Takes the asset out of the archive.',
  async run(ctx, _, { assetId = '' }) {
    await reviveAsset(ctx, assetId)
    return { archived: false }
  },
}
