import { useLocalStorage } from '@mantine/hooks'
import { assetColumns } from './asset-columns.tsx'

const USUAL = assetColumns.filter(({ isUsual }) => isUsual).map(({ key }) => key)

/** How this browser shows the list: which columns, how tight. */
export function useTableOptions() {
  const [keys, setKeys] = useLocalStorage({ key: 'rollcall-asset-columns', defaultValue: USUAL })
  const [isCompact, setCompact] = useLocalStorage({ key: 'rollcall-asset-compact', defaultValue: false })
  return {
    columns: assetColumns.filter(({ key }) => key === 'name' || keys.includes(key)),
    isCompact,
    setCompact,
    toggle: (key: string) => setKeys(keys.includes(key) ? keys.filter((it) => it !== key) : [...keys, key]),
    reset: () => setKeys(USUAL),
  }
}
