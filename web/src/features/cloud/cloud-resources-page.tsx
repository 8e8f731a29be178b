import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { Cloud } from 'lucide-react'
import {
  CloudResourcesDocument,
  type CloudResourceRow,
  type CloudResourcesData,
} from '#api/generated/cloud.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { cloudColumns } from './cloud-columns.tsx'
import { CloudResourcePreview } from './cloud-resource-preview.tsx'
import { readCloudSearch } from './cloud-search-params.ts'

const source = {
  operation: CloudResourcesDocument,
  rowsIn: ({ cloudResources }: CloudResourcesData) => cloudResources,
}

const FACETS: readonly FacetField[] = [
  { field: 'provider', label: 'Provider' },
  { field: 'type', label: 'Type', isWord: true },
  { field: 'region', label: 'Region' },
  { field: 'account', label: 'Account' },
  { field: 'status', label: 'Status' },
  { field: 'connection', label: 'Connection' },
  { field: 'tag', label: 'Tag' },
]

const VIEWS = [
  { name: 'All resources', search: {} },
  { name: 'New this week', search: { where: 'first_seen >= -7d', sort: 'first_seen', direction: 'desc' } },
] as const

export function CloudResourcesPage() {
  const search = useSearch({ from: '/app/cloud', select: readCloudSearch, structuralSharing: true })
  const preview = usePreview()
  const layout = useColumnLayout<CloudResourceRow, ListColumn<CloudResourceRow>>({
    subject: 'cloud_resource',
    all: cloudColumns,
    search,
  })
  const rows = useListRows(search, source)
  return (
    <ListFrame
      subject="cloud_resource"
      title="Cloud resources"
      label="Cloud resources"
      file="cloud-resources.csv"
      loading="Loading cloud resources"
      description="What is there at AWS, Azure, Google Cloud and in Kubernetes clusters, as their own interfaces list it."
      actions={<ConnectionsButton />}
      box={{
        label: 'Search the cloud resources',
        placeholder: 'Name, id … or type, region, account, tag, asset.os …',
        hint: 'Words search name and id. A field such as type, region or tag makes it a condition.',
      }}
      usual={{ sort: 'name', direction: 'asc' }}
      facets={FACETS}
      views={VIEWS}
      read={readCloudSearch}
      nameOf={({ name }) => name}
      nothingYet={<NothingYet />}
      previewPanel={
        preview.opened !== undefined && <CloudResourcePreview id={preview.opened} onClose={preview.close} />
      }
      {...{ search, rows, layout, preview }}
    />
  )
}

function ConnectionsButton() {
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/cloud-connections" {...props} />}>
      Connections
    </Button>
  )
}

const NothingYet = () => (
  <EmptyState icon={Cloud} title="No cloud resources yet" action={<ConnectionsButton />}>
    Connect an account, an organisation or a directory of AWS, Azure or Google Cloud. It is read every hour,
    with the right to list and nothing else.
  </EmptyState>
)
