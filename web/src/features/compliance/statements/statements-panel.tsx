import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ComplianceStatementsDocument,
  DraftComplianceStatementDocument,
  type StatementSummary,
} from '#api/generated/statements.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { StatementState } from './statement-state.tsx'

/** The statements of applicability of a framework, the newest first. */
export function StatementsPanel({ framework }: { readonly framework: string }) {
  const { data, error, refetch } = useQuery(q(ComplianceStatementsDocument, { framework }))
  const all = data?.complianceStatements
  const isOpen = all?.some(({ state }) => state === 'draft' || state === 'in_review') ?? true
  return (
    <Panel
      isFlush
      title="Statement of applicability"
      aside={!isOpen && <DraftButton framework={framework} />}
    >
      <DataTable
        label="Statements of applicability"
        columns={columns}
        rows={all}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={<p className="quiet">None yet. A draft begins with a row for each control.</p>}
      />
    </Panel>
  )
}

function DraftButton({ framework }: { readonly framework: string }) {
  const may = usePermission()
  const draft = useChange(DraftComplianceStatementDocument, { done: 'Draft begun' })
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!may('compliance:write')}
      loading={draft.isPending}
      onClick={() => draft.mutate({ framework })}
    >
      Begin a draft
    </Button>
  )
}

const columns: readonly Column<StatementSummary>[] = [
  {
    title: 'Version',
    cell: ({ id, version }) => (
      <Link to="/compliance/statements/$statementId" params={{ statementId: id }}>
        Version {version}
      </Link>
    ),
  },
  { title: 'State', cell: ({ state }) => <StatementState state={state} /> },
  {
    title: 'Begun',
    isMinor: true,
    cell: ({ createdAt, createdBy }) => (
      <>
        {<Time at={createdAt} />} by {createdBy}
      </>
    ),
  },
  {
    title: 'Approved',
    cell: ({ approvedAt, approvedBy, approvedRole }) =>
      approvedAt && (
        <>
          <Time at={approvedAt} /> by {approvedBy}, {approvedRole}
        </>
      ),
  },
]
