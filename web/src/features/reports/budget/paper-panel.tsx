import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReportPaper } from '#api/generated/enums-and-inputs.ts'
import { ReportPaperDocument, SetReportPaperDocument } from '#api/generated/reports.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'

const papers: readonly { readonly value: ReportPaper; readonly label: string }[] = [
  { value: 'a4', label: 'A4' },
  { value: 'letter', label: 'Letter' },
]

/** What the PDF of every report is laid out on. */
export function PaperPanel() {
  const may = usePermission()
  const { data } = useQuery(q(ReportPaperDocument, {}))
  const save = useChange(SetReportPaperDocument, { done: 'From the next generation on' })
  return (
    <Panel title="Paper">
      <SegmentedControl
        aria-label="Paper"
        data={[...papers]}
        value={data?.reportPaper ?? 'a4'}
        disabled={!data || save.isPending || !may('reports:write')}
        onChange={(value) => save.mutate({ paper: value === 'letter' ? 'letter' : 'a4' })}
      />
    </Panel>
  )
}
