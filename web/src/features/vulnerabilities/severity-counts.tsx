import { Link } from '@tanstack/react-router'
import type { Severity } from '#api/generated/enums-and-inputs.ts'
import type { FindingsOverviewData } from '#api/generated/vulnerabilities.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { count, many } from '#lib/numbers.ts'
import type { FindingSearch } from './findings/finding-search-params.ts'
import { SEVERITIES, severityName } from './severities.ts'
import styles from './severity-counts.module.css'

interface SeverityCountsProps {
  readonly counts: FindingsOverviewData['findingsOverview']['counts']
  /** Assets with open findings that are not counted. */
  readonly staleAssets: number
  readonly search: FindingSearch
  /** Without loaded advisories a count of zero means unknown. */
  readonly isAssessed: boolean
}

/** Open findings by severity, each with a link to the list. */
export function SeverityCounts({ counts, staleAssets, search, isAssessed }: SeverityCountsProps) {
  const open = counts.filter(({ status }) => status === 'open')
  const whereOf = (severity: Severity): string =>
    compareTerm('severity', [severity]) + (staleAssets > 0 ? ' asset.stale = no' : '')
  return (
    <>
      <ul className={styles['figures']} aria-label="Open findings by severity">
        {SEVERITIES.map((severity) => {
          const n = open.find((it) => it.severity === severity)?.count ?? 0
          const isKnown = isAssessed || n > 0
          const isChosen = search.where === whereOf(severity)
          return (
            <li key={severity} className={styles['figure']} data-severity={severity} data-empty={n === 0}>
              <Link
                to="/vulnerabilities"
                search={isChosen ? {} : { where: whereOf(severity) }}
                aria-current={isChosen || undefined}
                className={styles['link']}
              >
                <span className={styles['name']}>{severityName(severity)}</span>
                <span className={styles['number']}>{isKnown ? count(n) : '–'}</span>
                <span className={styles['note']}>{isKnown ? findings(n) : 'not assessed'}</span>
              </Link>
            </li>
          )
        })}
      </ul>
      {staleAssets > 0 && (
        <p className={styles['left-out']}>
          Without{' '}
          <Link to="/assets" search={{ where: 'stale = yes any finding()' }}>
            {many(staleAssets, 'stale asset')}
          </Link>
          , which no source has seen for longer than expected.
        </p>
      )}
    </>
  )
}

const findings = (n: number): string => (n === 1 ? 'open finding' : 'open findings')
