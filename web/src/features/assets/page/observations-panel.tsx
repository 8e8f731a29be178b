import { Code } from '@mantine/core'
import type { AssetObservation } from '#api/generated/asset.ts'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { identifierName } from '../evidence/identifier-labels.ts'
import styles from './observations-panel.module.css'
import { sourceName } from '../source-name.ts'

/** The observations of each source, unchanged. */
export function ObservationsPanel({ observations }: { readonly observations: readonly AssetObservation[] }) {
  return (
    <Panel title="Observations by source">
      {observations.map((observation) => (
        <details key={observation.id} className={styles['seen']}>
          <summary className={styles['summary']}>
            <span className={styles['source']}>{sourceName(observation.source)}</span>
            <code className="quiet">{observation.sourceKey}</code>
            <span className={styles['when']}>
              first <Time at={observation.firstSeen} />, last <Time at={observation.lastSeen} />
            </span>
          </summary>
          <ul className={styles['identifiers']}>
            {observation.identifiers.map(({ type, value, lastSeen }) => (
              <li key={`${type} ${value}`} data-gone={lastSeen !== null || undefined}>
                <span className="quiet">{identifierName(type)}</span> <code>{value}</code>
                {lastSeen !== null && (
                  <span className="quiet">
                    {' '}
                    not since <Time at={lastSeen} />
                  </span>
                )}
              </li>
            ))}
          </ul>
          <Code block className={styles['payload']} tabIndex={0}>
            {JSON.stringify(observation.payload, null, 2)}
          </Code>
        </details>
      ))}
    </Panel>
  )
}
