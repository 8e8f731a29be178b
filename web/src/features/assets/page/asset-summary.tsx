import type { ReactNode } from 'react'
import type { AssetRow } from '#api/generated/assets.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Time } from '#ui/time.tsx'
import styles from './asset-summary.module.css'
import { madeName } from '../made-name.ts'

/** Addresses, operating system, model and times in one line. */
export function AssetSummary({ asset }: { readonly asset: AssetRow }) {
  const { ipAddress, macAddress, os, serial } = asset
  return (
    <dl className={styles['strip']}>
      <Code name="IP address" value={ipAddress} />
      <Code name="MAC address" value={macAddress} />
      <Fact name="Operating system">{os}</Fact>
      <Fact name="Make and model">{madeName(asset)}</Fact>
      <Code name="Serial" value={serial} />
      <Fact name="First seen">
        <Time at={asset.firstSeen} />
      </Fact>
      <Fact name="Last seen">
        <Time at={asset.lastSeen} />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles['fact']}>
      <dt className={styles['name']}>{name}</dt>
      <dd className={styles['value']}>{children || <span className="quiet">–</span>}</dd>
    </div>
  )
}

function Code({ name, value }: { readonly name: string; readonly value: string }) {
  if (value === '') return <Fact name={name}>{''}</Fact>
  return (
    <Fact name={name}>
      <span className="mono">{value}</span>
      <CopyButton value={value} label={`Copy the ${name}`} />
    </Fact>
  )
}
