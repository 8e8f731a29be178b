import { ActionIcon, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { DeleteAssetDocument } from '#api/generated/asset.ts'
import type { AssetRow } from '#api/generated/assets.ts'
import { useChange } from '#api/query-client.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'

export function DeleteAsset({ asset: { id, name } }: { readonly asset: Pick<AssetRow, 'id' | 'name'> }) {
  const navigate = useNavigate()
  const [isOpen, dialog] = useDisclosure(false)
  const remove = useChange(DeleteAssetDocument, {
    done: `${name} deleted`,
    onDone: () => void navigate({ to: '/assets' }),
  })
  return (
    <>
      <Tooltip label="Delete this asset">
        <ActionIcon variant="default" size={30} aria-label="Delete this asset" onClick={dialog.open}>
          <Trash2 size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <ConfirmDialog
        isOpen={isOpen}
        title={`Delete ${name}`}
        action="Delete asset"
        isDestructive
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
        onClose={dialog.close}
      >
        <p>
          Its observations, tags and custom fields are deleted with it and cannot be brought back. A source
          that sees the thing again makes a new asset.
        </p>
      </ConfirmDialog>
    </>
  )
}
