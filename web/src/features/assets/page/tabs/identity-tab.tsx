import { EvidencePanel } from '#features/assets/evidence/evidence-panel.tsx'
import { ObservationsPanel } from '../observations-panel.tsx'
import type { AssetTabProps } from './asset-tab-props.ts'

/** Why these observations are one asset, and what each of them said. */
export const IdentityTab = ({ asset, mayWrite }: AssetTabProps) => (
  <>
    <EvidencePanel asset={asset} mayWrite={mayWrite} />
    <ObservationsPanel observations={asset.observations} />
  </>
)
