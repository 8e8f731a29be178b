import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { FindAssetsDocument, type AssetRow, type FindAssetsData } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { AssetIcon } from '../asset-icon.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import styles from './merge-search.module.css'

type Found = FindAssetsData['assets']['items'][number]

interface MergeSearchProps {
  readonly asset: Pick<AssetRow, 'id' | 'name'>
  readonly onClose: () => void
}

const TYPING_MS = 150

/** Searches the duplicate of an asset, then previews the merge. */
export function MergeSearch({ asset, onClose }: MergeSearchProps) {
  const navigate = useNavigate()
  const [other, setOther] = useState<Found>()
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
      <Finder except={asset.id} onChoose={setOther} />
    </Modal>
  )
}

interface FinderProps {
  readonly except: string
  readonly onChoose: (asset: Found) => void
}

function Finder({ except, onChoose }: FinderProps) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), TYPING_MS)
  const { data } = useQuery({
    ...q(FindAssetsDocument, { search }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  const found = search === '' ? [] : (data?.assets.items ?? []).filter(({ id }) => id !== except)
  return (
    <>
      <TextInput
        aria-label="Find the other asset"
        placeholder="Name, address, MAC, serial…"
        leftSection={<Search size={14} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        data-autofocus
      />
      <ul className={styles['found']}>
        {found.map((it) => (
          <li key={it.id}>
            <button type="button" className={styles['asset']} onClick={() => onChoose(it)}>
              <AssetIcon type={it.assetType} />
              <span className={styles['name']}>{it.name}</span>
              <code className="quiet">{it.ipAddress}</code>
            </button>
          </li>
        ))}
        {data && search !== '' && found.length === 0 && <li className="quiet">No other asset found.</li>}
      </ul>
    </>
  )
}
