import { ActionIcon, Button } from '@mantine/core'
import { X } from 'lucide-react'
import {
  CancelBulkChangeDocument,
  UndoBulkChangeDocument,
  type BulkProgress,
} from '#api/generated/operations.ts'
import { useChange } from '#api/query-client.ts'
import { ProgressBar } from '#ui/progress-bar.tsx'
import styles from './bulk-bar.module.css'
import { isUndoable, outcomeOf } from './bulk-words.ts'

interface BulkProgressStripProps {
  readonly change: BulkProgress
  readonly onFollow: (change: BulkProgress) => void
  readonly onDismiss: () => void
}

/** How far a bulk change is, with a way to stop it; afterwards what it did, with a way to undo it. */
export function BulkProgressStrip({ change, onFollow, onDismiss }: BulkProgressStripProps) {
  const cancel = useChange(CancelBulkChangeDocument, { onDone: (data) => onFollow(data.cancelBulkChange) })
  const undo = useChange(UndoBulkChangeDocument, { onDone: (data) => onFollow(data.undoBulkChange) })
  const { id, status, done, total, finishedAt } = change
  const text = outcomeOf(change)
  return (
    <div
      className={styles['bar']}
      role="region"
      aria-label="Bulk change"
      data-failed={status === 'failed' || undefined}
    >
      <div className={styles['progress']}>
        <p role="status">{text}</p>
        {!finishedAt && (
          <ProgressBar
            label="Progress of the change"
            share={status === 'running' && total > 0 ? done / total : null}
          />
        )}
      </div>
      {!finishedAt && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
          Stop
        </Button>
      )}
      {isUndoable(change) && (
        <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate({ id })}>
          Undo
        </Button>
      )}
      {finishedAt && (
        <ActionIcon variant="subtle" color="gray" size={30} aria-label="Dismiss" onClick={onDismiss}>
          <X size={15} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}
