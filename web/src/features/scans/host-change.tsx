import type { ScanHostRow } from '#api/generated/scans.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { portName } from './open-ports.tsx'

/** Differences to the previous scan of the target; renders nothing if there is none. */
export function HostChange({ host }: { readonly host: ScanHostRow }) {
  if (host.change === 'new_asset')
    return (
      <Badge tone="accent" sign="●">
        New asset
      </Badge>
    )
  if (host.change === 'appeared')
    return (
      <TwoLines below="Not in the scan before">
        <Badge tone="info" sign="●">
          Appeared
        </Badge>
      </TwoLines>
    )
  if (host.change === 'changed')
    return (
      <TwoLines below={wordsOf(host)}>
        <Badge tone="warn" sign="!">
          Changed
        </Badge>
      </TwoLines>
    )
  return <span className="quiet">{host.change === 'unchanged' ? 'Unchanged' : ''}</span>
}

const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  os: 'operating system',
  vendor: 'vendor',
  model: 'model',
}

function wordsOf({ openedPorts, closedPorts, changedFields }: ScanHostRow): string {
  return [
    openedPorts.length > 0 && `opened ${openedPorts.map(portName).join(', ')}`,
    closedPorts.length > 0 && `closed ${closedPorts.map(portName).join(', ')}`,
    ...changedFields.map((field) => `other ${FIELDS[field] ?? field}`),
  ]
    .filter(Boolean)
    .join('; ')
}
