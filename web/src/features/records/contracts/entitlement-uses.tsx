import { ActionIcon, Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import {
  AssignEntitlementDocument,
  EntitlementUsesDocument,
  UnassignEntitlementDocument,
  type EntitlementUsesData,
} from '#api/generated/records.ts'
import { send } from '#api/client.ts'
import { q, useChange } from '#api/query-client.ts'
import { AssetFinder } from '#features/assets/asset-finder.tsx'
import { count as whole } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import type { Entitlement } from './entitlement-form.tsx'
import styles from './entitlement-uses.module.css'

interface EntitlementUsesProps {
  /** Undefined: closed. */
  readonly entitlement: Entitlement | undefined
  readonly mayWrite: boolean
  readonly onClose: () => void
}

/** Which assets and persons use it, against how many uses there are; uses are assigned and taken away here. */
export function EntitlementUses({ entitlement, mayWrite, onClose }: EntitlementUsesProps) {
  if (!entitlement) return null
  return (
    <Modal opened title={`Uses of ${entitlement.product}`} onClose={onClose}>
      <Uses entitlement={entitlement} mayWrite={mayWrite} />
    </Modal>
  )
}

interface UsesProps {
  readonly entitlement: Entitlement
  readonly mayWrite: boolean
}

function Uses({ entitlement: { id, used, count }, mayWrite }: UsesProps) {
  const { data, error, refetch } = useQuery(q(EntitlementUsesDocument, { entitlementId: id }))
  const uses = data?.entitlementUses
  return (
    <div className={styles['content']}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!uses && !error && <SkeletonBlock label="Loading uses" />}
      {uses && <Balance used={used} count={count} />}
      <ul className={styles['list']}>
        {uses?.map((use) => (
          <UseLine key={use.id} entitlementId={id} use={use} mayWrite={mayWrite} />
        ))}
      </ul>
      {mayWrite && <Assign entitlementId={id} />}
    </div>
  )
}

function Balance({ used, count }: { readonly used: number; readonly count: number | null }) {
  if (count === null) return <p>{whole(used)} used, of any number.</p>
  return (
    <p>
      {whole(used)} of {whole(count)} used{' '}
      {used > count ? (
        <Badge tone="bad" sign="!">
          {whole(used - count)} too many
        </Badge>
      ) : (
        <span className="quiet">{whole(count - used)} left</span>
      )}
    </p>
  )
}

interface UseLineProps {
  readonly entitlementId: string
  readonly use: EntitlementUsesData['entitlementUses'][number]
  readonly mayWrite: boolean
}

function UseLine({ entitlementId, use, mayWrite }: UseLineProps) {
  const { id, assetId, assetName, person, assignedAt } = use
  const name = assetName ?? person ?? ''
  const unassign = useChange(UnassignEntitlementDocument, {
    done: `Use of ${name} taken away`,
    undo: () =>
      send(AssignEntitlementDocument, {
        entitlementId,
        ...(assetId === null ? { persons: [name] } : { assetIds: [assetId] }),
      }),
  })
  return (
    <li className={styles['line']}>
      <span className={styles['text']}>
        {assetId ? (
          <Link to="/assets/$assetId" params={{ assetId }}>
            {name}
          </Link>
        ) : (
          name
        )}{' '}
        <span className="quiet">
          <Time at={assignedAt} />
        </span>
      </span>
      {mayWrite && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Take the use of ${name} away`}
          loading={unassign.isPending}
          onClick={() => unassign.mutate({ entitlementId, useIds: [id] })}
        >
          <X size={13} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

function Assign({ entitlementId }: { readonly entitlementId: string }) {
  const [person, setPerson] = useState('')
  const assign = useChange(AssignEntitlementDocument, { done: 'Assigned', onDone: () => setPerson('') })
  return (
    <>
      <form
        className={styles['person']}
        onSubmit={(event) => {
          event.preventDefault()
          if (person.trim() !== '') assign.mutate({ entitlementId, persons: [person.trim()] })
        }}
      >
        <TextInput
          className={styles['text'] ?? ''}
          label="Assign to a person"
          placeholder="Name or e-mail address"
          maxLength={200}
          value={person}
          onChange={({ currentTarget }) => setPerson(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={assign.isPending}>
          Assign
        </Button>
      </form>
      <span className={styles['label']}>Assign to an asset</span>
      <AssetFinder
        except=""
        label="Assign to an asset"
        onChoose={({ id }) => assign.mutate({ entitlementId, assetIds: [id] })}
      />
    </>
  )
}
