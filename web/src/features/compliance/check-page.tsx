import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import {
  ComplianceCheckDocument,
  type ComplianceCheckData,
  type JudgedCheckDetail,
} from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { AffectedAssetsTable } from './affected-assets-table.tsx'
import { CheckChangePanel } from './check-change-panel.tsx'
import { ExceptionsPanel } from './exceptions-panel.tsx'
import { StatusBadge } from './status-badge.tsx'

const ASSETS_SHOWN = 100

type Detail = ComplianceCheckData['complianceCheck']

/** One check: its condition, who fails since when, and what a change of the condition would do. */
export function CheckPage() {
  const { checkId } = useParams({ from: '/app/compliance/checks/$checkId' })
  const { data, error, refetch } = useQuery(
    q(ComplianceCheckDocument, { id: checkId, first: ASSETS_SHOWN, offset: 0 }),
  )
  const check = data?.complianceCheck.check
  return (
    <Page
      title={check?.title ?? 'Check'}
      aside={check && <StatusBadge status={check.status} />}
      description={check && (check.fault ?? check.sentence)}
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data && <SkeletonBlock />}
      {data && check && (
        <>
          <AboutPanel check={check} />
          <Panel isFlush title="Assets not in order" aside={count(data.complianceCheckAssets.total)}>
            <AffectedAssetsTable
              rows={data.complianceCheckAssets.items}
              empty={check.judgedAt === null ? 'Not judged yet.' : 'Every asset in scope is in order.'}
            />
          </Panel>
          <CheckChangePanel
            key={`${check.id} ${check.scope} ${check.condition}`}
            check={check}
            countsFor={data.complianceCheck.countsFor}
          />
          <ExceptionsPanel checkIds={[check.id]} />
          <ControlsPanel controls={data.complianceCheck.countsFor} />
        </>
      )}
    </Page>
  )
}

function AboutPanel({ check }: { readonly check: JudgedCheckDetail }) {
  const { scope, condition, severity, tolerance, next, judgedAt } = check
  return (
    <Panel title="What it asks">
      <p>
        Each asset {scope === '' ? '' : 'with '}
        {scope !== '' && <code>{scope}</code>} must have <code>{condition}</code>.
      </p>
      {next !== '' && (
        <p>
          <strong>What to do next:</strong> {next}
        </p>
      )}
      <p className="quiet">
        Severity {severity}
        {tolerance === '0' ? '' : `, ${tolerance} may fail`}
        {judgedAt !== null && (
          <>
            , judged <Time at={judgedAt} />
          </>
        )}
      </p>
    </Panel>
  )
}

const ControlsPanel = ({ controls }: { readonly controls: Detail['countsFor'] }) => (
  <Panel isFlush title="Counts for">
    <DataTable
      label="Controls that it counts for"
      columns={controlColumns}
      rows={controls}
      keyOf={({ framework, controlId }) => `${framework} ${controlId}`}
      empty={<p className="quiet">No control.</p>}
    />
  </Panel>
)

const controlColumns: readonly Column<Detail['countsFor'][number]>[] = [
  {
    title: 'Control',
    cell: ({ framework, controlId, title }) => (
      <Link to="/compliance/$framework/controls/$controlId" params={{ framework, controlId }}>
        {controlId} {title}
      </Link>
    ),
  },
  { title: 'Framework', isMinor: true, cell: ({ framework }) => framework },
  {
    title: 'Status',
    cell: ({ status }) =>
      status === null ? <span className="quiet">not adopted</span> : <StatusBadge status={status} />,
  },
]
