import { expect, test } from 'vitest'
import type { AssetData } from '#api/generated/asset.ts'
import { assetHistory } from './asset-history.ts'

test('entries of the audit log are told in the words of its page', () => {
  const asset = { observations: [], constraints: [] } as unknown as AssetData['asset']
  const entry = { id: '1', at: '2026-11-29T10:00:00Z', actorName: 'Ada', actorKind: 'user' }
  expect(assetHistory(asset, [{ ...entry, action: 'asset.custom_field_set' } as never])).toEqual([
    { id: '1', at: entry.at, title: 'Custom field of an asset filled in', text: 'by Ada' },
  ])
})
