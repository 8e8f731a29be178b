import { PlugZap } from 'lucide-react'
import type { AssetObservation } from '#api/generated/asset.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { sourceName } from '../source-name.ts'
import { observedPorts, type ObservedPort } from './observed-ports.ts'

/** On which ports the asset waits for others, as its sources tell. */
export function OpenPortsPanel({ observations }: { readonly observations: readonly AssetObservation[] }) {
  const ports = observedPorts(observations)
  return (
    <Panel title="Open ports" aside={ports?.length || undefined} isFlush>
      <DataTable
        label="Open ports"
        columns={columns}
        rows={ports ?? []}
        keyOf={({ port, protocol }) => `${port} ${protocol}`}
        empty={
          ports ? (
            <EmptyState icon={PlugZap} title="No open port was found">
              A sweep asks a few ports only; a scan that logs in, or an agent, lists all.
            </EmptyState>
          ) : (
            <EmptyState icon={PlugZap} title="Nobody has looked for open ports">
              A sweep of its network, a scan that logs in, or an agent tells what listens here.
            </EmptyState>
          )
        }
      />
    </Panel>
  )
}

const columns: readonly Column<ObservedPort>[] = [
  {
    title: 'Port',
    sortBy: ({ port }) => port,
    cell: ({ port, protocol }) => <span className="mono">{`${port}/${protocol}`}</span>,
  },
  {
    title: 'Service',
    sortBy: ({ service }) => service,
    cell: ({ service }) => service || <span className="quiet">Not told</span>,
  },
  { title: 'Listens at', isMinor: true, cell: ({ addresses }) => placesOf(addresses) },
  {
    title: 'Told by',
    isMinor: true,
    cell: ({ sources, lastSeen }) => (
      <>
        {sources.map(sourceName).join(', ')}, <Time at={lastSeen} />
      </>
    ),
  },
]

const EVERY = ['*', '0.0.0.0', '::']
const LOOPBACK = /^(127\.|::1$)/

function placesOf(addresses: readonly string[]) {
  if (addresses.length === 0) return <span className="quiet">Seen from outside</span>
  if (addresses.some((it) => EVERY.includes(it))) return 'Every address'
  if (addresses.every((it) => LOOPBACK.test(it))) return 'Itself alone'
  return <span className="mono">{addresses.join(', ')}</span>
}
