import type { AssetRow } from '#api/generated/assets.ts'
import { kindName, KindIcon } from '../asset-kind.tsx'
import { madeName } from '../made-name.ts'
import styles from './asset-preview.module.css'

/** The asset that a merge or unlink would produce, in a few lines. */
export function AssetPreview({ title, asset }: { readonly title: string; readonly asset: AssetRow }) {
  const facts = [
    ['Type', kindName(asset)],
    ['Address', asset.ipAddress],
    ['MAC', asset.macAddress],
    ['System', asset.os],
    ['Model', madeName(asset)],
    ['Serial', asset.serial],
  ].filter(([, value]) => value)
  return (
    <section className={styles['card']} aria-label={title}>
      <h3 className={styles['title']}>{title}</h3>
      <p className={styles['name']}>
        <KindIcon {...asset} /> {asset.name}
      </p>
      <dl className={styles['facts']}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
