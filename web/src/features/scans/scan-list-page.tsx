import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import { ScanListDocument, type ScanListData, type ScanRow } from '#api/generated/scans.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { readListSearch } from '#features/lists/list-search.ts'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { useRefreshWhile } from '#features/lists/use-refresh-while.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { scanColumns } from './scan-columns.tsx'
import { ScanPreview } from './scan-preview.tsx'
import { isInProgress } from './scan-status.tsx'

const source = { operation: ScanListDocument, rowsIn: ({ scans }: ScanListData) => scans }

const FACETS: readonly FacetField[] = [
  { field: 'status', label: 'State', isWord: true },
  { field: 'type', label: 'Type' },
  { field: 'target', label: 'Target' },
  { field: 'of_discovery', label: 'Part of a discovery', isWord: true },
]

const VIEWS = [
  { name: 'All scans', search: {} },
  { name: 'Failed this week', search: { where: 'status = failed and created_at >= -7d' } },
  { name: 'Slowest', search: { where: 'has duration', sort: 'duration', direction: 'desc' } },
] as const

/** Every scan that is kept. */
export function ScanListPage() {
  const search = useSearch({ from: '/app/scans/all', select: readListSearch, structuralSharing: true })
  const preview = usePreview()
  const layout = useColumnLayout<ScanRow, ListColumn<ScanRow>>({ subject: 'scan', all: scanColumns, search })
  const rows = useListRows(search, source)
  useRefreshWhile(
    rows.loaded.some(({ status }) => isInProgress(status)),
    ScanListDocument,
  )
  return (
    <ListFrame
      subject="scan"
      title="All scans"
      label="All scans"
      file="scans.csv"
      loading="Loading scans"
      description="Sweeps and logins, those of discoveries included: what each looked at, what it found, and why it failed."
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/scans" {...props} />}>
          Targets
        </Button>
      }
      box={{
        label: 'Search scans',
        placeholder: 'Address or error … or status, type, hosts, duration …',
        hint: 'Words search targets and what scans said. A field such as status or hosts makes it a condition.',
      }}
      usual={{ sort: 'created_at', direction: 'desc' }}
      facets={FACETS}
      views={VIEWS}
      read={readListSearch}
      nameOf={({ type, targetAddress }) => `${type} ${targetAddress}`}
      pathOf={({ id }) => `/scans/${id}`}
      nothingYet={
        <EmptyState
          icon={Radar}
          title="No scan yet"
          action={<Button renderRoot={(props) => <Link to="/scans" {...props} />}>Open targets</Button>}
        >
          Start a scan of a target, and see here what it finds.
        </EmptyState>
      }
      previewPanel={
        preview.opened !== undefined && <ScanPreview id={preview.opened} onClose={preview.close} />
      }
      {...{ search, rows, layout, preview }}
    />
  )
}
