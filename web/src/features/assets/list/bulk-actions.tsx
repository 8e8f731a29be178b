import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { AddAssetTagsDocument, RemoveAssetTagsDocument } from '#api/generated/operations.ts'
import { useChange } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import styles from './bulk-actions.module.css'
import { TagPicker } from '../editing/tag-picker.tsx'
import type { useRowSelection } from './use-row-selection.ts'

/** The actions on all selected assets. */
export function BulkActions({ selection }: { readonly selection: ReturnType<typeof useRowSelection> }) {
  const [open, setOpen] = useState<'add' | 'remove'>()
  const chosen = many(selection.ids.size, 'asset')
  return (
    <div className={styles['bar']} role="region" aria-label="Selected assets">
      <strong aria-live="polite">{chosen} selected</strong>
      <Button variant="default" onClick={() => setOpen('add')}>
        Add tags
      </Button>
      <Button variant="default" onClick={() => setOpen('remove')}>
        Remove tags
      </Button>
      <Button variant="subtle" color="gray" onClick={selection.clear}>
        Clear selection
      </Button>
      <TagDialog open={open} assetIds={[...selection.ids]} onClose={() => setOpen(undefined)} />
    </div>
  )
}

interface TagDialogProps {
  readonly open: 'add' | 'remove' | undefined
  readonly assetIds: readonly string[]
  readonly onClose: () => void
}

function TagDialog({ open, assetIds, onClose }: TagDialogProps) {
  const form = useForm({ initialValues: { tags: [] as string[] } })
  const done = `Tags changed on ${many(assetIds.length, 'asset')}`
  const add = useChange(AddAssetTagsDocument, { done, isQuiet: true })
  const remove = useChange(RemoveAssetTagsDocument, { done, isQuiet: true })
  const verb = open === 'remove' ? 'Remove tags' : 'Add tags'
  return (
    <FormDialog
      isOpen={open !== undefined}
      title={`${verb}: ${many(assetIds.length, 'asset')}`}
      action={verb}
      form={form}
      onSubmit={({ tags }) =>
        open === 'remove' ? remove.mutateAsync({ assetIds, tags }) : add.mutateAsync({ assetIds, tags })
      }
      onClose={onClose}
    >
      <TagPicker {...form.getInputProps('tags')} />
    </FormDialog>
  )
}
