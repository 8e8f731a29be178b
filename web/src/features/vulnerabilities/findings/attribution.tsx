import type { FindingData } from '#api/generated/vulnerabilities.ts'
import { Badge } from '#ui/badge.tsx'
import { Time } from '#ui/time.tsx'
import styles from './attribution.module.css'
import { derivationSteps } from './derivation.ts'
import { MatchMark } from '../finding-badges.tsx'

interface AttributionProps {
  readonly attribution: FindingData['finding']['attributions'][number]
}

/**
 * One attribution: advisory record, matched software, version rule and period. Ended attributions are displayed with
 * their end.
 */
export function Attribution({ attribution }: AttributionProps) {
  const { feed, record, software, matchType, confidence, foundAt, endedAt, endedBecause, derivation } =
    attribution
  return (
    <article className={styles['attribution']} data-ended={endedAt !== null}>
      <header className={styles['head']}>
        <span>
          <strong>{record}</strong>{' '}
          <span className="quiet">
            of {feed}, about {software}
          </span>
        </span>
        <MatchMark matchType={matchType} confidence={confidence} />
      </header>
      <dl className={styles['facts']}>
        {derivationSteps(derivation).map(({ name, texts }) => (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            {texts.map((text) => (
              <dd key={text}>{text}</dd>
            ))}
          </div>
        ))}
      </dl>
      <footer className={styles['foot']}>
        Found <Time at={foundAt} />
        {endedAt !== null && (
          <>
            <Badge sign="×">Ended</Badge> <Time at={endedAt} />
            {endedBecause ? `: ${endedBecause}` : ''}
          </>
        )}
      </footer>
    </article>
  )
}
