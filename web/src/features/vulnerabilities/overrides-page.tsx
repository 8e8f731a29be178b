import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OverridesDocument, type OverrideState } from '#api/generated/operations.ts'
import { q } from '#api/queries.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Page } from '#ui/page.tsx'
import { Pager } from '#ui/pager.tsx'
import { Panel } from '#ui/panel.tsx'
import { OverrideTable } from './override-table.tsx'
import styles from './overrides-page.module.css'
import { VexButtons } from './vex-buttons.tsx'

const SIZE = 50
const STATES = [
  { value: 'active', label: 'In force' },
  { value: 'proposed', label: 'Waiting for approval' },
  { value: 'ended', label: 'Ended' },
  { value: '', label: 'All' },
]

export function OverridesPage() {
  const [state, setState] = useState<OverrideState | ''>('active')
  const [offset, setOffset] = useState(0)
  const { data, error, refetch } = useQuery({
    ...q(OverridesDocument, { state: state || null, cveId: null, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.overrides.total
  return (
    <Page
      title="Decisions"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="What people and vendors decided about findings: accepted risks, false positives, other severities. Each has a reason, and most an end."
      actions={<VexButtons />}
    >
      <Select
        aria-label="Which decisions"
        className={styles['states']}
        allowDeselect={false}
        data={STATES}
        value={state}
        onChange={(value) => {
          setOffset(0)
          setState((value ?? '') as OverrideState | '')
        }}
      />
      <Panel isFlush>
        <OverrideTable rows={data?.overrides.items} error={error} onRetry={() => void refetch()} />
        {total !== undefined && <Pager total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
    </Page>
  )
}
