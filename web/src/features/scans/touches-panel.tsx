import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Radar } from 'lucide-react'
import { DeviceTouchesDocument, type DeviceTouchesData } from '#api/generated/scans.ts'
import { q } from '#api/query-client.ts'
import { inTenant } from '#api/tenant-url.ts'
import { decimal, many } from '#lib/numbers.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'

type Touch = DeviceTouchesData['deviceTouches']['items'][number]

const SIZE = 10

/** What scans sent to an asset, when and why. */
export function TouchesPanel({ assetId }: { readonly assetId: string }) {
  const [offset, setOffset] = useOffset('Touches')
  const { data, error, refetch } = useQuery({
    ...q(DeviceTouchesDocument, { assetId, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.deviceTouches.total
  return (
    <Panel
      title="Touched by scans"
      aside={total !== undefined && total > 0 && <FileButton assetId={assetId} />}
      isFlush
    >
      <DataTable
        label="What scans sent to this asset"
        columns={columns}
        rows={data?.deviceTouches.items}
        keyOf={({ scanId, address }) => `${scanId} ${address}`}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={Radar} title="Not touched">
            No scan of the last 400 days sent anything to this asset.
          </EmptyState>
        }
      />
      {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
    </Panel>
  )
}

const FileButton = ({ assetId }: { readonly assetId: string }) => (
  <Button
    component="a"
    variant="default"
    size="compact-sm"
    leftSection={<Download size={12} aria-hidden />}
    href={inTenant(`/files/touches.csv?assetId=${assetId}`)}
    download="touches.csv"
  >
    CSV
  </Button>
)

const columns: readonly Column<Touch>[] = [
  {
    title: 'When',
    cell: ({ beganAt, address }) => (
      <TwoLines below={<code>{address}</code>}>
        <Time at={beganAt} />
      </TwoLines>
    ),
  },
  { title: 'Why', cell: (touch) => <Why touch={touch} /> },
  {
    title: 'Sent',
    align: 'right',
    cell: ({ packets, isEstimated, probes, logins, seconds }) => (
      <TwoLines below={`${many(probes, 'probe')}, ${many(logins, 'login')}, ${decimal(seconds, 1)} s`}>
        {isEstimated && 'about '}
        {many(packets, 'packet')}
      </TwoLines>
    ),
  },
]

const CAUSES = { manual: 'by hand', schedule: 'on schedule', scan_now: 'scan now', scan: '' } as const

function Why({ touch: { scanId, scanType, cause, runId, runName, startedBy } }: { readonly touch: Touch }) {
  const scan = (
    <Link to="/scans/$scanId" params={{ scanId }}>
      {scanType}
    </Link>
  )
  if (runId === null) return <TwoLines below={startedBy && `by ${startedBy}`}>{scan}</TwoLines>
  return (
    <TwoLines
      below={
        <>
          {scan}, {CAUSES[cause]}
        </>
      }
    >
      <Link to="/discoveries/$runId" params={{ runId }}>
        {runName}
      </Link>
    </TwoLines>
  )
}
