import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { CustomFieldsDocument } from '#api/generated/settings.ts'
import { q } from '#api/query-client.ts'
import { assetColumns, customColumn, type AssetColumn } from './asset-columns.tsx'
import type { AssetSearch } from './asset-search-params.ts'
import {
  movedColumn,
  readColumns,
  resizedColumn,
  toggledColumn,
  writeColumns,
  type LaidOutColumn,
} from './column-layout.ts'

export const DEFAULT_COLUMNS = writeColumns(assetColumns.filter(({ isDefault }) => isDefault))

/**
 * The columns in their order with their widths, and the row density. They are those of the address, which views have;
 * else those of this browser.
 */
export function useTableOptions(search: AssetSearch) {
  const navigate = useNavigate()
  const [own, setOwn] = useLocalStorage({ key: 'rollcall-asset-layout', defaultValue: DEFAULT_COLUMNS })
  const [isCompact, setCompact] = useLocalStorage({ key: 'rollcall-asset-compact', defaultValue: false })
  const [isChosen, setChosen] = useState(false)
  const text = search.columns ?? own
  const layout = useMemo(() => readColumns(text), [text])
  const all = useAllColumns(isChosen || text.includes('custom.'))
  const columns = useMemo(() => layout.flatMap((it) => shownColumn(all, it) ?? []), [all, layout])
  const set = (next: readonly LaidOutColumn[]) => {
    if (search.columns === undefined) return setOwn(writeColumns(next))
    void navigate({ to: '/assets', search: { ...search, columns: writeColumns(next) }, replace: true })
  }
  return {
    all,
    columns,
    /** For views, where it is another one than everybody has. */
    text: text === DEFAULT_COLUMNS ? undefined : text,
    isCompact,
    setCompact,
    /** The columns are to be chosen from: custom fields among them. */
    choose: () => setChosen(true),
    toggle: (key: string) => set(toggledColumn(layout, key)),
    move: (key: string, by: -1 | 1) => set(movedColumn(layout, key, by)),
    resize: (key: string, width: number) => set(resizedColumn(layout, key, width)),
    reset: () => set(readColumns(DEFAULT_COLUMNS)),
  }
}

/** Custom fields come last. Most lists show none, and a slow line is spared the question. */
function useAllColumns(withCustom: boolean): readonly AssetColumn[] {
  const { data } = useQuery({ ...q(CustomFieldsDocument, {}), enabled: withCustom })
  const fields = data?.customFields
  return useMemo(() => [...assetColumns, ...(fields ?? []).map(customColumn)], [fields])
}

function shownColumn(all: readonly AssetColumn[], { key, width }: LaidOutColumn): AssetColumn | undefined {
  const column = all.find((it) => it.key === key)
  return column && width !== undefined ? { ...column, width, grow: 0, fillsWidth: false } : column
}
