import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { OverridesDocument } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { readOverrideSearch, STATE_CHOICES, statesOf } from './override-search-params.ts'
import { OverrideTable } from './override-table.tsx'
import styles from './overrides-page.module.css'
import { VexImportExport } from './vex-import-export.tsx'
import { PendingApprovals } from './pending-approvals.tsx'

const SIZE = 50

export function OverridesPage() {
  const search = useSearch({ from: '/app/overrides' })
  const navigate = useNavigate()
  const [offset, setOffset] = useOffset('Overrides')
  const { data, error, refetch } = useQuery({
    ...q(OverridesDocument, { states: statesOf(search), cveId: null, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.overrides.total
  return (
    <Page
      title="Overrides"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="What people and vendors say of findings instead of the feeds: accepted risks, false positives, other severities. Each has a reason, and most an end."
      actions={<VexImportExport />}
    >
      {search.state !== 'proposed' && <PendingApprovals />}
      <Select
        aria-label="Which overrides"
        className={styles['states']}
        allowDeselect={false}
        data={[...STATE_CHOICES]}
        value={search.state ?? 'current'}
        onChange={(state) => {
          void navigate({ to: '/overrides', search: readOverrideSearch({ state }), replace: true })
        }}
      />
      <Panel isFlush>
        <OverrideTable
          rows={data?.overrides.items}
          total={data?.overrides.total}
          isFiltered={search.state !== 'all'}
          error={error}
          onRetry={() => void refetch()}
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
    </Page>
  )
}
