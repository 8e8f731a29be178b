import { Link } from '@tanstack/react-router'
import { Check, Gavel, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { OverrideState } from '#api/generated/enums-and-inputs.ts'
import type { OverrideRow } from '#api/generated/vulnerabilities.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { Badge, type Tone } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Day, Time } from '#ui/time.tsx'
import { ApproveOverrideDialog } from './approve-override-dialog.tsx'
import { EndOverrideForm, endVerb } from './end-override-form.tsx'
import styles from './overrides-page.module.css'
import { kindName, scopeText } from './override.ts'
import { severityName } from '../severities.ts'

interface OverrideTableProps {
  readonly rows: readonly OverrideRow[] | undefined
  /** Of all pages. */
  readonly total?: number | undefined
  /** The list is filtered, so an empty one does not mean that there are none. */
  readonly isFiltered?: boolean
  readonly error?: unknown
  readonly onRetry: () => void
}

export function OverrideTable({ rows, isFiltered = false, error, onRetry }: OverrideTableProps) {
  const [ending, setEnding] = useState<OverrideRow>()
  const [approving, setApproving] = useState<OverrideRow>()
  const may = usePermission()
  const menu: Column<OverrideRow> = {
    title: '',
    align: 'right',
    cell: (row) => <Actions row={row} onApprove={setApproving} onEnd={setEnding} />,
  }
  return (
    <>
      <DataTable
        label="Overrides"
        columns={may('overrides:write') ? [...columns, menu] : columns}
        rows={rows}
        keyOf={({ id }) => id}
        error={error}
        onRetry={onRetry}
        empty={
          <EmptyState icon={Gavel} title={isFiltered ? 'No override is in this state' : 'No override'}>
            Open a finding and choose “Override”. Vendors’ own statements come with the feeds, or as a VEX
            document.
          </EmptyState>
        }
      />
      {approving && <ApproveOverrideDialog override={approving} onClose={() => setApproving(undefined)} />}
      {ending && <EndOverrideForm override={ending} onClose={() => setEnding(undefined)} />}
    </>
  )
}

interface ActionsProps {
  readonly row: OverrideRow
  readonly onApprove: (row: OverrideRow) => void
  readonly onEnd: (row: OverrideRow) => void
}

function Actions({ row, onApprove, onEnd }: ActionsProps) {
  const approve = {
    title: row.isOwn ? 'Somebody else approves' : 'Approve…',
    icon: Check,
    isDisabled: row.isOwn,
    onChoose: () => onApprove(row),
  }
  const end = {
    title: `${endVerb(row)}…`,
    icon: Undo2,
    isDestructive: true,
    onChoose: () => onEnd(row),
  }
  return (
    <RowMenu
      label={`Actions for the override of ${row.cveId}`}
      actions={[...(row.state === 'proposed' ? [approve] : []), ...(row.state === 'ended' ? [] : [end])]}
    />
  )
}

const STATES: Readonly<Record<OverrideState, readonly [string, Tone, '●' | '…' | '○']>> = {
  active: ['In force', 'good', '●'],
  proposed: ['Waits for approval', 'warn', '…'],
  ended: ['Ended', 'none', '○'],
}

const columns: readonly Column<OverrideRow>[] = [
  {
    title: 'Override',
    cell: ({ kind, severity }) =>
      severity === null ? kindName(kind) : `${kindName(kind)}: ${severityName(severity)}`,
  },
  {
    title: 'Applies to',
    cell: (row) => (
      <TwoLines below={scopeText(row)}>
        <Link to="/vulnerabilities/$cveId" params={{ cveId: row.cveId }} className={styles['nowrap']}>
          {row.cveId}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'Reason', cell: ({ reason }) => reason },
  {
    title: 'Findings',
    sortBy: ({ findings }) => findings,
    align: 'right',
    cell: ({ findings, state }) => (
      <TwoLines below={state === 'proposed' && <span className={styles['nowrap']}>if approved</span>}>
        {count(findings)}
      </TwoLines>
    ),
  },
  {
    title: 'State',
    cell: ({ state, endedBecause }) => {
      const [words, tone, sign] = STATES[state]
      return (
        <TwoLines below={endedBecause ?? ''}>
          <Badge tone={tone} sign={sign}>
            {words}
          </Badge>
        </TwoLines>
      )
    },
  },
  {
    title: 'By',
    cell: ({ createdByName, approvedByName, createdAt }) => (
      <TwoLines below={approvedByName === null ? <Time at={createdAt} /> : `approved by ${approvedByName}`}>
        {createdByName}
      </TwoLines>
    ),
  },
  {
    title: 'Ends',
    sortBy: ({ expiresAt }) => expiresAt,
    isMinor: true,
    cell: ({ expiresAt }) => <Day at={expiresAt} />,
  },
]
