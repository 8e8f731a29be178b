import {
  CancelBulkChangeDocument,
  UndoBulkChangeDocument,
  type BulkProgress,
} from '#api/generated/bulk-changes.ts'
import { useChange } from '#api/query-client.ts'
import { ProgressStrip } from '#ui/table/selection-bar.tsx'
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
  return (
    <ProgressStrip
      text={outcomeOf(change)}
      share={finishedAt ? undefined : status === 'running' && total > 0 ? done / total : null}
      isFailed={status === 'failed'}
      isBusy={cancel.isPending || undo.isPending}
      onStop={() => cancel.mutate({ id })}
      onUndo={isUndoable(change) ? () => undo.mutate({ id }) : undefined}
      onDismiss={onDismiss}
    />
  )
}
