import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import {
  AttachmentsDocument,
  DeleteAttachmentDocument,
  type AttachmentsData,
} from '#api/generated/records.ts'
import { q, useChange } from '#api/query-client.ts'
import { inTenant } from '#api/tenant-url.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import type { AttachedTo } from './attached-to.ts'
import styles from './attachment-list.module.css'
import { fileSize } from './file-size.ts'
import { useFiles } from './use-files.ts'

type Attachment = AttachmentsData['attachments'][number]

interface AttachmentListProps {
  readonly of: AttachedTo
  /** Beside “None yet.” */
  readonly hint?: string
  readonly mayWrite: boolean
  /** Of files on their way, 0 to 1. */
  readonly share: number | undefined
  readonly onFiles: (files: readonly File[]) => void
}

const HINT = 'Drop invoices, photos or manuals here, or paste a picture.'

/** The files, to be downloaded and deleted; takes others that are dropped or pasted. */
export function AttachmentList({ of, hint = HINT, mayWrite, share, onFiles }: AttachmentListProps) {
  const { data, error, refetch } = useQuery(q(AttachmentsDocument, of))
  const [deleted, setDeleted] = useState<Attachment>()
  const isOver = useFiles((files) => mayWrite && onFiles(files))
  const files = data?.attachments
  return (
    <div className={styles['root']} data-over={(isOver && mayWrite) || undefined}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!files && !error && <SkeletonBlock label="Loading files" />}
      {files?.length === 0 && <p className="quiet">{mayWrite ? `None yet. ${hint}` : 'None.'}</p>}
      <ul className={styles['list']}>
        {files?.map((file) => (
          <Line key={file.id} file={file} onDelete={mayWrite ? () => setDeleted(file) : undefined} />
        ))}
      </ul>
      {share !== undefined && <ProgressBar label="Uploading" share={share} />}
      {deleted && <DeleteAttachment file={deleted} onClose={() => setDeleted(undefined)} />}
    </div>
  )
}

interface LineProps {
  readonly file: Attachment
  readonly onDelete: (() => void) | undefined
}

function Line({ file: { id, name, bytes, addedBy, addedAt }, onDelete }: LineProps) {
  return (
    <li className={styles['line']}>
      <span className={styles['text']}>
        <a href={inTenant(`/files/attachment?id=${id}`)} download={name}>
          {name}
        </a>
        <span className={`quiet ${styles['details']}`}>
          {fileSize(bytes)}, {addedBy}, <Time at={addedAt} />
        </span>
      </span>
      {onDelete && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Delete ${name}`}
          title={`Delete ${name}`}
          onClick={onDelete}
        >
          <X size={13} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

interface DeleteAttachmentProps {
  readonly file: Attachment
  readonly onClose: () => void
}

function DeleteAttachment({ file: { id, name }, onClose }: DeleteAttachmentProps) {
  const remove = useChange(DeleteAttachmentDocument, { done: `${name} deleted`, onDone: onClose })
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${name}`}
      action="Delete file"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p>It cannot be brought back.</p>
    </ConfirmDialog>
  )
}
