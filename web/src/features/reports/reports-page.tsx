import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { FileChartColumn, Plus } from 'lucide-react'
import { ReportsDocument } from '#api/generated/reports.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { NewReportForm } from './new-report-form.tsx'
import { ReportTable } from './report-table.tsx'

const SIZE = 25
const REFRESH_MS = 2_000

/** Saved reports, how their latest generation went, and its file. */
export function ReportsPage() {
  const [offset, setOffset] = useOffset('Reports')
  const [isMaking, making] = useDisclosure(false)
  useFormOnArrival(making.open)
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    ...q(ReportsDocument, { first: SIZE, offset }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.reports.items.some(({ status }) => status === 'generating') ? REFRESH_MS : false,
  })
  return (
    <Page
      title="Reports"
      aside={data && <Badge>{count(data.reports.total)}</Badge>}
      description="What is filed and checked: each generation is kept as it was, with its file."
      actions={<Actions onNew={making.open} />}
    >
      <Panel isFlush>
        <ReportTable
          rows={data?.reports.items}
          total={data?.reports.total}
          error={error}
          onRetry={() => void refetch()}
          empty={
            <EmptyState
              icon={FileChartColumn}
              title="No report is saved yet"
              action={<NewReportButton onClick={making.open} />}
            >
              Save one for each thing that is asked of you again and again: a stock-take, a budget, a summary.
            </EmptyState>
          }
        />
        {data && data.reports.total > SIZE && (
          <Pagination total={data.reports.total} offset={offset} size={SIZE} onOffset={setOffset} />
        )}
      </Panel>
      <NewReportForm
        isOpen={isMaking}
        onCreated={(reportId) => void navigate({ to: '/reports/$reportId', params: { reportId } })}
        onClose={making.close}
      />
    </Page>
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

function NewReportButton({ onClick }: { readonly onClick: () => void }) {
  const may = usePermission()
  return (
    <Button
      leftSection={<Plus size={14} aria-hidden />}
      disabled={!may('reports:write')}
      title={may('reports:write') ? undefined : 'Your role does not make reports'}
      onClick={onClick}
    >
      New report
    </Button>
  )
}
