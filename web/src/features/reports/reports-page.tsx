import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { FileChartColumn, Plus, Trash2 } from 'lucide-react'
import { send } from '#api/client.ts'
import {
  DeleteReportDocument,
  ReportsDocument,
  type ReportRow,
  type ReportsData,
} from '#api/generated/reports.ts'
import { usePermission } from '#api/use-permission.ts'
import { RowByRowBar, type RowVerb } from '#features/bulk-changes/row-by-row-bar.tsx'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { readListSearch } from '#features/lists/list-search.ts'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { useRefreshWhile } from '#features/lists/use-refresh-while.ts'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { NewReportForm } from './new-report-form.tsx'
import { reportColumns } from './report-columns.tsx'
import { ReportPreviewPanel } from './report-preview-panel.tsx'

const source = { operation: ReportsDocument, rowsIn: ({ reports }: ReportsData) => reports }

const BOX = {
  label: 'Search reports',
  placeholder: 'Name or person … or type, status, generated, rows …',
  hint: 'Words search names and who made them. A field such as status or generated makes it a condition.',
}

const FACETS: readonly FacetField[] = [
  { field: 'status', label: 'State', isWord: true },
  { field: 'type', label: 'About', isWord: true },
  { field: 'format', label: 'Format', isWord: true },
  { field: 'made_by', label: 'Made by' },
  { field: 'is_scheduled', label: 'On a schedule', isWord: true },
]

const VIEWS = [
  { name: 'All reports', search: {} },
  { name: 'On a schedule', search: { where: 'is_scheduled = yes', sort: 'next_at' } },
  { name: 'Failed', search: { where: 'status = failed or is_paused = yes' } },
] as const

const verbs: readonly RowVerb<ReportRow>[] = [
  {
    title: 'Delete',
    icon: Trash2,
    act: ({ id }) => send(DeleteReportDocument, { id }),
    warning: 'They are deleted with all their generations and files. This is final.',
  },
]

/** Saved reports, how their latest generation went, and its file. */
export function ReportsPage() {
  const search = useSearch({ from: '/app/reports', select: readListSearch, structuralSharing: true })
  const [isMaking, making] = useDisclosure(false)
  useFormOnArrival(making.open)
  const navigate = useNavigate()
  return (
    <>
      <ReportList search={search} onNew={making.open} />
      <NewReportForm
        isOpen={isMaking}
        onCreated={(reportId) => void navigate({ to: '/reports/$reportId', params: { reportId } })}
        onClose={making.close}
      />
    </>
  )
}

interface ReportListProps {
  readonly search: ReturnType<typeof readListSearch>
  readonly onNew: () => void
}

function ReportList({ search, onNew }: ReportListProps) {
  const may = usePermission()
  const preview = usePreview()
  const layout = useColumnLayout<ReportRow, ListColumn<ReportRow>>({
    subject: 'report',
    all: reportColumns,
    search,
  })
  const rows = useListRows(search, source)
  useRefreshWhile(
    rows.loaded.some(({ status }) => status === 'generating'),
    ReportsDocument,
  )
  const selection = useSelection({ key: search, total: rows.total ?? 0 })
  const chosen = rows.loaded.filter(({ id }) => selection.has(id))
  return (
    <ListFrame
      subject="report"
      title="Reports"
      label="Reports"
      loading="Loading reports"
      description="What is filed and checked: each generation is kept as it was, with its file."
      actions={<Actions onNew={onNew} />}
      box={BOX}
      usual={{ sort: 'created_at', direction: 'desc' }}
      facets={FACETS}
      views={VIEWS}
      read={readListSearch}
      nameOf={({ name }) => name}
      pathOf={({ id }) => `/reports/${id}`}
      nothingYet={
        <EmptyState
          icon={FileChartColumn}
          title="No report is saved yet"
          action={<NewReportButton isSecond onClick={onNew} />}
        >
          Save one for each thing that is asked of you again and again: a stock-take, a budget, a summary.
        </EmptyState>
      }
      bars={<RowByRowBar noun="report" selection={selection} rows={chosen} verbs={verbs} />}
      previewPanel={
        preview.opened !== undefined && <ReportPreviewPanel id={preview.opened} onClose={preview.close} />
      }
      selection={may('reports:write') ? selection : undefined}
      {...{ search, rows, layout, preview }}
    />
  )
}

function Actions({ onNew }: { readonly onNew: () => void }) {
  return (
    <>
      <Button variant="default" renderRoot={(props) => <Link to="/reports/budget" {...props} />}>
        Settings
      </Button>
      <NewReportButton onClick={onNew} />
    </>
  )
}

interface NewReportButtonProps {
  /** Beside the same button at the head of the page. */
  readonly isSecond?: boolean
  readonly onClick: () => void
}

function NewReportButton({ isSecond = false, onClick }: NewReportButtonProps) {
  const may = usePermission()
  return (
    <Button
      variant={isSecond ? 'default' : 'filled'}
      leftSection={<Plus size={14} aria-hidden />}
      disabled={!may('reports:write')}
      title={may('reports:write') ? undefined : 'Your role does not make reports'}
      onClick={onClick}
    >
      New report
    </Button>
  )
}
