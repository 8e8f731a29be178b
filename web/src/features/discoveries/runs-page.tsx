import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import {
  DiscoveryRunListDocument,
  type DiscoveryRunListData,
  type DiscoveryRunRow,
} from '#api/generated/discoveries.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { readListSearch } from '#features/lists/list-search.ts'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { useRefreshWhile } from '#features/lists/use-refresh-while.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { isUnderWay } from './discovery-words.ts'
import { discoveryRunColumns } from './run-columns.tsx'
import { DiscoveryRunPreview } from './run-preview.tsx'

const source = {
  operation: DiscoveryRunListDocument,
  rowsIn: ({ discoveryRuns }: DiscoveryRunListData) => discoveryRuns,
}

const FACETS: readonly FacetField[] = [
  { field: 'status', label: 'State', isWord: true },
  { field: 'name', label: 'Discovery' },
  { field: 'trigger', label: 'Started by', isWord: true },
]

const VIEWS = [
  { name: 'All runs', search: {} },
  { name: 'Failed this week', search: { where: 'status = failed and created_at >= -7d' } },
  { name: 'With refused logins', search: { where: 'refused > 0', sort: 'refused', direction: 'desc' } },
] as const

/** The runs of all discoveries. */
export function DiscoveryRunsPage() {
  const search = useSearch({ from: '/app/discoveries/runs', select: readListSearch, structuralSharing: true })
  const preview = usePreview()
  const layout = useColumnLayout<DiscoveryRunRow, ListColumn<DiscoveryRunRow>>({
    subject: 'discovery_run',
    all: discoveryRunColumns,
    search,
  })
  const rows = useListRows(search, source)
  useRefreshWhile(rows.loaded.some(isUnderWay), DiscoveryRunListDocument)
  return (
    <ListFrame
      subject="discovery_run"
      title="Runs of discoveries"
      label="Runs of discoveries"
      file="discovery-runs.csv"
      loading="Loading runs"
      description="Every sweep with its logins: what it found, where logins were refused, and what changed since the run before."
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/discoveries" {...props} />}>
          Discoveries
        </Button>
      }
      box={{
        label: 'Search runs',
        placeholder: 'Name, address or error … or status, refused, new_hosts …',
        hint: 'Words search names, addresses and what runs said. A field such as refused makes it a condition.',
      }}
      usual={{ sort: 'created_at', direction: 'desc' }}
      facets={FACETS}
      views={VIEWS}
      read={readListSearch}
      nameOf={({ name, status }) => `${name} ${status}`}
      pathOf={({ id }) => `/discoveries/${id}`}
      nothingYet={
        <EmptyState
          icon={Radar}
          title="No run yet"
          action={<Button renderRoot={(props) => <Link to="/discoveries" {...props} />}>Discoveries</Button>}
        >
          Run a discovery, or scan assets at once from their page or list.
        </EmptyState>
      }
      previewPanel={
        preview.opened !== undefined && <DiscoveryRunPreview id={preview.opened} onClose={preview.close} />
      }
      {...{ search, rows, layout, preview }}
    />
  )
}
