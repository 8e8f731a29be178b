import { Link } from '@tanstack/react-router'
import type { FindingsOverviewData } from '#api/generated/operations.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { count } from '#lib/numbers.ts'
import type { FindingSearch } from './findings/finding-search-params.ts'
import { SEVERITIES, severityName } from './severities.ts'
import styles from './severity-counts.module.css'

interface SeverityCountsProps {
  readonly counts: FindingsOverviewData['findingsOverview']['counts']
  readonly search: FindingSearch
  /** Without loaded advisories a count of zero means unknown. */
  readonly isAssessed: boolean
}

/** Open findings by severity, each with a link to the list. */
export function SeverityCounts({ counts, search, isAssessed }: SeverityCountsProps) {
  const open = counts.filter(({ status }) => status === 'open')
  return (
    <ul className={styles['figures']} aria-label="Open findings by severity">
      {SEVERITIES.map((severity) => {
        const n = open.find((it) => it.severity === severity)?.count ?? 0
        const isKnown = isAssessed || n > 0
        const isChosen = search.where === compareTerm('severity', [severity])
        return (
          <li key={severity} className={styles['figure']} data-severity={severity} data-empty={n === 0}>
            <Link
              to="/vulnerabilities"
              search={isChosen ? {} : { where: compareTerm('severity', [severity]) }}
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
  )
}

const findings = (n: number): string => (n === 1 ? 'open finding' : 'open findings')
