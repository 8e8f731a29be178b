import { Link } from '@tanstack/react-router'
import type { ListedFlowRun } from '#api/generated/flows.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { duration } from '#lib/dates.ts'
import { Time } from '#ui/time.tsx'
import { causeText } from '../flow-sentence.ts'
import { RunState } from '../flow-state.tsx'

/** How long a run took; nothing until it has ended. */
export function tookText({ startedAt, finishedAt }: Pick<ListedFlowRun, 'startedAt' | 'finishedAt'>): string {
  if (startedAt === null || finishedAt === null) return ''
  return duration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000)
}

export const flowRunColumns: readonly ListColumn<ListedFlowRun>[] = [
  {
    key: 'name',
    title: 'Flow',
    width: 12,
    grow: 1,
    cell: ({ id, flowId, flowName }) => (
      <Link to="/flows/$flowId/runs/$runId" params={{ flowId, runId: id }}>
        {flowName || 'a flow that is gone'}
      </Link>
    ),
    sort: 'flow',
  },
  {
    key: 'state',
    title: 'Status',
    width: 7,
    cell: ({ status }) => <RunState status={status} />,
    sort: 'status',
  },
  {
    key: 'created',
    title: 'Begun',
    width: 8,
    cell: ({ createdAt }) => <Time at={createdAt} />,
    sort: 'created_at',
    isGreatestFirst: true,
  },
  {
    key: 'took',
    title: 'Took',
    width: 5,
    cell: (run) => tookText(run),
    sort: 'duration',
    isGreatestFirst: true,
  },
  {
    key: 'cause',
    title: 'Why it began',
    width: 9,
    grow: 0.6,
    cell: ({ cause }) => causeText({ cause }),
    sort: 'trigger',
  },
  {
    key: 'asset',
    title: 'Asset',
    width: 9,
    grow: 0.8,
    cell: ({ assetId, assetName }) =>
      assetId && (
        <Link to="/assets/$assetId" params={{ assetId }}>
          {assetName || 'an asset that is gone'}
        </Link>
      ),
    sort: 'asset.name',
  },
  {
    key: 'reason',
    title: 'Outcome',
    width: 12,
    grow: 1.4,
    fillsWidth: true,
    cell: ({ reason }) => reason && <span title={reason}>{reason}</span>,
  },
  {
    key: 'version',
    title: 'Version',
    width: 6,
    cell: ({ version }) => version,
    sort: 'version',
    isExtra: true,
  },
]
