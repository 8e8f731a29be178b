import { Modal } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import { useState } from 'react'
import { ScanHostsDocument, ScanResultsDocument, type ScanHostRow } from '#api/generated/scans.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { HostChange } from './host-change.tsx'
import { OpenPorts } from './open-ports.tsx'
import styles from './scan-hosts.module.css'
import { ScanResult } from './scan-result.tsx'

const SIZE = 50
const REFRESH_MS = 3_000

interface ScanHostsProps {
  readonly scanId: string
  readonly isInProgress: boolean
}

/** The hosts that a scan found, with their assets, open ports, and what differs from the scan before. */
export function ScanHosts({ scanId, isInProgress }: ScanHostsProps) {
  const [offset, setOffset] = useOffset('Hosts')
  const [opened, setOpened] = useState<number>()
  const { data, error, refetch } = useQuery({
    ...q(ScanHostsDocument, { scanId, first: SIZE, offset }),
    placeholderData: keepPreviousData,
    refetchInterval: isInProgress ? REFRESH_MS : false,
  })
  const page = data?.scanHosts
  const rows = page?.items.map((host, at) => ({ ...host, at: offset + at }))
  return (
    <>
      <Panel title="Hosts" aside={<Aside total={page?.total} rows={page?.items} />} isFlush>
        <DataTable
          label="Hosts found"
          columns={[{ title: 'Host', cell: (row) => <HostName row={row} onOpen={setOpened} /> }, ...columns]}
          rows={rows}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={<NoHosts isInProgress={isInProgress} />}
        />
        {page && <Pagination total={page.total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      {page?.total === 1 && <HostResult scanId={scanId} at={0} />}
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title="What the scan read"
        size="56rem"
      >
        {opened !== undefined && <HostResult scanId={scanId} at={opened} />}
      </Modal>
    </>
  )
}

interface HostAt extends ScanHostRow {
  /** Index among the results of the scan, from 0. */
  readonly at: number
}

const columns: readonly Column<HostAt>[] = [
  { title: 'Kind', isMinor: true, cell: ({ assetType, deviceType }) => kindOf(assetType, deviceType) },
  {
    title: 'Open ports',
    cell: ({ ports, openedPorts }) => <OpenPorts ports={ports} opened={openedPorts} />,
  },
  { title: 'Change', cell: (host) => <HostChange host={host} /> },
]

interface HostNameProps {
  readonly row: HostAt
  readonly onOpen: (at: number) => void
}

function HostName({ row: { at, host, name, assetId, assetName }, onOpen }: HostNameProps) {
  const title = assetName ?? name
  return (
    <span className={styles['host']}>
      {assetId === null ? (
        title
      ) : (
        <Link to="/assets/$assetId" params={{ assetId }}>
          {title}
        </Link>
      )}
      {title !== host && <code className={styles['address']}>{host}</code>}
      <button
        type="button"
        className={styles['details']}
        aria-label={`What was read of ${host}`}
        onClick={() => onOpen(at)}
      >
        Details
      </button>
    </span>
  )
}

function kindOf(assetType: string | null, deviceType: string | null): string {
  if (assetType === null) return 'No asset'
  return sentenceCase(deviceType !== null && deviceType !== 'unknown' ? deviceType : assetType)
}

interface AsideProps {
  readonly total: number | undefined
  readonly rows: readonly ScanHostRow[] | undefined
}

function Aside({ total, rows }: AsideProps) {
  const compared = rows?.[0]?.comparedScanId ?? null
  return (
    <span className={styles['aside']}>
      {compared !== null && (
        <Link to="/scans/$scanId" params={{ scanId: compared }}>
          Compared with the scan before
        </Link>
      )}
      {total !== undefined && <Badge>{count(total)}</Badge>}
    </span>
  )
}

const NoHosts = ({ isInProgress }: { readonly isInProgress: boolean }) =>
  isInProgress ? (
    <EmptyState icon={Radar} title="No host found so far">
      Hosts are listed here as the scan finds them.
    </EmptyState>
  ) : (
    <EmptyState icon={Radar} title="No hosts are stored for this scan">
      It found no host, or it is more than 30 days old. What it found is in the inventory.
    </EmptyState>
  )

/** One result of the scan: parsed and raw. */
function HostResult({ scanId, at }: { readonly scanId: string; readonly at: number }) {
  const { data, error, refetch } = useQuery(q(ScanResultsDocument, { scanId, first: 1, offset: at }))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonBlock />
  return data.scanResults.items.map((result) => <ScanResult key={result.id} result={result} />)
}
