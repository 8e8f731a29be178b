import { Link } from '@tanstack/react-router'
import { ChevronRight, Unplug } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { lazyScreen } from '#api/lazy-screen.ts'
import { AssetIcon } from '#features/assets/asset-icon.tsx'
import { assetTypes } from '#features/assets/asset-types.ts'
import { DeviceIcon, isDeviceType } from '#features/assets/recognition/device-icon.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import type { ChangeSearch } from './change-search-params.ts'
import { summaryOf, whoName, type ChangedAsset } from './change-words.ts'
import styles from './changed-asset-row.module.css'
import type { WantedOfAsset } from './changes-of-asset.tsx'

const ChangesOfAsset = lazyScreen(() => import('./changes-of-asset.tsx'), 'ChangesOfAsset')

interface ChangedAssetRowProps {
  readonly asset: ChangedAsset
  readonly wanted: WantedOfAsset
  readonly search: ChangeSearch
}

/** What changed on an asset in one line; opened, each change. */
export function ChangedAssetRow({ asset, wanted, search }: ChangedAssetRowProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { assetId, assetName, lastAt, changedBy } = asset
  const name = assetId === null ? 'The organisation' : assetName || 'without a name'
  return (
    <li className={styles['asset']}>
      <div className={styles['line']}>
        <button
          type="button"
          className={styles['toggle']}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Changes of ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden />
        </button>
        <Name asset={asset} name={name} />
        <span className={styles['summary']}>{summaryOf(asset)}</span>
        <span className={styles['who']}>
          {changedBy.map((it) => (
            <Link
              key={it}
              to="/changes"
              search={{ ...search, by: it }}
              title={`Only what ${whoName(it)} did`}
            >
              {whoName(it)}
            </Link>
          ))}
        </span>
        <span className={styles['when']}>
          <Time at={lastAt} />
        </span>
      </div>
      <div id={id} className={isOpen ? styles['opened'] : undefined}>
        {isOpen && (
          <Suspense fallback={<SkeletonBlock />}>
            <ChangesOfAsset assetId={assetId} wanted={wanted} />
          </Suspense>
        )}
      </div>
    </li>
  )
}

/** Of what the device is, where that is known. */
function RowIcon({ asset: { assetType, deviceType } }: Pick<ChangedAssetRowProps, 'asset'>) {
  const type = assetTypes.find((it) => it === assetType)
  if (!type) return <Unplug size={15} strokeWidth={1.7} aria-hidden />
  return deviceType !== null && deviceType !== 'unknown' && isDeviceType(deviceType) ? (
    <DeviceIcon type={deviceType} size={15} />
  ) : (
    <AssetIcon type={type} />
  )
}

function Name({ asset, name }: { readonly asset: ChangedAsset; readonly name: string }) {
  const type = assetTypes.find((it) => it === asset.assetType)
  return (
    <span className={styles['name']}>
      <RowIcon asset={asset} />
      {asset.assetId !== null && type ? (
        <Link to="/assets/$assetId" params={{ assetId: asset.assetId }}>
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      )}
    </span>
  )
}
