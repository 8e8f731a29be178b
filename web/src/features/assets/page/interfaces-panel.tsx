import type { AssetData } from '#api/generated/asset.ts'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import styles from './interfaces-panel.module.css'

type Interface = AssetData['asset']['interfaces'][number]

export function InterfacesPanel({ interfaces }: { readonly interfaces: readonly Interface[] }) {
  return (
    <Panel title="Interfaces" aside={interfaces.length || undefined}>
      {interfaces.length === 0 && <p className="quiet">No source told of a network interface.</p>}
      <ul>
        {interfaces.map(({ mac, addresses, lastSeen }) => (
          <li key={mac || addresses.join()} className={styles['interface']}>
            <div className={styles['line']}>
              <code className={styles['mac']}>{mac || 'no MAC known'}</code>
              <span className={styles['when']}>
                <Time at={lastSeen} />
              </span>
            </div>
            {addresses.map((address) => (
              <code key={address} className={styles['address']}>
                {address}
              </code>
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
