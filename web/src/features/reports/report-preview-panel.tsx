import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ReportsDocument } from '#api/generated/reports.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { File } from './report-columns.tsx'
import { typeTitles } from './report.ts'
import { ReportStatusBadge } from './report-status.tsx'

interface ReportPreviewPanelProps {
  readonly id: string
  readonly onClose: () => void
}

/** A report beside its list. */
export function ReportPreviewPanel({ id, onClose }: ReportPreviewPanelProps) {
  const { data, error, refetch } = useQuery(
    q(ReportsDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [report] = data?.reports.items ?? []
  return (
    <PreviewPanel
      title={report ? report.name : 'Report'}
      actions={
        report && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/reports/$reportId" params={{ reportId: report.id }} {...props} />
            )}
          >
            Open report
          </Button>
        )
      }
      onClose={onClose}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label="Loading the report" />}
      {data && !report && <p>The report is no more.</p>}
      {report && (
        <PreviewFacts
          facts={[
            { title: 'State', value: <ReportStatusBadge status={report.status} /> },
            { title: 'About', value: typeTitles[report.type] },
            { title: 'File', value: <File report={report} /> },
            { title: 'Rows', value: report.good?.rowCount == null ? '' : count(report.good.rowCount) },
            { title: 'Generated', value: <Time at={report.good?.generatedAt ?? null} /> },
            { title: 'Chosen by', value: report.where },
            { title: 'Recipients', value: report.recipients.join(', ') },
            { title: 'By', value: report.createdBy },
          ]}
        />
      )}
    </PreviewPanel>
  )
}
