import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { useState } from 'react'
import {
  AssetSourcesDocument,
  type AssetType,
  type DeviceType,
  type Freshness,
} from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import styles from './asset-filters.module.css'
import { assetTypes, typeName } from '../asset-types.ts'
import { deviceTypeName, deviceTypes } from '../recognition/device-types.ts'
import { FRESHNESS, isFiltered, WEEK, type AssetSearch } from './asset-search-params.ts'
import { useTagSuggestions } from '../editing/use-tag-suggestions.ts'

const TYPING_MS = 180
const TAGS_OFFERED = 50

export function AssetFilters({ search }: { readonly search: AssetSearch }) {
  const navigate = useNavigate()
  const sources = useSources()
  const change = (part: AssetSearch) =>
    void navigate({ to: '/assets', search: (before) => ({ ...before, ...part }), replace: true })
  return (
    <div className={styles['filters']} role="search">
      <SearchBox value={search.search ?? ''} onChange={(text) => change({ search: text || undefined })} />
      <Filter
        label="Type"
        value={search.type}
        options={assetTypes.map((type) => ({ value: type, label: typeName(type) }))}
        onChange={(type) => change({ type: type as AssetType | undefined })}
      />
      <Filter
        label="Device type"
        value={search.device}
        options={deviceTypes.map((type) => ({ value: type, label: deviceTypeName(type) }))}
        onChange={(device) => change({ device: device as DeviceType | undefined })}
      />
      <Filter
        label="Source"
        value={search.source}
        options={sources}
        onChange={(source) => change({ source })}
      />
      <TagFilter value={search.tag} onChange={(tag) => change({ tag })} />
      <Filter
        label="Last seen"
        value={search.freshness}
        options={Object.entries(FRESHNESS).map(([value, label]) => ({ value, label }))}
        onChange={(freshness) => change({ freshness: freshness as Freshness | undefined })}
      />
      {search.week && (
        <Button
          variant="light"
          rightSection={<X size={13} aria-hidden />}
          onClick={() => change({ week: undefined })}
        >
          {WEEK[search.week]}
        </Button>
      )}
      {isFiltered(search) && (
        <Button variant="subtle" onClick={() => void navigate({ to: '/assets', search: {}, replace: true })}>
          Clear
        </Button>
      )}
    </div>
  )
}

/** The sources to filter by; empty without the permission to list sources. */
function useSources() {
  const may = usePermission()
  const { data } = useQuery({ ...q(AssetSourcesDocument, {}), enabled: may('sources:read') })
  return (data?.sources ?? []).map(({ id, kind, name }) => ({ value: id, label: name || kind }))
}

interface FilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string | undefined) => void
}

function Filter({ label, value, options, onChange }: FilterProps) {
  return (
    <Select
      className={value === undefined ? styles['filter'] : `${styles['filter']} ${styles['set']}`}
      size="xs"
      aria-label={label}
      placeholder={label}
      data={[...options]}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      clearable
      searchable={options.length > 12}
      comboboxProps={{ width: 220, position: 'bottom-start' }}
    />
  )
}

type TagFilterProps = Pick<FilterProps, 'value' | 'onChange'>

/** Suggests the tags in use that contain the typed text. */
function TagFilter({ value, onChange }: TagFilterProps) {
  const [text, setText] = useState('')
  const tags = useTagSuggestions(text === value ? '' : text)
  const offered = value === undefined || tags.includes(value) ? tags : [value, ...tags]
  return (
    <Select
      className={value === undefined ? styles['filter'] : `${styles['filter']} ${styles['set']}`}
      size="xs"
      aria-label="Tag"
      placeholder="Tag"
      data={[...offered]}
      filter={({ options }) => options}
      limit={TAGS_OFFERED}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage="No asset has such a tag"
      clearable
      searchable
      comboboxProps={{ width: 220, position: 'bottom-start' }}
    />
  )
}

interface SearchBoxProps {
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Searches while typing; follows the URL after navigation. */
function SearchBox({ value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [previous, setPrevious] = useState(value)
  if (value !== previous) {
    setPrevious(value)
    if (value !== sent) setText(value)
  }
  const send = useDebouncedCallback((wanted: string) => {
    setSent(wanted)
    onChange(wanted)
  }, TYPING_MS)
  return (
    <TextInput
      className={styles['search']}
      size="xs"
      type="search"
      aria-label="Search assets"
      placeholder="Name, address, MAC, system, tag…"
      leftSection={<Search size={14} aria-hidden />}
      rightSection={text === '' && <kbd className={styles['key']}>/</kbd>}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        send(currentTarget.value.trim())
      }}
    />
  )
}
