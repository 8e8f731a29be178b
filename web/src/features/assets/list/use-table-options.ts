import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { CustomFieldsDocument } from '#api/generated/settings.ts'
import { q } from '#api/query-client.ts'
import { assetColumns, customColumn } from './asset-columns.tsx'

const DEFAULT_COLUMNS = assetColumns.filter(({ isDefault }) => isDefault).map(({ key }) => key)

/** The columns and the row density of the asset list, kept in this browser's local storage. Custom fields come last. */
export function useTableOptions() {
  const [keys, setKeys] = useLocalStorage({ key: 'rollcall-asset-columns', defaultValue: DEFAULT_COLUMNS })
  const [isChosen, setChosen] = useState(false)
  // most lists show no custom field, and a slow line is spared the question
  const isNeeded = isChosen || keys.some((key) => key.startsWith('custom.'))
  const { data } = useQuery({ ...q(CustomFieldsDocument, {}), enabled: isNeeded })
  const [isCompact, setCompact] = useLocalStorage({ key: 'rollcall-asset-compact', defaultValue: false })
  const fields = data?.customFields
  const all = useMemo(() => [...assetColumns, ...(fields ?? []).map(customColumn)], [fields])
  const columns = useMemo(() => all.filter(({ key }) => key === 'name' || keys.includes(key)), [all, keys])
  return {
    all,
    columns,
    isCompact,
    setCompact,
    /** The columns are to be chosen from: custom fields among them. */
    choose: () => setChosen(true),
    toggle: (key: string) => setKeys(keys.includes(key) ? keys.filter((it) => it !== key) : [...keys, key]),
    reset: () => setKeys(DEFAULT_COLUMNS),
  }
}
