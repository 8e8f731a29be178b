import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PreviewUnlinkDocument, UnlinkObservationsDocument } from '#api/generated/asset.ts'
import { q, useChange } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { AssetPreview } from './asset-preview.tsx'
import styles from './asset-preview.module.css'

interface UnlinkDialogProps {
  readonly assetId: string
  readonly observationIds: readonly string[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Shows what the asset and the separated observations would be, and separates them. */
export function UnlinkDialog({ assetId, observationIds, onClose, onDone }: UnlinkDialogProps) {
  const [reason, setReason] = useState('')
  const { data, error } = useQuery(q(PreviewUnlinkDocument, { assetId, observationIds }))
  const unlink = useChange(UnlinkObservationsDocument, {
    done: 'Observations separated',
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      size="lg"
      title={`Separate ${many(observationIds.length, 'observation')}`}
      action="Separate"
      isBusy={unlink.isPending}
      onConfirm={() => unlink.mutate({ assetId, observationIds, reason: reason.trim() || 'manual' })}
      onClose={onClose}
    >
      <p className="quiet">
        They are kept apart from now on, whatever evidence comes. You can merge the assets again later.
      </p>
      {error && <LoadError error={error} />}
      {!data && !error && <SkeletonBlock label="Working out what would be" />}
      {data && (
        <div className={styles['cards']}>
          <AssetPreview title="This asset would be" asset={data.previewUnlink.remaining} />
          {data.previewUnlink.separated.map((asset) => (
            <AssetPreview key={asset.id} title="A new asset" asset={asset} />
          ))}
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
