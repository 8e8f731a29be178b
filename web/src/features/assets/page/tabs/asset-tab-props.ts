import type { AssetData } from '#api/generated/asset.ts'

/** What each part of an asset's page gets. */
export interface AssetTabProps {
  readonly asset: AssetData['asset']
  readonly mayWrite: boolean
}
