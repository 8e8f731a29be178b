import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LinkEvidenceDocument, type LinkEvidenceData, type TopologyMapData } from '#api/generated/topology.ts'
import { q } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import type { Preview } from '#ui/table/use-address-value.ts'
import { Time } from '#ui/time.tsx'
import { linkSources, relationWords } from '../relation-words.ts'
import type { MapNode } from './map-graph.ts'
import { linkName } from './map-lines.tsx'
import { mapTypeName } from './map-types.ts'
import styles from './topology-page.module.css'

interface MapPreviewProps {
  readonly map: TopologyMapData['topologyMap']
  readonly preview: Preview
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What is known of a box or of a line, with what says so. */
export function MapPreview({ map, preview }: MapPreviewProps) {
  const chosen = chosenIn(map, preview.opened)
  const [node, other] = chosen
  if (!node) return null
  const asset = chosen.find(({ id }) => UUID.test(id))
  return (
    <PreviewPanel
      title={other ? `${node.name} – ${other.name}` : node.name}
      actions={
        !other &&
        asset && (
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/assets/$assetId" params={{ assetId: asset.id }} {...props} />}
          >
            Open
          </Button>
        )
      }
      onClose={preview.close}
    >
      {!other && <Nature node={node} />}
      {chosen.every(({ id }) => !UUID.test(id)) ? (
        <Neighbours map={map} node={node} preview={preview} />
      ) : (
        <Evidence
          assetId={asset?.id ?? node.id}
          other={other && chosen.find((it) => it !== asset)}
          map={map}
          preview={preview}
        />
      )}
    </PreviewPanel>
  )
}

function chosenIn({ nodes }: TopologyMapData['topologyMap'], opened: string | undefined): readonly MapNode[] {
  const node = nodes.find(({ id }) => id === opened)
  if (node) return [node]
  const [a, b] = nodes.filter(({ id }) => opened?.startsWith(`${id} `) || opened?.endsWith(` ${id}`))
  return a && b ? [a, b] : []
}

const Nature = ({ node: { type, site, leaves, id } }: { readonly node: MapNode }) => (
  <p>
    {mapTypeName(type)}
    {site && `, ${site}`}
    {leaves > 0 && type !== 'subnet' && `. ${many(leaves, 'thing hangs', 'things hang')} on it alone.`}
    {type === 'subnet' && (
      <>
        .{' '}
        <Link to="/assets" search={{ search: id }}>
          {many(leaves, 'asset')} with an address in it
        </Link>
      </>
    )}
  </p>
)

interface EvidenceProps {
  readonly assetId: string
  /** The evidence for this one alone. */
  readonly other: MapNode | undefined
  readonly map: TopologyMapData['topologyMap']
  readonly preview: Preview
}

type Relation = LinkEvidenceData['assetRelations'][number]

function Evidence({ assetId, other, map, preview }: EvidenceProps) {
  const otherId = other && UUID.test(other.id) ? other.id : undefined
  const { data, error, refetch } = useQuery(
    q(LinkEvidenceDocument, { assetId, ...(otherId !== undefined && { otherId }) }),
  )
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonBlock label="Loading what is known" />
  const isUnknown = other?.id.startsWith('text:')
  const network = other && otherId === undefined && !isUnknown
  const shown = data.assetRelations.filter(
    (it) => !isUnknown || (it.otherId === null && it.other === other?.name),
  )
  if (network) return <p>An address of an interface, or what it has seen by ARP, says so.</p>
  if (shown.length === 0) return <p className="quiet">No link of it is known.</p>
  return (
    <ul className={styles['evidence']} aria-label="Links">
      {shown.map((it) => (
        <EvidenceLine
          key={`${it.id} ${it.kind} ${it.direction} ${it.other} ${it.port}`}
          relation={it}
          isDrawn={map.nodes.some(({ id }) => id === it.otherId)}
          onOther={preview.open}
        />
      ))}
    </ul>
  )
}

interface EvidenceLineProps {
  readonly relation: Relation
  readonly isDrawn: boolean
  readonly onOther: (id: string) => void
}

function EvidenceLine({ relation, isDrawn, onOther }: EvidenceLineProps) {
  const { kind, direction, otherId, other, port, otherPort, vlan, by, note, sourceKind } = relation
  const ports = [port, otherPort].filter(Boolean).join(' to ')
  const saidBy = by ?? [linkSources[kind], sourceKind && `read by ${sourceKind}`].filter(Boolean).join(', ')
  return (
    <li>
      <span className="quiet">{relationWords(kind, direction)}</span>{' '}
      {otherId !== null && isDrawn && (
        <button type="button" className={styles['other']} onClick={() => onOther(otherId)}>
          {other}
        </button>
      )}
      {otherId !== null && !isDrawn && (
        <Link to="/assets/$assetId" params={{ assetId: otherId }}>
          {other}
        </Link>
      )}
      {otherId === null && other}
      <span className={styles['details']}>
        {[ports, vlan === null ? '' : `VLAN ${vlan}`, saidBy, note].filter(Boolean).join(' · ')} ·{' '}
        <Time at={relation.lastSeen} />
      </span>
    </li>
  )
}

interface NeighboursProps {
  readonly map: TopologyMapData['topologyMap']
  readonly node: MapNode
  readonly preview: Preview
}

const SAYS: Readonly<Record<string, string>> = {
  address: 'an interface has an address in it',
  arp: 'it has seen others there by ARP',
}

/** Of what is no asset: who leads to it, and what says so. */
function Neighbours({ map, node, preview }: NeighboursProps) {
  const at = map.nodes.indexOf(node)
  const lines = map.links.flatMap(({ a, b, kinds }) => {
    const other = a === at ? map.nodes[b] : b === at ? map.nodes[a] : undefined
    return other ? [{ other, kinds }] : []
  })
  return (
    <ul className={styles['evidence']} aria-label="Links">
      {lines.map(({ other, kinds }) => (
        <li key={linkName({ a: node.id, b: other.id })}>
          <button type="button" className={styles['other']} onClick={() => preview.open(other.id)}>
            {other.name}
          </button>
          <span className={styles['details']}>
            {kinds.map((it) => SAYS[it] ?? it.toUpperCase()).join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
