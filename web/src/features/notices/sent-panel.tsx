import { Mail } from 'lucide-react'
import type { NoticesData } from '#api/generated/notices.ts'
import { count } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'

type Deliveries = NonNullable<NoticesData['noticeDeliveries']>

const STATES = {
  waiting: { tone: 'info', sign: '…' },
  sent: { tone: 'good', sign: '✓' },
  failed: { tone: 'bad', sign: '×' },
  dropped: { tone: 'none', sign: '○' },
} as const

const columns: readonly Column<Deliveries['items'][number]>[] = [
  {
    title: 'Notice',
    cell: ({ subject, recipient }) => <TwoLines below={`to ${recipient}`}>{subject}</TwoLines>,
  },
  {
    title: 'State',
    cell: ({ status, error }) => (
      <TwoLines below={error ?? undefined}>
        <Badge {...STATES[status]}>{status === 'dropped' ? 'Set aside' : sentenceCase(status)}</Badge>
      </TwoLines>
    ),
  },
  { title: 'When', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The newest notices of the organisation and what became of them. */
export function SentPanel({ deliveries }: { readonly deliveries: Deliveries }) {
  return (
    <Panel title="Lately" aside={count(deliveries.total)} isFlush>
      <DataTable
        label="Lately"
        columns={columns}
        rows={deliveries.items}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={Mail} title="Nothing yet">
            What was sent within 30 days stands here, with what failed and why.
          </EmptyState>
        }
      />
    </Panel>
  )
}
