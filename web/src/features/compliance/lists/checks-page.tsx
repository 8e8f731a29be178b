import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { ClipboardCheck } from 'lucide-react'
import { CheckListDocument, type CheckListData, type CheckRow } from '#api/generated/compliance-lists.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { readListSearch } from '#features/lists/list-search.ts'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { checkColumns } from './check-columns.tsx'
import { CheckPreview } from './check-preview.tsx'

const source = { operation: CheckListDocument, rowsIn: ({ checks }: CheckListData) => checks }

const FACETS: readonly FacetField[] = [
  { field: 'status', label: 'Status', isWord: true },
  { field: 'severity', label: 'Severity', isWord: true },
  { field: 'framework', label: 'Framework' },
  { field: 'is_own', label: 'Of your own', isWord: true },
  { field: 'is_broken', label: 'Cannot be read any more', isWord: true },
]

const VIEWS = [
  { name: 'All checks', search: {} },
  { name: 'What to do first', search: { where: 'status = fail' } },
  {
    name: 'Lacking facts',
    search: { where: 'unknown > 0 and status != fail', sort: 'unknown', direction: 'desc' },
  },
  { name: 'Of your own', search: { where: 'is_own = yes' } },
] as const

const BOX = {
  label: 'Search checks',
  placeholder: 'Words of a title … or status, severity, failed, framework …',
  hint: 'Words search titles and what to do. A field such as status or failing_share makes it a condition.',
}

/** The checks of all frameworks. */
export function ChecksPage() {
  const search = useSearch({
    from: '/app/compliance/checks',
    select: readListSearch,
    structuralSharing: true,
  })
  const preview = usePreview()
  const layout = useColumnLayout<CheckRow, ListColumn<CheckRow>>({
    subject: 'check',
    all: checkColumns,
    search,
  })
  const rows = useListRows(search, source)
  return (
    <ListFrame
      subject="check"
      file="checks.csv"
      title="Checks"
      label="Checks"
      loading="Loading checks"
      description="What is asked of the assets, those that come with the product and your own, with what the last round found."
      box={BOX}
      usual={{ sort: 'status', direction: 'asc' }}
      facets={FACETS}
      views={VIEWS}
      read={readListSearch}
      nameOf={({ title }) => title}
      nothingYet={<NoChecks />}
      previewPanel={
        preview.opened !== undefined && <CheckPreview id={preview.opened} onClose={preview.close} />
      }
      {...{ search, rows, layout, preview }}
    />
  )
}

const NoChecks = () => (
  <EmptyState
    icon={ClipboardCheck}
    title="No checks"
    action={
      <Button renderRoot={(props) => <Link to="/compliance" {...props} />}>Look at the frameworks</Button>
    }
  >
    Checks come with the product; a framework that is adopted has them judged.
  </EmptyState>
)
