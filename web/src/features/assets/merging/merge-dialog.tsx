import { Alert, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '#api/client.ts'
import {
  MergeAssetsDocument,
  MergeMembersDocument,
  type MergeMembersData,
  PreviewMergeDocument,
  UnlinkObservationsDocument,
} from '#api/generated/asset.ts'
import type { AssetRow } from '#api/generated/assets.ts'
import { q, useChange } from '#api/query-client.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { AssetPreview } from './asset-preview.tsx'
import styles from './asset-preview.module.css'

interface MergeDialogProps {
  readonly a: Pick<AssetRow, 'id' | 'name'>
  readonly b: Pick<AssetRow, 'id' | 'name'>
  readonly onClose: () => void
  /** No notification: the caller shows the outcome. */
  readonly isQuiet?: boolean
  readonly onDone?: (merged: Merged) => void
}

/** The surviving asset. */
export interface Merged {
  readonly id: string
  readonly name: string
  /** Observations of the asset that did not survive: unlinking them undoes the merge. Empty while they load. */
  readonly takenOverObservationIds: readonly string[]
}

/** Previews the merge of two assets, and merges them. */
export function MergeDialog(props: MergeDialogProps) {
  const { a, b, onClose } = props
  const [reason, setReason] = useState('')
  const ids = { assetIdA: a.id, assetIdB: b.id }
  const { data, error } = useQuery(q(PreviewMergeDocument, ids))
  const { data: members } = useQuery(q(MergeMembersDocument, ids))
  const [serialA, serialB] = [members?.a?.serial ?? '', members?.b?.serial ?? '']
  const merge = useMerge(props, members)
  return (
    <ConfirmDialog
      isOpen
      title={`Merge ${a.name} and ${b.name}`}
      action="Merge"
      isBusy={merge.isPending}
      onConfirm={() => merge.mutate({ ...ids, reason: reason.trim() || 'manual' })}
      onClose={onClose}
    >
      <p className="quiet">
        All observations of both become those of one asset. It can be undone, and later they can be separated
        on its page.
      </p>
      {serialA !== '' && serialB !== '' && serialA !== serialB && (
        <Alert color="yellow" title="Their serial numbers differ">
          {`${serialA} and ${serialB}: two machines, unless a part was exchanged.`}
        </Alert>
      )}
      {error && <LoadError error={error} />}
      {!data && !error && <SkeletonBlock label="Working out what would be" />}
      {data && (
        <div className={styles['cards']}>
          <AssetPreview title="They would be" asset={data.previewMerge} />
        </div>
      )}
      <TextInput
        label="Reason"
        description="Kept in the audit log."
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

/** Undone by separating what the survivor took over. */
function useMerge(
  { a, isQuiet = false, onClose, onDone }: MergeDialogProps,
  members: MergeMembersData | undefined,
) {
  const takenOverBy = (survivor: string): string[] => {
    const other = survivor === a.id ? members?.b : members?.a
    return other?.observations.map(({ id }) => id) ?? []
  }
  return useChange(MergeAssetsDocument, {
    ...(!isQuiet && {
      done: ({ mergeAssets }) => `Merged into ${mergeAssets.name}`,
      ...(members && {
        undo: ({ mergeAssets: { id } }) =>
          send(UnlinkObservationsDocument, {
            assetId: id,
            observationIds: takenOverBy(id),
            reason: 'merge undone',
          }),
      }),
    }),
    onDone: ({ mergeAssets: { id, name } }) => {
      onClose()
      onDone?.({ id, name, takenOverObservationIds: takenOverBy(id) })
    },
  })
}
