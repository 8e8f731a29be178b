import { Link } from '@tanstack/react-router'
import { usePermission } from '#api/use-permission.ts'
import { ASSET_TABS, readAssetTab, type AssetTab } from './asset-tab.ts'
import styles from './asset-page.module.css'

const TABS = Object.keys(ASSET_TABS) as AssetTab[]

/** Links to the parts of an asset's page. */
export function AssetTabs({ assetId }: { readonly assetId: string }) {
  const may = usePermission()
  const shown = TABS.filter((tab) => tab !== 'findings' || may('vulnerabilities:read'))
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
