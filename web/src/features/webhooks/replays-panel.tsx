import { useQuery } from '@tanstack/react-query'
import { WebhookReplaysDocument, type WebhookReplaysData } from '#api/generated/webhooks.ts'
import { q } from '#api/query-client.ts'
import { count, many } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'

type Replay = WebhookReplaysData['webhookReplays'][number]

/** Polling interval while a replay runs. */
const REFRESH_MS = 2_000

const columns: readonly Column<Replay>[] = [
  {
    title: 'What happened between',
    cell: ({ since, until }) => (
      <>
        <Time at={since} /> and <Time at={until} />
      </>
    ),
  },
  {
    title: 'Which',
    isMinor: true,
    cell: ({ onlyMissed }) => (onlyMissed ? 'What did not arrive' : 'Everything'),
  },
  { title: 'Made so far', align: 'right', cell: ({ deliveries }) => count(deliveries) },
  { title: 'State', cell: ({ finishedAt }) => <State finishedAt={finishedAt} /> },
  { title: 'Ordered', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Replays of one webhook with their progress; renders nothing if there are none. */
export function ReplaysPanel({ webhookId }: { readonly webhookId: string }) {
  const { data } = useQuery({
    ...q(WebhookReplaysDocument, { webhookId }),
    refetchInterval: ({ state }) =>
      state.data?.webhookReplays.some(({ finishedAt }) => finishedAt === null) ? REFRESH_MS : false,
  })
  const replays = data?.webhookReplays ?? []
  if (replays.length === 0) return null
  return (
    <Panel title="Replays" aside={many(replays.length, 'replay')} isFlush>
      <DataTable label="Replays" columns={columns} rows={replays} keyOf={({ id }) => id} empty={null} />
    </Panel>
  )
}

function State({ finishedAt }: { readonly finishedAt: string | null }) {
  if (finishedAt === null)
    return (
      <Badge tone="info" sign="◐">
        Under way
      </Badge>
    )
  return (
    <Badge tone="good" sign="✓">
      Done
    </Badge>
  )
}
