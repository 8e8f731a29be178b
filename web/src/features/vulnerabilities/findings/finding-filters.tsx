import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { usePermission } from '#api/use-permission.ts'
import { ConditionBox } from '#features/conditions/condition-box.tsx'
import { FacetsButton, type useFacetsPanel } from '#features/conditions/facets-panel.tsx'
import styles from './finding-filters.module.css'
import {
  GROUPINGS,
  ORDERS,
  type FindingGrouping,
  type FindingOrder,
  type FindingSearch,
  groupingOf,
  readFindingSearch,
} from './finding-search-params.ts'

interface FindingFiltersProps {
  readonly search: FindingSearch
  readonly panel: ReturnType<typeof useFacetsPanel>
}

/** Narrows the findings by words and by a condition; orders or groups them. */
export function FindingFilters({ search, panel }: FindingFiltersProps) {
  const navigate = useNavigate()
  const mayAssets = usePermission()('assets:read')
  const groupings = GROUPINGS.filter(({ by }) => mayAssets || !by.startsWith('asset.'))
  const choose = (change: FindingSearch, replace = true) =>
    void navigate({
      to: '/vulnerabilities',
      search: (before) => ({ ...readFindingSearch(before), ...change }),
      replace,
    })
  return (
    <div className={styles['filters']}>
      <ConditionBox
        subject="finding"
        label="Search the findings"
        placeholder="CVE, software, asset … or severity, kev, asset.os …"
        hint="Open findings, unless the condition asks about the status."
        where={search.where ?? ''}
        text={search.text ?? ''}
        onChange={({ where, text }, isTyping) =>
          choose({ where: where || undefined, text: text || undefined }, isTyping)
        }
      />
      <FacetsButton panel={panel} />
      <Select
        aria-label="Group by"
        data={[
          { value: 'none', label: 'Not grouped' },
          ...groupings.map(({ value, label }) => ({ value, label: `By ${label}` })),
        ]}
        value={groupingOf(search) ?? 'none'}
        onChange={(value) => choose({ group: (value as FindingGrouping | 'none' | null) ?? 'none' }, false)}
      />
      <Select
        aria-label="Order"
        disabled={groupingOf(search) !== undefined}
        data={[...ORDERS]}
        value={search.order ?? 'score'}
        onChange={(value) => choose({ order: value === 'score' ? undefined : (value as FindingOrder) })}
      />
    </div>
  )
}
