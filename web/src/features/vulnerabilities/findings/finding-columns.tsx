import { Link } from '@tanstack/react-router'
import type { FindingRow } from '#api/generated/vulnerabilities.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { count } from '#lib/numbers.ts'
import { usePreview } from '#ui/table/use-address-value.ts'
import { Time } from '#ui/time.tsx'
import { MatchMark, SeverityMark, StatusBadge, Threat } from '../finding-badges.tsx'
import styles from './findings-page.module.css'

export const findingName = ({ cveId, assetName }: FindingRow): string => `${cveId} on ${assetName}`

export const findingColumns: readonly ListColumn<FindingRow>[] = [
  { key: 'name', title: 'CVE', width: 9, grow: 0.3, cell: (row) => <Cve row={row} />, sort: 'cveId' },
  {
    key: 'severity',
    title: 'Severity',
    width: 7,
    cell: ({ severity, cvssScore, isScored }) => (
      <SeverityMark severity={severity} score={cvssScore} isScored={isScored} />
    ),
    sort: 'score',
    isGreatestFirst: true,
  },
  {
    key: 'asset',
    title: 'Asset',
    width: 7.5,
    grow: 0.8,
    cell: ({ assetId, assetName }) => (
      <Link to="/assets/$assetId" params={{ assetId }} title={assetName}>
        {assetName}
      </Link>
    ),
    sort: 'assetName',
  },
  {
    key: 'software',
    title: 'Software',
    width: 8,
    grow: 1.2,
    cell: ({ software }) => <span title={software}>{software}</span>,
    sort: 'software',
  },
  {
    key: 'fix',
    title: 'Fixed in',
    width: 6,
    grow: 0.6,
    cell: ({ fixedVersion }) =>
      fixedVersion === '' ? (
        <span className="quiet">no fix is known</span>
      ) : (
        <span title={fixedVersion}>{fixedVersion}</span>
      ),
  },
  {
    key: 'threat',
    title: 'Threat',
    width: 5.5,
    cell: ({ kevAddedOn, epss }) => <Threat kevAddedOn={kevAddedOn} epss={epss} />,
    sort: 'epss',
    isGreatestFirst: true,
  },
  {
    key: 'affected',
    title: 'Assets',
    width: 4,
    cell: (row) => <AffectedAssets row={row} />,
    sort: 'affectedAssets',
    isGreatestFirst: true,
  },
  {
    key: 'status',
    title: 'Status',
    width: 8,
    grow: 0.3,
    cell: ({ status, isUnconfirmed }) => <StatusBadge status={status} isUnconfirmed={isUnconfirmed} />,
    sort: 'status',
  },
  {
    key: 'found',
    title: 'Found',
    width: 6.5,
    fillsWidth: true,
    cell: ({ foundAt }) => <Time at={foundAt} />,
    sort: 'foundAt',
    isGreatestFirst: true,
  },
  {
    key: 'match',
    title: 'Match',
    width: 7,
    cell: ({ matchType, confidence }) => <MatchMark matchType={matchType} confidence={confidence} />,
    sort: 'confidence',
    isGreatestFirst: true,
    isExtra: true,
  },
  {
    key: 'changed',
    title: 'Changed',
    width: 6.5,
    cell: ({ changedAt }) => <Time at={changedAt} />,
    sort: 'changedAt',
    isGreatestFirst: true,
    isExtra: true,
  },
]

function Cve({ row: { id, cveId } }: { readonly row: FindingRow }) {
  const { open } = usePreview()
  return (
    <button type="button" className={styles['open']} onClick={() => open(id)}>
      {cveId}
    </button>
  )
}

/** On how many assets the CVE is open, with a link to its page. */
const AffectedAssets = ({ row: { cveId, affectedAssets } }: { readonly row: FindingRow }) => (
  <Link
    to="/vulnerabilities/$cveId"
    params={{ cveId }}
    className={styles['all']}
    aria-label={`${count(affectedAssets)} with ${cveId}`}
  >
    {count(affectedAssets)}
  </Link>
)
