import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import {
  DeleteReportDocument,
  ReportDocument,
  RunReportDocument,
  SendReportToMeDocument,
  type ReportRow,
} from '#api/generated/reports.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { many } from '#lib/numbers.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { fileUrl, formatTitles, scheduleText, typeTitles } from './report.ts'
import { ReportStatusBadge } from './report-status.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { SnapshotComparison } from './snapshot-comparison.tsx'
import { SnapshotTable } from './snapshot-table.tsx'

const SIZE = 25
const REFRESH_MS = 1_000

/** One report: its generations and their files. */
export function ReportPage() {
  const { reportId } = useParams({ from: '/app/reports/$reportId' })
  const [offset, setOffset] = useOffset('Snapshots')
  const { data, error, refetch } = useQuery({
    ...q(ReportDocument, { id: reportId, first: SIZE, offset }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.report.status === 'generating' ? REFRESH_MS : false),
  })
  const report = data?.report
  return (
    <Page
      title={report?.name ?? 'Report'}
      aside={report && <ReportStatusBadge status={report.status} />}
      description={report && descriptionOf(report)}
      actions={report && <Actions report={report} />}
    >
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Panel title="Generations" isFlush>
            <SnapshotTable reportId={reportId} rows={data?.reportSnapshots.items} />
            {data && data.reportSnapshots.total > SIZE && (
              <Pagination
                total={data.reportSnapshots.total}
                offset={offset}
                size={SIZE}
                onOffset={setOffset}
              />
            )}
          </Panel>
          {data && <SnapshotComparison snapshots={data.reportSnapshots.items} />}
        </>
      )}
    </Page>
  )
}

function descriptionOf({
  type,
  format,
  period,
  where,
  assetCount,
  schedule,
  zone,
  pausedBecause,
}: ReportRow): string {
  const when = pausedBecause === null ? scheduleText(schedule, zone) : `Paused: ${pausedBecause}.`
  const all = where === null ? 'all assets' : `assets where ${where}`
  const scope = assetCount === null ? all : many(assetCount, 'chosen asset')
  return `${typeTitles[type]} as ${formatTitles[format]}, of ${scope}${period === null ? '' : `, period ${period}`}. ${when}`
}

/** The latest good file, also while the next is made or has failed. */
function FileButtons({ report }: { readonly report: ReportRow }) {
  const send = useChange(SendReportToMeDocument, { done: 'On its way to your address' })
  if (!report.good) return null
  return (
    <>
      <Button component="a" href={fileUrl(report.id)} leftSection={<Download size={14} aria-hidden />}>
        Download {report.status === 'available' ? '' : 'last '}
        {formatTitles[report.format]}
      </Button>
      <Button variant="default" loading={send.isPending} onClick={() => send.mutate({ id: report.id })}>
        Send to me
      </Button>
    </>
  )
}

function Actions({ report }: { readonly report: ReportRow }) {
  const may = usePermission()
  const navigate = useNavigate()
  const [isDeleting, deleting] = useDisclosure(false)
  const [isScheduling, scheduling] = useDisclosure(false)
  const run = useChange(RunReportDocument, { done: 'It is being generated' })
  const remove = useChange(DeleteReportDocument, {
    done: 'Report deleted',
    onDone: () => void navigate({ to: '/reports' }),
  })
  return (
    <>
      <FileButtons report={report} />
      {may('reports:write') && (
        <>
          <Button
            variant="default"
            loading={run.isPending}
            disabled={report.status === 'generating'}
            onClick={() => run.mutate({ id: report.id })}
          >
            Generate again
          </Button>
          <Button variant="default" onClick={scheduling.open}>
            Schedule
          </Button>
          <Button variant="default" onClick={deleting.open}>
            Delete
          </Button>
        </>
      )}
      {isScheduling && <ScheduleForm report={report} onClose={scheduling.close} />}
      <ConfirmDialog
        isOpen={isDeleting}
        title={`Delete ${report.name}?`}
        action="Delete report"
        isDestructive
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ id: report.id })}
        onClose={deleting.close}
      >
        <p>All its generations and their files go with it. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}
