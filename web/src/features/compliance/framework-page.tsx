import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import {
  ComplianceFrameworkDocument,
  type ControlRow,
  type JudgedCheckRow,
} from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { figuresOf } from './figures.ts'
import { MonthsPanel } from './months-panel.tsx'
import { StatementsPanel } from './statements/statements-panel.tsx'
import { StatusBadge } from './status-badge.tsx'

/** One framework: what to do first, then every control that has a status, with its reasons. */
export function FrameworkPage() {
  const { framework: slug } = useParams({ from: '/app/compliance/$framework' })
  const { data, error, refetch } = useQuery(
    q(ComplianceFrameworkDocument, {
      framework: slug,
      statuses: ['fail', 'warning', 'pass', 'not_applicable'],
    }),
  )
  const framework = data?.complianceFrameworks.find((it) => it.slug === slug)
  const state = { error, onRetry: () => void refetch() }
  return (
    <Page
      title={framework ? `${framework.title} ${framework.version}` : 'Framework'}
      description={
        framework && `${figuresOf(framework)}; ${count(framework.notAssessed)} controls not assessed.`
      }
      actions={framework && <ToFrameworks />}
    >
      <AfterLoading>
        <MonthsPanel framework={slug} />
        <Panel isFlush title="What to do first">
          <DataTable
            label="Checks that fail"
            columns={checks}
            rows={data?.complianceChecks.filter(({ status }) => status === 'fail')}
            keyOf={({ id }) => id}
            {...state}
            empty={<p className="quiet">No check fails.</p>}
          />
        </Panel>
        <Panel isFlush title="Controls">
          <DataTable
            label="Controls"
            columns={controlsOf(slug)}
            rows={data?.complianceControls.toSorted(worstFirst)}
            keyOf={({ id }) => id}
            {...state}
            empty={
              <p className="quiet">No control has been judged yet; the first round takes some seconds.</p>
            }
          />
        </Panel>
        <StatementsPanel framework={slug} />
      </AfterLoading>
    </Page>
  )
}

const order = ['fail', 'warning', 'pass', 'not_applicable', 'not_assessed']

const worstFirst = (a: ControlRow, b: ControlRow): number =>
  order.indexOf(a.status ?? '') - order.indexOf(b.status ?? '')

const ToFrameworks = () => (
  <Button variant="default" renderRoot={(props) => <Link to="/compliance" {...props} />}>
    Frameworks
  </Button>
)

const checks: readonly Column<JudgedCheckRow>[] = [
  {
    title: 'Check',
    cell: ({ id, title, next }) => (
      <TwoLines below={next}>
        <Link to="/compliance/checks/$checkId" params={{ checkId: id }}>
          {title}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'Severity', cell: ({ severity }) => severity },
  {
    title: 'Fail',
    align: 'right',
    cell: ({ failed, inScope }) => `${count(failed)}\u00a0of\u00a0${count(inScope)}`,
  },
  { title: 'Unknown', isMinor: true, align: 'right', cell: ({ unknown }) => count(unknown) },
  { title: 'Excepted', isMinor: true, align: 'right', cell: ({ excepted }) => count(excepted) },
  { title: 'Controls', isMinor: true, cell: ({ controlIds }) => controlIds.join(', ') },
]

const controlsOf = (framework: string): readonly Column<ControlRow>[] => [
  {
    title: 'Control',
    cell: ({ id, title, why }) => (
      <TwoLines below={why.join(' ')}>
        <Link to="/compliance/$framework/controls/$controlId" params={{ framework, controlId: id }}>
          {`${id} ${title}`}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Since', isMinor: true, cell: ({ since }) => (since === null ? null : <Time at={since} />) },
]
