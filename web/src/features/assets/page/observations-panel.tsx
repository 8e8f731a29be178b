import { Code } from '@mantine/core'
import type { SeenBy } from '#api/generated/operations.ts'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { identifierName } from '../evidence/identifier-labels.ts'
import styles from './observations-panel.module.css'
import { sourceName } from '../source-name.ts'

/** The observations of each source, unchanged. */
export function ObservationsPanel({ observations }: { readonly observations: readonly SeenBy[] }) {
  return (
    <Panel title="Observations by source">
      {observations.map((seen) => (
        <details key={seen.id} className={styles['seen']}>
          <summary className={styles['summary']}>
            <span className={styles['source']}>{sourceName(seen.source)}</span>
            <code className="quiet">{seen.sourceKey}</code>
            <span className={styles['when']}>
              first <Time at={seen.firstSeen} />, last <Time at={seen.lastSeen} />
            </span>
          </summary>
          <ul className={styles['identifiers']}>
            {seen.identifiers.map(({ type, value, lastSeen }) => (
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
            {JSON.stringify(seen.payload, null, 2)}
          </Code>
        </details>
      ))}
    </Panel>
  )
}
