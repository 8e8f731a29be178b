import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrivalsDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { AssetIcon } from '#features/assets/asset-icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import styles from './new-assets.module.css'

/** The assets discovered most recently. */
export function NewAssets() {
  const { data } = useQuery(q(ArrivalsDocument, {}))
  return (
    <Panel
      title="Newest assets"
      aside={
        <Link to="/assets" search={{ sort: 'firstSeen' }}>
          All
        </Link>
      }
    >
      {!data && <SkeletonBlock />}
      <ul>
        {data?.assets.items.map(({ id, name, assetType, ipAddress, firstSeen }) => (
          <li key={id} className={styles['arrival']}>
            <AssetIcon type={assetType} />
            <Link to="/assets/$assetId" params={{ assetId: id }} className={styles['name']}>
              {name}
            </Link>
            <code className="quiet">{ipAddress}</code>
            <span className={styles['when']}>
              <Time at={firstSeen} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
