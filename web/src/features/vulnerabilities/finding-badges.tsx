import type { FindingStatus, MatchType, Severity } from '#api/generated/enums-and-inputs.ts'
import { decimal, percent, percentTo } from '#lib/numbers.ts'
import { inWords } from '#lib/in-words.ts'
import { Badge, type Tone } from '#ui/badge.tsx'
import { severityName } from './severities.ts'
import styles from './finding-badges.module.css'

interface SeverityMarkProps {
  readonly severity: Severity
  readonly score: number
  /** False: no feed publishes a score; it is the middle of the severity's band. */
  readonly isScored?: boolean
}

/** Score and severity. */
export function SeverityMark({ severity, score, isScored = true }: SeverityMarkProps) {
  return (
    <span className={styles['mark']} data-severity={severity}>
      <span
        className={styles['score']}
        title={isScored ? undefined : 'No score is published; the middle of the band'}
      >
        {isScored ? '' : '~'}
        {decimal(score, 1)}
      </span>
      {severityName(severity)}
    </span>
  )
}

const STATUSES: Readonly<Record<FindingStatus, readonly [string, Tone, '●' | '○' | '✓' | '×']>> = {
  open: ['Open', 'bad', '●'],
  resolved: ['Resolved', 'good', '✓'],
  accepted: ['Risk accepted', 'info', '○'],
  false_positive: ['False positive', 'none', '×'],
  not_affected: ['Not affected', 'none', '×'],
}

export const statusName = (status: FindingStatus): string => STATUSES[status][0]

/** Why nothing confirms what a registry says of a library. */
export const UNCONFIRMED_BECAUSE =
  'Not all packages of the distribution are known on this asset: it may have built this library with the fix, and was not asked.'

interface StatusBadgeProps {
  readonly status: FindingStatus
  readonly isUnconfirmed?: boolean
}

export function StatusBadge({ status, isUnconfirmed = false }: StatusBadgeProps) {
  const [words, tone, sign] = STATUSES[status]
  if (isUnconfirmed && status === 'open')
    return (
      <span title={UNCONFIRMED_BECAUSE}>
        <Badge tone="warn" sign="◐">
          Unconfirmed
        </Badge>
      </span>
    )
  return (
    <Badge tone={tone} sign={sign}>
      {words}
    </Badge>
  )
}

const MATCHES: Readonly<Record<MatchType, string>> = {
  exact: 'Exact: an advisory for this very package, or a confirmed identity',
  fuzzy: 'Fuzzy: its name was mapped to the catalogue’s',
  heuristic: 'Heuristic: a banner, or a record without clear versions',
}

/** Match type and confidence. */
export function MatchMark({
  matchType,
  confidence,
}: {
  readonly matchType: MatchType
  readonly confidence: number
}) {
  return (
    <span title={MATCHES[matchType]} className={styles['match']}>
      {inWords(matchType)} <span className="quiet">{percent(confidence)}</span>
    </span>
  )
}

/** KEV entry, or EPSS score. */
export function Threat({
  kevAddedOn,
  epss,
}: {
  readonly kevAddedOn: string | null
  readonly epss: number | null
}) {
  if (kevAddedOn !== null)
    return (
      <Badge tone="bad" sign="!">
        Exploited
      </Badge>
    )
  if (epss === null) return <span className="quiet">–</span>
  return <span title="Likelihood of exploitation within 30 days, by FIRST’s EPSS">{likelihood(epss)}</span>
}

const likelihood = (epss: number): string =>
  epss < 0.001 ? `<${percentTo(0.001, 1)}` : percentTo(epss, epss < 0.1 ? 1 : 0)
