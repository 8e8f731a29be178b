import { useLocalStorage } from '@mantine/hooks'
import { assetColumns } from './asset-columns.tsx'

const DEFAULT_COLUMNS = assetColumns.filter(({ isDefault }) => isDefault).map(({ key }) => key)

/** The columns and the row density of the asset list, kept in this browser's local storage. */
export function useTableOptions() {
  const [keys, setKeys] = useLocalStorage({ key: 'rollcall-asset-columns', defaultValue: DEFAULT_COLUMNS })
  const [isCompact, setCompact] = useLocalStorage({ key: 'rollcall-asset-compact', defaultValue: false })
  return {
    columns: assetColumns.filter(({ key }) => key === 'name' || keys.includes(key)),
    isCompact,
    setCompact,
    toggle: (key: string) => setKeys(keys.includes(key) ? keys.filter((it) => it !== key) : [...keys, key]),
    reset: () => setKeys(DEFAULT_COLUMNS),
  }
}
