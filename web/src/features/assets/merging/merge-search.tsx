import { Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AssetRow } from '#api/generated/assets.ts'
import { AssetFinder, type FoundAsset } from '../asset-finder.tsx'
import { MergeDialog } from './merge-dialog.tsx'

interface MergeSearchProps {
  readonly asset: Pick<AssetRow, 'id' | 'name'>
  readonly onClose: () => void
}

/** Searches the duplicate of an asset, then previews the merge. */
export function MergeSearch({ asset, onClose }: MergeSearchProps) {
  const navigate = useNavigate()
  const [other, setOther] = useState<FoundAsset>()
  if (other)
    return (
      <MergeDialog
        a={asset}
        b={other}
        onClose={onClose}
        onDone={({ id: assetId }) =>
          void navigate({ to: '/assets/$assetId', params: { assetId }, replace: true })
        }
      />
    )
  return (
    <Modal opened onClose={onClose} title={`Merge ${asset.name} with`}>
      <AssetFinder except={asset.id} onChoose={setOther} />
    </Modal>
  )
}
