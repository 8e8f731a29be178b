import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ComplianceStatementDocument, type StatementSummary } from '#api/generated/statements.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { StatementActions } from './statement-actions.tsx'
import { StatementDifferences } from './statement-differences.tsx'
import { StatementRows } from './statement-rows.tsx'
import { StatementState } from './statement-state.tsx'

/** One statement of applicability: its rows to edit, review, approval, comparison, files. */
export function StatementPage() {
  const { statementId: id } = useParams({ from: '/app/compliance/statements/$statementId' })
  const { data, error, refetch } = useQuery(q(ComplianceStatementDocument, { id }))
  const may = usePermission()
  const [selected, setSelected] = useState<readonly string[]>([])
  const statement = data?.complianceStatement
  return (
    <Page
      title={
        statement ? `Statement of applicability, version ${statement.version}` : 'Statement of applicability'
      }
      aside={statement && <StatementState state={statement.state} />}
      description={statement && <About statement={statement} />}
      actions={
        statement && (
          <StatementActions statement={statement} selected={selected} onEdited={() => setSelected([])} />
        )
      }
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data && <SkeletonBlock />}
      {data && statement && (
        <>
          <StatementRows
            rows={data.complianceStatementRows}
            canSelect={statement.state === 'draft' && may('compliance:write')}
            selected={selected}
            onSelect={setSelected}
          />
          <StatementDifferences statement={statement} />
        </>
      )}
    </Page>
  )
}

const About = ({ statement }: { readonly statement: StatementSummary }) => (
  <>
    <Link to="/compliance/$framework" params={{ framework: statement.framework }}>
      {statement.frameworkTitle}
    </Link>
    {statement.state === 'in_review' &&
      ` · submitted by ${statement.submittedBy}; another person approves it`}
    {statement.approvedBy !== null && ` · approved by ${statement.approvedBy}, ${statement.approvedRole}`}
    {statement.approvedAt !== null && (
      <>
        {' · '}
        <Time at={statement.approvedAt} />
      </>
    )}
  </>
)
