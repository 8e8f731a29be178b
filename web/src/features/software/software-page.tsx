import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { Package } from 'lucide-react'
import { SoftwareListDocument, type SoftwareListData, type SoftwareRow } from '#api/generated/software.ts'
import { usePermission } from '#api/use-permission.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { softwareColumns, softwareName } from './software-columns.tsx'
import { SoftwarePreviewPanel } from './software-preview-panel.tsx'
import { readSoftwareSearch } from './software-search-params.ts'

const source = {
  operation: SoftwareListDocument,
  rowsIn: ({ software }: SoftwareListData) => software,
}

const FACETS: readonly FacetField[] = [
  { field: 'vendor', label: 'Vendor' },
  { field: 'origin', label: 'Listed by' },
  { field: 'ecosystem', label: 'Ecosystem' },
  { field: 'arch', label: 'Architecture' },
  { field: 'forbidden', label: 'Forbidden', isWord: true },
  { field: 'allowed', label: 'Allowed', isWord: true },
]

const VIEWS = [
  { name: 'All software', search: {} },
  { name: 'New this week', search: { where: 'first_seen >= -7d', sort: 'first_seen', direction: 'desc' } },
  { name: 'No longer supported', search: { where: 'eol < +0d', sort: 'installs', direction: 'desc' } },
] as const

export function SoftwarePage() {
  const search = useSearch({ from: '/app/software', select: readSoftwareSearch, structuralSharing: true })
  const preview = usePreview()
  const layout = useColumnLayout<SoftwareRow, ListColumn<SoftwareRow>>({
    subject: 'software',
    all: softwareColumns,
    search,
  })
  const rows = useListRows(search, source)
  return (
    <ListFrame
      subject="software"
      file="software.csv"
      title="Software"
      label="Software"
      loading="Loading software"
      description="Every distinct piece of software in its exact version, as package managers, registers and bills of materials list it."
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/software/lists" {...props} />}>
          Forbidden and allowed
        </Button>
      }
      box={{
        label: 'Search software',
        placeholder: 'Name, vendor, package … or version, eol, installs, first_seen …',
        hint: 'Words search name, vendor and source package. A field such as version or eol makes it a condition.',
      }}
      usual={{ sort: 'name', direction: 'asc' }}
      facets={FACETS}
      views={VIEWS}
      read={readSoftwareSearch}
      nameOf={softwareName}
      nothingYet={<NothingYet />}
      previewPanel={
        preview.opened !== undefined && <SoftwarePreviewPanel id={preview.opened} onClose={preview.close} />
      }
      {...{ search, rows, layout, preview }}
    />
  )
}

function NothingYet() {
  const may = usePermission()
  return (
    <EmptyState
      icon={Package}
      title="No software yet"
      action={
        may('scans:write') && (
          <Button renderRoot={(props) => <Link to="/scans" {...props} />}>Start a scan</Button>
        )
      }
    >
      Scans over SSH, WMI and SNMP list what is installed; a package list or an SBOM can be imported.
    </EmptyState>
  )
}
