import { AssetSoftwarePanel } from '#features/software/asset-software-panel.tsx'
import type { AssetTabProps } from './asset-tab-props.ts'

export const SoftwareTab = ({ asset }: AssetTabProps) => <AssetSoftwarePanel assetId={asset.id} />
