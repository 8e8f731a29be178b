import { Link } from '@tanstack/react-router'
import { KeyRound, Pencil, RotateCcw, Send, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WebhookRow } from '#api/generated/webhooks.ts'
import { usePermission } from '#api/use-permission.ts'
import { many } from '#lib/numbers.ts'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { LastProblem, WebhookStatistics, WebhookHealth } from './webhook-status.tsx'

export type WebhookAct = 'edit' | 'rotate' | 'test' | 'replay' | 'delete'

interface WebhookTableProps {
  readonly rows: readonly WebhookRow[] | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly onAct: (act: WebhookAct, webhook: WebhookRow) => void
  readonly empty: ReactNode
}

const columns: readonly Column<WebhookRow>[] = [
  {
    title: 'Webhook',
    sortBy: ({ name }) => name,
    cell: ({ id, name, url }) => (
      <TwoLines below={<span className="mono">{url}</span>}>
        <Link to="/deliveries" search={{ webhook: id }}>
          {name}
        </Link>
      </TwoLines>
    ),
  },
  {
    title: 'Health',
    cell: (webhook) => (
      <TwoLines below={<LastProblem webhook={webhook} />}>
        <WebhookHealth webhook={webhook} />
      </TwoLines>
    ),
  },
  { title: 'Last 24 hours', isMinor: true, cell: (webhook) => <WebhookStatistics webhook={webhook} /> },
  {
    title: 'Events',
    sortBy: ({ events }) => events.length,
    isMinor: true,
    cell: ({ events }) => <span title={events.join(', ')}>{many(events.length, 'event')}</span>,
  },
  { title: 'Secret', isMinor: true, cell: ({ secretPrefix }) => <code>{secretPrefix}…</code> },
]

export function WebhookTable({ onAct, ...table }: WebhookTableProps) {
  const may = usePermission()
  const actions: Column<WebhookRow> = {
    title: '',
    align: 'right',
    cell: (webhook) =>
      may('webhooks:write') && (
        <RowMenu
          label={`Actions for ${webhook.name}`}
          actions={[
            { title: 'Send a test', icon: Send, onChoose: () => onAct('test', webhook) },
            { title: 'Change…', icon: Pencil, onChoose: () => onAct('edit', webhook) },
            { title: 'Rotate secret…', icon: KeyRound, onChoose: () => onAct('rotate', webhook) },
            { title: 'Replay…', icon: RotateCcw, onChoose: () => onAct('replay', webhook) },
            {
              title: 'Delete…',
              icon: Trash2,
              isDestructive: true,
              onChoose: () => onAct('delete', webhook),
            },
          ]}
        />
      ),
  }
  return <DataTable label="Webhooks" columns={[...columns, actions]} keyOf={({ id }) => id} {...table} />
}
