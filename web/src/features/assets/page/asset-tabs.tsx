import { Link, useRouteContext } from '@tanstack/react-router'
import { usePermission } from '#api/use-permission.ts'
import { ASSET_TABS, readAssetTab, type AssetTab } from './asset-tab.ts'
import styles from './asset-page.module.css'

const TABS = Object.keys(ASSET_TABS) as AssetTab[]

/** Links to the parts of an asset's page. */
export function AssetTabs({ assetId }: { readonly assetId: string }) {
  const may = usePermission()
  const { session } = useRouteContext({ from: '/app' })
  const isShown: Partial<Record<AssetTab, boolean>> = {
    findings: may('vulnerabilities:read'),
    // controls are judged over all assets, so people who see a part of them are told nothing of checks
    compliance: may('compliance:read') && session.limitedTo === null,
  }
  const shown = TABS.filter((tab) => isShown[tab] ?? true)
  return (
    <nav className={styles['tabs']} aria-label="Parts of the asset">
      {shown.map((tab) => (
        <Link
          key={tab}
          to="/assets/$assetId"
          params={{ assetId }}
          search={readAssetTab({ tab })}
          activeOptions={{ exact: true, includeSearch: true }}
          resetScroll={false}
          className={styles['tab']}
        >
          {ASSET_TABS[tab]}
        </Link>
      ))}
    </nav>
  )
}
