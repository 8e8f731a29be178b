import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { ClipboardCheck } from 'lucide-react'
import {
  ControlListDocument,
  type ControlListData,
  type ListedControlRow,
} from '#api/generated/compliance-lists.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { readListSearch } from '#features/lists/list-search.ts'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { controlColumns, controlName } from './control-columns.tsx'
import { ControlPreview } from './control-preview.tsx'

const source = { operation: ControlListDocument, rowsIn: ({ controls }: ControlListData) => controls }

const FACETS: readonly FacetField[] = [
  { field: 'status', label: 'Status', isWord: true },
  { field: 'framework', label: 'Framework' },
  { field: 'section', label: 'Section' },
]

const VIEWS = [
  { name: 'All controls', search: {} },
  { name: 'Failing', search: { where: 'status = fail' } },
  { name: 'Changed this week', search: { where: 'since >= -7d', sort: 'since', direction: 'desc' } },
  { name: 'To be attested', search: { where: 'status = not_assessed' } },
] as const

const BOX = {
  label: 'Search controls',
  placeholder: 'Id or words of a title … or status, framework, since …',
  hint: 'Words search ids and titles. A field such as status or section makes it a condition.',
}

/** The controls of all frameworks that are adopted. */
export function ControlsPage() {
  const search = useSearch({
    from: '/app/compliance/controls',
    select: readListSearch,
    structuralSharing: true,
  })
  const preview = usePreview()
  const layout = useColumnLayout<ListedControlRow, ListColumn<ListedControlRow>>({
    subject: 'control',
    all: controlColumns,
    search,
  })
  const rows = useListRows(search, source)
  return (
    <ListFrame
      subject="control"
      file="controls.csv"
      title="Controls"
      label="Controls"
      loading="Loading controls"
      description="What the adopted frameworks ask for, how it stands, and why."
      box={BOX}
      usual={{ sort: 'status', direction: 'asc' }}
      facets={FACETS}
      views={VIEWS}
      read={readListSearch}
      nameOf={controlName}
      nothingYet={<NoneAdopted />}
      previewPanel={
        preview.opened !== undefined && <ControlPreview id={preview.opened} onClose={preview.close} />
      }
      {...{ search, rows, layout, preview }}
    />
  )
}

const NoneAdopted = () => (
  <EmptyState
    icon={ClipboardCheck}
    title="No framework adopted"
    action={
      <Button renderRoot={(props) => <Link to="/compliance" {...props} />}>Look at the frameworks</Button>
    }
  >
    Adopt a framework: its controls are judged at once, and stand here with what fails and why.
  </EmptyState>
)
