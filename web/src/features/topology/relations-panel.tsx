import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { send } from '#api/client.ts'
import {
  AddAssetRelationDocument,
  AssetRelationsDocument,
  RemoveAssetRelationDocument,
  type AssetRelationsData,
} from '#api/generated/topology.ts'
import type { RelationKind } from '#api/generated/enums-and-inputs.ts'
import { q, useChange } from '#api/query-client.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { RelationForm } from './relation-form.tsx'
import { linkSources, relationWords } from './relation-words.ts'
import styles from './relations-panel.module.css'

type Relation = AssetRelationsData['assetRelations'][number]

interface RelationsPanelProps {
  readonly assetId: string
  readonly mayWrite: boolean
}

/** What the asset hangs together with, as people recorded it and as scans reported it. */
export function RelationsPanel({ assetId, mayWrite }: RelationsPanelProps) {
  const { data, error, refetch } = useQuery(q(AssetRelationsDocument, { assetId }))
  const [isAdding, setAdding] = useState(false)
  const relations = data?.assetRelations
  return (
    <Panel
      title="Relations"
      aside={
        mayWrite && (
          <Button
            variant="default"
            leftSection={<Plus size={13} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Add relation
          </Button>
        )
      }
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!relations && !error && <SkeletonBlock label="Loading relations" />}
      {relations?.length === 0 && <p className="quiet">None is recorded, and no scan reported one.</p>}
      <ul className={styles['list']}>
        {relations?.map((it) => (
          <RelationLine
            key={`${it.id} ${it.kind} ${it.direction} ${it.other} ${it.port}`}
            assetId={assetId}
            relation={it}
            mayWrite={mayWrite}
          />
        ))}
      </ul>
      {isAdding && <RelationForm assetId={assetId} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

interface RelationLineProps {
  readonly assetId: string
  readonly relation: Relation
  readonly mayWrite: boolean
}

function RelationLine({ assetId, relation, mayWrite }: RelationLineProps) {
  const { id, kind, direction, otherId, other, by, lastSeen, note } = relation
  const remove = useChange(RemoveAssetRelationDocument, {
    done: 'Relation removed',
    undo: () => {
      const [fromId, toId] = direction === 'out' ? [assetId, otherId] : [otherId, assetId]
      return send(AddAssetRelationDocument, {
        fromId: fromId ?? '',
        toId: toId ?? '',
        kind: kind as RelationKind,
        note: note || null,
      })
    },
  })
  return (
    <li className={styles['line']}>
      <span className={styles['text']}>
        <span className="quiet">{relationWords(kind, direction)}</span>{' '}
        {otherId ? (
          <Link to="/assets/$assetId" params={{ assetId: otherId }}>
            {other}
          </Link>
        ) : (
          other
        )}
        <span className={`quiet ${styles['details']}`}>
          {detailsOf(relation)}
          {by === null ? `${linkSources[kind] ?? ''}, ` : `${by}, `}
          <Time at={lastSeen} />
          {note && `: ${note}`}
        </span>
      </span>
      {id && mayWrite && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Remove the relation to ${other}`}
          loading={remove.isPending}
          onClick={() => remove.mutate({ id })}
        >
          <X size={13} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

/** `Te1/1 to Gi0/1, VLAN 20, ` */
function detailsOf({ port, otherPort, vlan }: Relation): string {
  const ports = [port, otherPort].filter(Boolean).join(' to ')
  const parts = [ports, vlan === null ? '' : `VLAN ${vlan}`].filter(Boolean)
  return parts.length === 0 ? '' : `${parts.join(', ')}, `
}
