import { useRouteContext } from '@tanstack/react-router'
import { usePermission } from '#api/use-permission.ts'
import { TouchesPanel } from '#features/scans/touches-panel.tsx'
import { RelationsPanel } from '#features/topology/relations-panel.tsx'
import styles from '../asset-page.module.css'
import { InterfacesPanel } from '../interfaces-panel.tsx'
import { OpenPortsPanel } from '../open-ports-panel.tsx'
import type { AssetTabProps } from './asset-tab-props.ts'

export function NetworkTab({ asset, mayWrite }: AssetTabProps) {
  const { session } = useRouteContext({ from: '/app' })
  const may = usePermission()
  return (
    <div className={styles['columns']}>
      <div className={styles['main']}>
        <OpenPortsPanel observations={asset.observations} />
        <InterfacesPanel interfaces={asset.interfaces} />
        {may('scans:read') && session.limitedTo === null && <TouchesPanel assetId={asset.id} />}
      </div>
      <div className={styles['side']}>
        <RelationsPanel assetId={asset.id} mayWrite={mayWrite} />
      </div>
    </div>
  )
}
