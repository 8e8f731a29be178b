import { Suspense } from 'react'
import { lazyScreen } from '#api/lazy-screen.ts'
import { usePermission } from '#api/use-permission.ts'
import { changeFamilies, kindsOf } from '#features/changes/change-families.ts'
import { midnight, stretchOf } from '#features/changes/change-search-params.ts'
import { SoftwareChangesPanel } from '#features/software/asset-software-panel.tsx'
import { dayIn } from '#lib/dates.ts'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { AssetHistoryPanel } from '../asset-history-panel.tsx'
import type { AssetTabProps } from './asset-tab-props.ts'

const ChangesOfAsset = lazyScreen(() => import('#features/changes/changes-of-asset.tsx'), 'ChangesOfAsset')

export const ChangesTab = ({ asset }: AssetTabProps) => (
  <>
    <WhoChangedWhat assetId={asset.id} />
    <AssetHistoryPanel asset={asset} />
    <SoftwareChangesPanel assetId={asset.id} />
  </>
)

function WhoChangedWhat({ assetId }: { readonly assetId: string }) {
  const may = usePermission()
  const families = changeFamilies.filter(({ permission }) => permission === undefined || may(permission))
  const wanted = {
    ...stretchOf({ since: 'quarter' }),
    until: midnight(dayIn(1)),
    kinds: kindsOf(families, []),
  }
  return (
    <Panel title="Who changed what" aside="The last 90 days">
      <Suspense fallback={<SkeletonBlock />}>
        <ChangesOfAsset assetId={assetId} wanted={wanted} />
      </Suspense>
    </Panel>
  )
}
