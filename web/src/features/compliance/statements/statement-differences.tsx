import { useQuery } from '@tanstack/react-query'
import {
  ComplianceStatementDifferencesDocument,
  ComplianceStatementsDocument,
  type ComplianceStatementDifferencesData,
  type StatementSummary,
} from '#api/generated/statements.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'

type Difference = ComplianceStatementDifferencesData['complianceStatementDifferences'][number]

/** What a statement changes of the version before it; nothing for the first. */
export function StatementDifferences({ statement }: { readonly statement: StatementSummary }) {
  const { id, framework, version } = statement
  const { data: versions } = useQuery(q(ComplianceStatementsDocument, { framework }))
  const before = versions?.complianceStatements.find((it) => it.version === version - 1)
  const { data, error } = useQuery({
    ...q(ComplianceStatementDifferencesDocument, { before: before?.id ?? '', after: id }),
    enabled: before !== undefined,
  })
  if (!before) return null
  const rows = data?.complianceStatementDifferences
  return (
    <Panel isFlush title={`Changes since version ${before.version}`} aside={rows && count(rows.length)}>
      <DataTable
        label="Rows that differ"
        columns={columns}
        rows={rows}
        keyOf={({ controlId }) => controlId}
        error={error}
        empty={<p className="quiet">No row differs.</p>}
      />
    </Panel>
  )
}

const columns: readonly Column<Difference>[] = [
  { title: 'Control', cell: ({ controlId }) => controlId },
  { title: 'Before', cell: ({ before }) => textOf(before) },
  { title: 'After', cell: ({ after }) => textOf(after) },
]

function textOf(row: Difference['before']): string {
  if (!row) return 'not in it'
  const { isApplicable, implementation, ...texts } = row
  const parts = [
    isApplicable ? 'applies' : 'excluded',
    implementation === 'unstated' ? '' : implementation,
    texts.justification,
    texts.owner,
    texts.measures,
    texts.evidence,
    texts.risks,
    texts.reviewedOn && `reviewed on ${texts.reviewedOn}`,
    texts.nextReviewOn && `next review on ${texts.nextReviewOn}`,
  ]
  return parts.filter((it) => it !== '').join('; ')
}
