import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useEffect, useState } from 'react'
import { DiscoveryHostsDocument, type DiscoveryHostsData } from '#api/generated/discoveries.ts'
import { q } from '#api/query-client.ts'
import { inSentence, sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import styles from './discoveries.module.css'
import { outcomeWords } from './discovery-words.ts'

type Host = DiscoveryHostsData['discoveryHosts']['items'][number]

interface RunHostsProps {
  readonly runId: string
  readonly isUnderWay: boolean
}

const SIZE = 50
const REFRESH_MS = 3_000
const CHANGES = ['new', 'changed', 'unchanged', 'gone'].map((value) => ({
  value,
  label: sentenceCase(value),
}))
const OUTCOMES = Object.entries(outcomeWords).map(([value, label]) => ({ value, label }))

/** The live hosts of a run with the result of each login, filtered by result and change. */
export function RunHosts({ runId, isUnderWay }: RunHostsProps) {
  const [offset, setOffset] = useOffset('Hosts')
  const [outcome, setOutcome] = useState<string | null>(null)
  const [change, setChange] = useState<string | null>(null)
  const filter = { ...(outcome !== null && { outcome }), ...(change !== null && { change }) }
  const { data, error, refetch } = useQuery({
    ...q(DiscoveryHostsDocument, { runId, ...filter, first: SIZE, offset }),
    placeholderData: keepPreviousData,
    refetchInterval: isUnderWay ? REFRESH_MS : false,
  })
  // the run's end is noticed apart from its hosts, of which the last may have been done since they were read
  useEffect(() => {
    if (!isUnderWay) void refetch()
  }, [isUnderWay, refetch])
  const page = data?.discoveryHosts
  const choose = (set: (value: string | null) => void) => (value: string | null) => {
    set(value)
    setOffset(0)
  }
  return (
    <Panel
      title="Hosts"
      aside={
        <Filters
          outcome={outcome}
          change={change}
          onOutcome={choose(setOutcome)}
          onChange={choose(setChange)}
        />
      }
      isFlush
    >
      <DataTable
        label="Hosts of the run"
        columns={columns}
        rows={page?.items}
        keyOf={({ address }) => address}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={Server} title={isUnderWay ? 'Nothing found so far' : 'No host'}>
            {outcome === null && change === null ? 'No address has answered.' : 'No host is like that.'}
          </EmptyState>
        }
      />
      {page && <Pagination total={page.total} offset={offset} size={SIZE} onOffset={setOffset} />}
    </Panel>
  )
}

interface FiltersProps {
  readonly outcome: string | null
  readonly change: string | null
  readonly onOutcome: (outcome: string | null) => void
  readonly onChange: (change: string | null) => void
}

const Filters = ({ outcome, change, onOutcome, onChange }: FiltersProps) => (
  <span className={styles['filters']}>
    <Select
      aria-label="Result"
      placeholder="Any result"
      clearable
      data={OUTCOMES}
      value={outcome}
      onChange={onOutcome}
    />
    <Select
      aria-label="Change"
      placeholder="Any change"
      clearable
      data={CHANGES}
      value={change}
      onChange={onChange}
    />
  </span>
)

const TONES = { logged_in: 'good', refused: 'bad', unanswered: 'none', not_asked: 'none' } as const
const SIGNS = { logged_in: '✓', refused: '!', unanswered: '…', not_asked: '○' } as const

const columns: readonly Column<Host>[] = [
  {
    title: 'Host',
    cell: ({ address, name, assetId, assetName }) => (
      <TwoLines below={<code>{address}</code>}>
        {assetId === null ? (
          name
        ) : (
          <Link to="/assets/$assetId" params={{ assetId }}>
            {assetName ?? name}
          </Link>
        )}
      </TwoLines>
    ),
  },
  {
    title: 'Result',
    cell: ({ outcome, change, isDone }) => {
      if (change === 'gone') return <Badge tone="none">Gone</Badge>
      if (outcome === null) return <span className="quiet">{isDone ? '' : 'Under way'}</span>
      return (
        <Badge tone={TONES[outcome]} sign={SIGNS[outcome]}>
          {outcomeWords[outcome]}
        </Badge>
      )
    },
  },
  { title: 'Logins', isMinor: true, cell: ({ logins }) => <Logins logins={logins} /> },
  {
    title: 'Change',
    isMinor: true,
    cell: ({ change, changedFields }) =>
      change === null ? '' : [sentenceCase(change), ...changedFields].join(', '),
  },
]

/** Kinds of login that were left out at a host that another one was tried at are folded away. */
function Logins({ logins }: Pick<Host, 'logins'>) {
  const tried = logins.filter(({ outcome }) => outcome !== 'not_asked')
  const others = logins.filter(({ outcome }) => outcome === 'not_asked')
  const isFolded = tried.length > 0 && others.length > 1
  return (
    <span className={styles['logins']}>
      {(isFolded ? tried : logins).map((login) => (
        <Login key={login.type} login={login} />
      ))}
      {isFolded && (
        <details>
          <summary className="quiet">{others.map(({ type }) => type).join(', ')}: not asked</summary>
          <span className={styles['logins']}>
            {others.map((login) => (
              <Login key={login.type} login={login} />
            ))}
          </span>
        </details>
      )}
    </span>
  )
}

function Login({ login }: { readonly login: Host['logins'][number] }) {
  const { type, scanId, outcome, message } = login
  return (
    <span>
      {scanId === null ? (
        type
      ) : (
        <Link to="/scans/$scanId" params={{ scanId }}>
          {type}
        </Link>
      )}
      <span className="quiet">
        {' '}
        {outcome === null ? 'under way' : inSentence(outcomeWords[outcome])}
        {outcome !== null && outcome !== 'logged_in' && `: ${message}`}
      </span>
    </span>
  )
}
