import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { Check, Gavel, Undo2 } from 'lucide-react'
import { useState } from 'react'
import {
  ApproveOverrideDocument,
  EndOverrideDocument,
  type OverrideRow,
  type OverrideState,
} from '#api/generated/operations.ts'
import { useChange } from '#api/queries.ts'
import { useMay } from '#api/use-may.ts'
import { count } from '#lib/numbers.ts'
import { Badge, type Tone } from '#ui/badge.tsx'
import { TwoLines } from '#ui/cell.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { Empty } from '#ui/empty.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { RowMenu } from '#ui/row-menu.tsx'
import { Day, Time } from '#ui/time.tsx'
import styles from './overrides-page.module.css'
import { kindName, reachOf } from './overrides.ts'
import { severityName } from './severities.ts'

interface OverrideTableProps {
  readonly rows: readonly OverrideRow[] | undefined
  readonly error?: unknown
  readonly onRetry: () => void
}

export function OverrideTable({ rows, error, onRetry }: OverrideTableProps) {
  const [ending, setEnding] = useState<OverrideRow>()
  const approve = useChange(ApproveOverrideDocument, { done: 'Approved; it is in force' })
  const may = useMay()
  const menu: Column<OverrideRow> = {
    title: '',
    align: 'right',
    cell: (row) => (
      <RowMenu
        label={`Actions for the decision about ${row.cveId}`}
        actions={[
          ...(row.state === 'proposed'
            ? [
                {
                  title: row.isOwn ? 'Somebody else approves' : 'Approve',
                  icon: Check,
                  isDisabled: row.isOwn,
                  onChoose: () => approve.mutate({ id: row.id }),
                },
              ]
            : []),
          ...(row.state === 'ended'
            ? []
            : [{ title: 'End it…', icon: Undo2, isDestructive: true, onChoose: () => setEnding(row) }]),
        ]}
      />
    ),
  }
  return (
    <>
      <DataTable
        label="Decisions"
        columns={may('overrides:write') ? [...columns, menu] : columns}
        rows={rows}
        keyOf={({ id }) => id}
        error={error}
        onRetry={onRetry}
        empty={
          <Empty icon={Gavel} title="No decision">
            Open a finding and choose “Decide about it”. Vendors’ own statements come with the feeds, or as a
            VEX document.
          </Empty>
        }
      />
      {ending && <EndForm override={ending} onClose={() => setEnding(undefined)} />}
    </>
  )
}

const STATES: Readonly<Record<OverrideState, readonly [string, Tone, '●' | '…' | '○']>> = {
  active: ['In force', 'good', '●'],
  proposed: ['Waits for approval', 'warn', '…'],
  ended: ['Ended', 'none', '○'],
}

const columns: readonly Column<OverrideRow>[] = [
  {
    title: 'Decision',
    cell: ({ kind, severity }) =>
      severity === null ? kindName(kind) : `${kindName(kind)}: ${severityName(severity)}`,
  },
  {
    title: 'About',
    cell: (row) => (
      <TwoLines below={reachOf(row)}>
        <Link to="/vulnerabilities/$cveId" params={{ cveId: row.cveId }} className={styles['cve']}>
          {row.cveId}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Findings', align: 'right', cell: ({ findings }) => count(findings) },
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
  { title: 'Ends', isMinor: true, cell: ({ expiresAt }) => <Day at={expiresAt} /> },
]

function EndForm({ override, onClose }: { readonly override: OverrideRow; readonly onClose: () => void }) {
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? 'Say why' : null) },
  })
  const end = useChange(EndOverrideDocument, {
    isQuiet: true,
    done: 'Ended; what it decided about is open again',
  })
  return (
    <FormDialog
      isOpen
      title={`End the decision about ${override.cveId}`}
      action="End decision"
      form={form}
      onSubmit={({ reason }) => end.mutateAsync({ id: override.id, reason })}
      onClose={onClose}
    >
      <p>
        {count(override.findings)} {override.findings === 1 ? 'finding is' : 'findings are'} what the feeds
        say again.
      </p>
      <Textarea
        label="Reason"
        autosize
        minRows={2}
        required
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  )
}
