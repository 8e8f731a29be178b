import type { DiscoveryRunData } from '#api/generated/discoveries.ts'
import { Badge } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import styles from './discoveries.module.css'

type Restraint = Pick<DiscoveryRunData['discoveryRun'], 'stops' | 'slowed'>

/** Where the run asked no more so that it does no harm, how it was slowed, and why. Nothing when it was not. */
export function RunRestraint({ stops, slowed }: Restraint) {
  if (stops.length === 0 && slowed === '') return null
  return (
    <Panel title="Held back">
      {slowed !== '' && <p className={styles['slowed']}>{slowed}</p>}
      {stops.length > 0 && (
        <ul className={styles['stops']} aria-label="Asked no more">
          {stops.map(({ at, reason, isHarm }) => (
            <li key={at}>
              <Badge tone={isHarm ? 'bad' : 'none'} sign={isHarm ? '!' : '…'}>
                {isHarm ? 'Stopped' : 'Gone'}
              </Badge>{' '}
              <code>{at === 'all' ? 'everything' : at}</code> {reason}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
