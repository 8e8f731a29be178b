import { SoftwareChangesPanel } from '#features/software/asset-software-panel.tsx'
import { AssetHistoryPanel } from '../asset-history-panel.tsx'
import type { AssetTabProps } from './asset-tab-props.ts'

export const ChangesTab = ({ asset }: AssetTabProps) => (
  <>
    <AssetHistoryPanel asset={asset} />
    <SoftwareChangesPanel assetId={asset.id} />
  </>
)
