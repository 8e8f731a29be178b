import { AssetCompliancePanel } from '#features/compliance/asset-compliance-panel.tsx'
import type { AssetTabProps } from './asset-tab-props.ts'

export const ComplianceTab = ({ asset }: AssetTabProps) => <AssetCompliancePanel asset={asset} />
