import { Select } from '@mantine/core'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import styles from './list-frame.module.css'
import { useListSearch } from './use-list-search.ts'

interface GroupByProps {
  readonly fields: readonly FacetField[]
  readonly group: string | undefined
  /** What the address says where rows are wanted, unless that is said by nothing. */
  readonly ungrouped?: string | undefined
}

/** By which field the list is counted in place of its rows. */
export function GroupBy({ fields, group, ungrouped }: GroupByProps) {
  const change = useListSearch()
  if (fields.length === 0) return null
  return (
    <Select
      aria-label="Group by"
      placeholder="Group by"
      size="xs"
      clearable
      className={styles['group']}
      data={fields.map(({ field, label }) => ({ value: field, label }))}
      value={fields.some(({ field }) => field === group) ? (group ?? null) : null}
      onChange={(value) => change({ group: value ?? ungrouped })}
    />
  )
}
