import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { FindAssetsDocument, type FindAssetsData } from '#api/generated/command-palette.ts'
import { q } from '#api/query-client.ts'
import styles from './asset-finder.module.css'
import { AssetIcon } from './asset-icon.tsx'

export type FoundAsset = FindAssetsData['assets']['items'][number]

const TYPING_MS = 150

interface AssetFinderProps {
  /** The id of an asset that is not offered. */
  readonly except: string
  readonly label?: string
  readonly onChoose: (asset: FoundAsset) => void
}

/** Searches assets and lets one be chosen. */
export function AssetFinder({ except, label = 'Find the other asset', onChoose }: AssetFinderProps) {
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
        aria-label={label}
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
