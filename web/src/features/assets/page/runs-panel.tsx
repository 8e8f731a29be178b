import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AssetData } from '#api/generated/asset.ts'
import { AssetSoftwareDocument } from '#api/generated/software.ts'
import { q } from '#api/query-client.ts'
import { count, many } from '#lib/numbers.ts'
import { Chip } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import { Several } from '#ui/table/cell.tsx'
import { observedPorts } from './observed-ports.ts'
import styles from './runs-panel.module.css'

const PORTS_SHOWN = 12

export const installedQuery = (assetId: string) => q(AssetSoftwareDocument, { assetId, first: 1, offset: 0 })

/** What runs and listens there, in two lines; the tabs have the rest. */
export function RunsPanel({ asset }: { readonly asset: AssetData['asset'] }) {
  const { data } = useQuery(installedQuery(asset.id))
  const installed = data?.assetSoftware.total
  const ports = observedPorts(asset.observations)
  return (
    <Panel title="Runs and listens">
      <dl className={styles['lines']}>
        <dt>Software</dt>
        <dd>
          {installed === undefined && <span className="quiet">…</span>}
          {installed === 0 && <span className="quiet">No source lists what is installed</span>}
          {installed !== undefined && installed > 0 && (
            <Link to="/assets/$assetId" params={{ assetId: asset.id }} search={{ tab: 'software' }}>
              {many(installed, 'piece of software', 'pieces of software')}
            </Link>
          )}
        </dd>
        <dt>Listens on</dt>
        <dd>
          {!ports && <span className="quiet">Nobody has looked for open ports</span>}
          {ports?.length === 0 && <span className="quiet">No open port was found</span>}
          {ports && ports.length > 0 && (
            <Several>
              {ports.slice(0, PORTS_SHOWN).map(({ port, protocol, service }) => (
                <Chip key={`${port} ${protocol}`}>{`${port}/${protocol}${service && ` ${service}`}`}</Chip>
              ))}
              <Link to="/assets/$assetId" params={{ assetId: asset.id }} search={{ tab: 'network' }}>
                {ports.length > PORTS_SHOWN ? `All ${count(ports.length)}` : 'Who tells'}
              </Link>
            </Several>
          )}
        </dd>
      </dl>
    </Panel>
  )
}
