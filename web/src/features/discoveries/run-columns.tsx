import { Link } from '@tanstack/react-router'
import type { DiscoveryRunRow } from '#api/generated/discoveries.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { duration } from '#lib/dates.ts'
import { count } from '#lib/numbers.ts'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { Time } from '#ui/time.tsx'
import { isUnderWay } from './discovery-words.ts'
import { RunStatusBadge } from './run-status.tsx'
import { CAUSES, changeText } from './runs-panel.tsx'

/** How long a run took; nothing until it has ended. */
export function tookText({
  startedAt,
  finishedAt,
}: Pick<DiscoveryRunRow, 'startedAt' | 'finishedAt'>): string {
  if (startedAt === null || finishedAt === null) return ''
  return duration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000)
}

type Counted = readonly [key: string, title: string, sort: string, countOf: (run: DiscoveryRunRow) => number]

const counts = (all: readonly Counted[]): ListColumn<DiscoveryRunRow>[] =>
  all.map(([key, title, sort, countOf]) => ({
    key,
    title,
    width: 6,
    cell: (run) => count(countOf(run)),
    sort,
    isGreatestFirst: true,
  }))

export const discoveryRunColumns: readonly ListColumn<DiscoveryRunRow>[] = [
  {
    key: 'name',
    title: 'Discovery',
    width: 13,
    grow: 1,
    cell: ({ id, name }) => (
      <Link to="/discoveries/$runId" params={{ runId: id }}>
        {name}
      </Link>
    ),
    sort: 'name',
  },
  {
    key: 'state',
    title: 'Status',
    width: 9,
    cell: (run) =>
      isUnderWay(run) ? (
        <ProgressBar label={`Progress of ${run.name}`} share={run.share} />
      ) : (
        <RunStatusBadge status={run.status} />
      ),
    sort: 'status',
  },
  { key: 'cause', title: 'Started by', width: 10, cell: ({ cause }) => CAUSES[cause], sort: 'trigger' },
  ...counts([
    ['hosts', 'Hosts', 'hosts', ({ hostsFound }) => hostsFound],
    ['loggedIn', 'Logged in', 'logged_in', ({ loggedIn }) => loggedIn],
    ['refused', 'Refused', 'refused', ({ refused }) => refused],
  ]),
  { key: 'change', title: 'Change', width: 13, cell: changeText, sort: 'new_hosts', isGreatestFirst: true },
  {
    key: 'took',
    title: 'Took',
    width: 6,
    cell: (run) => tookText(run),
    sort: 'duration',
    isGreatestFirst: true,
  },
  {
    key: 'result',
    title: 'Result',
    width: 13,
    grow: 1.2,
    cell: ({ message }) => <span title={message}>{message}</span>,
  },
  {
    key: 'created',
    title: 'Begun',
    width: 9,
    fillsWidth: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
    sort: 'created_at',
    isGreatestFirst: true,
  },
]
