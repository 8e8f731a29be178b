import { Link } from '@tanstack/react-router'
import { Check, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { ApproveComplianceExceptionDocument, type ComplianceExceptionRow } from '#api/generated/checks.ts'
import type { ComplianceExceptionState } from '#api/generated/enums-and-inputs.ts'
import { send } from '#api/client.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { RowByRowBar, type RowVerb } from '#features/bulk-changes/row-by-row-bar.tsx'
import { Badge, type Tone } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { useSelection } from '#ui/table/use-selection.ts'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import { EndExceptionForm } from './end-exception-form.tsx'

interface ExceptionsTableProps {
  readonly rows: readonly ComplianceExceptionRow[] | undefined
  readonly error?: unknown
  readonly onRetry: () => void
  readonly empty: string
}

/** Exceptions with what can be done about each: approve as a second person, end. */
export function ExceptionsTable({ rows, error, onRetry, empty }: ExceptionsTableProps) {
  const may = usePermission()
  const [ending, setEnding] = useState<ComplianceExceptionRow>()
  const approve = useChange(ApproveComplianceExceptionDocument, { done: 'Approved; it is in force' })
  const mayWrite = may('compliance:write')
  const selection = useSelection({ key: rows?.map(({ id }) => id).join(), total: rows?.length ?? 0 })
  const selected = (rows ?? []).filter(({ id }) => selection.has(id))
  const menu: Column<ComplianceExceptionRow> = {
    title: '',
    align: 'right',
    cell: (row) => (
      <Actions row={row} onApprove={() => approve.mutate({ id: row.id })} onEnd={() => setEnding(row)} />
    ),
  }
  return (
    <>
      <DataTable
        label="Exceptions"
        columns={mayWrite ? [...columns, menu] : columns}
        rows={rows}
        keyOf={({ id }) => id}
        error={error}
        onRetry={onRetry}
        empty={<p className="quiet">{empty}</p>}
        selecting={
          mayWrite && rows?.some(isWaiting)
            ? { selection, nameOf: ({ reason }) => reason, isOffered: isWaiting }
            : undefined
        }
      />
      <RowByRowBar noun="exception" selection={selection} rows={selected} verbs={verbs} />
      {ending && <EndExceptionForm exception={ending} onClose={() => setEnding(undefined)} />}
    </>
  )
}

const isWaiting = ({ state }: ComplianceExceptionRow): boolean => state === 'proposed'

const verbs: readonly RowVerb<ComplianceExceptionRow>[] = [
  {
    title: 'Approve',
    icon: Check,
    act: ({ id }) => send(ApproveComplianceExceptionDocument, { id }),
  },
]

interface ActionsProps {
  readonly row: ComplianceExceptionRow
  readonly onApprove: () => void
  readonly onEnd: () => void
}

const Actions = ({ row: { state, reason }, onApprove, onEnd }: ActionsProps) => (
  <RowMenu
    label={`Actions for the exception: ${reason}`}
    actions={[
      ...(state === 'proposed' ? [{ title: 'Approve', icon: Check, onChoose: onApprove }] : []),
      ...(state === 'ended'
        ? []
        : [
            {
              title: state === 'proposed' ? 'Refuse…' : 'End…',
              icon: Undo2,
              isDestructive: true,
              onChoose: onEnd,
            },
          ]),
    ]}
  />
)

const states: Readonly<Record<ComplianceExceptionState, readonly [string, Tone, '●' | '…' | '○']>> = {
  active: ['In force', 'good', '●'],
  proposed: ['Waits for approval', 'warn', '…'],
  ended: ['Ended', 'none', '○'],
}

const allOf = ({ tag, where }: Pick<ComplianceExceptionRow, 'tag' | 'where'>): string =>
  tag !== null ? `tagged ${tag}` : where !== null ? `where ${where}` : 'all that fail'

const columns: readonly Column<ComplianceExceptionRow>[] = [
  {
    title: 'Reason',
    cell: ({ reason, createdBy, approvedBy }) => (
      <TwoLines below={approvedBy === null ? createdBy : `${createdBy}, approved by ${approvedBy}`}>
        {reason}
      </TwoLines>
    ),
  },
  { title: 'Owner', isMinor: true, cell: ({ owner }) => owner ?? <span className="quiet">nobody</span> },
  {
    title: 'Check or control',
    isMinor: true,
    cell: ({ checkId, framework, controlId, title }) =>
      checkId !== null ? (
        <Link to="/compliance/checks/$checkId" params={{ checkId }}>
          {title}
        </Link>
      ) : framework !== null && controlId !== null ? (
        <Link to="/compliance/$framework/controls/$controlId" params={{ framework, controlId }}>
          {title}
        </Link>
      ) : (
        title
      ),
  },
  {
    title: 'Assets',
    isMinor: true,
    cell: ({ assetId, assetName, tag, where }) =>
      assetId === null ? (
        allOf({ tag, where })
      ) : (
        <Link to="/assets/$assetId" params={{ assetId }}>
          {assetName ?? 'one asset'}
        </Link>
      ),
  },
  {
    title: 'State',
    cell: ({ state, endedBecause }) => {
      const [words, tone, sign] = states[state]
      return (
        <TwoLines below={endedBecause ?? ''}>
          <Badge tone={tone} sign={sign}>
            {words}
          </Badge>
        </TwoLines>
      )
    },
  },
  { title: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
]
