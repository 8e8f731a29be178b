import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import {
  ComplianceControlDocument,
  type ComplianceControlData,
  type JudgedCheckDetail,
} from '#api/generated/checks.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { AffectedAssetsTable } from './affected-assets-table.tsx'
import { AttestationPanel } from './attestation-panel.tsx'
import styles from './control-page.module.css'
import { EvidencePanel } from './evidence-panel.tsx'
import { ExceptionsPanel } from './exceptions/exceptions-panel.tsx'
import { StatusBadge } from './status-badge.tsx'

const SIZE = 50

type Control = ComplianceControlData['complianceControl']

/** One control: why it has its status, what to do next, which assets are behind it, and how it came to be so. */
export function ControlPage() {
  const { framework, controlId } = useParams({ from: '/app/compliance/$framework/controls/$controlId' })
  const [offset, setOffset] = useOffset('Assets')
  const { data, error, refetch } = useQuery({
    ...q(ComplianceControlDocument, { framework, id: controlId, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const control = data?.complianceControl
  return (
    <Page
      title={control ? titleOf(control) : controlId}
      aside={control && <StatusBadge status={control.status} />}
      description={<Description framework={framework} control={control} />}
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data && <SkeletonBlock />}
      {data && control && (
        <>
          <WhyPanel control={control} />
          {control.text !== null && <TextPanel text={control.text} />}
          <ChecksPanel checks={control.judgedBy} />
          <AssetsPanel
            page={data.complianceControlAssets}
            isJudged={control.judgedBy.length > 0}
            offset={offset}
            onOffset={setOffset}
          />
          <ExceptionsPanel
            checkIds={control.judgedBy.map(({ id }) => id)}
            subject={{ framework, controlId, title: titleOf(control) }}
          />
          <AttestationPanel framework={framework} controlId={controlId} attestation={control.attestation} />
          <HistoryPanel history={control.history} />
          <EvidencePanel evidence={data.complianceEvidence} />
        </>
      )}
    </Page>
  )
}

interface DescriptionProps {
  readonly framework: string
  readonly control: Control | undefined
}

const Description = ({ framework, control }: DescriptionProps) => (
  <>
    <Link to="/compliance/$framework" params={{ framework }}>
      {control?.frameworkTitle ?? framework}
    </Link>
    {control?.since && (
      <>
        {' · since '}
        <Time at={control.since} />
      </>
    )}
  </>
)

const titleOf = ({ id, title }: Control): string => `${id} ${title}`

interface AssetsPanelProps {
  readonly page: ComplianceControlData['complianceControlAssets']
  readonly isJudged: boolean
  readonly offset: number
  readonly onOffset: (offset: number) => void
}

const AssetsPanel = ({ page: { items, total }, isJudged, offset, onOffset }: AssetsPanelProps) => (
  <Panel isFlush title="Assets not in order" aside={count(total)}>
    <AffectedAssetsTable
      rows={items}
      empty={isJudged ? 'Every asset in scope is in order.' : 'No check judges this control.'}
    />
    <Pagination total={total} offset={offset} size={SIZE} onOffset={onOffset} />
  </Panel>
)

const TextPanel = ({ text }: { readonly text: string }) => (
  <Panel title="What the framework asks for">
    <p className={styles['text']}>{text}</p>
  </Panel>
)

function WhyPanel({ control: { why, judgedBy } }: { readonly control: Control }) {
  const steps = judgedBy.filter(
    ({ status, next }) => next !== '' && (status === 'fail' || status === 'warning'),
  )
  return (
    <Panel title="Why">
      <ul className={styles['list']}>
        {(why.length > 0 ? why : ['No check judges it, and nobody attests it.']).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {steps.length > 0 && (
        <>
          <h3 className={styles['heading']}>What to do next</h3>
          <ol className={styles['steps']}>
            {steps.map(({ id, title, next, failed, unknown }) => (
              <li key={id}>
                {/* what to do about failures is no advice where nothing fails */}
                {failed > 0 || unknown === 0
                  ? next
                  : 'Find out what is not known; the check says what tells it.'}{' '}
                <Link to="/compliance/checks/$checkId" params={{ checkId: id }}>
                  {title}
                </Link>
              </li>
            ))}
          </ol>
        </>
      )}
    </Panel>
  )
}

const ChecksPanel = ({ checks }: { readonly checks: readonly JudgedCheckDetail[] }) => (
  <Panel isFlush title="Checks">
    <DataTable
      label="Checks of the control"
      columns={checkColumns}
      rows={checks}
      keyOf={({ id }) => id}
      empty={<p className="quiet">No check judges it; somebody can attest it.</p>}
    />
  </Panel>
)

const checkColumns: readonly Column<JudgedCheckDetail>[] = [
  {
    title: 'Check',
    cell: ({ id, title, fault }) => (
      <TwoLines below={fault ?? ''}>
        <Link to="/compliance/checks/$checkId" params={{ checkId: id }}>
          {title}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'In scope', isMinor: true, align: 'right', cell: ({ inScope }) => count(inScope) },
  { title: 'Fail', align: 'right', cell: ({ failed }) => count(failed) },
  { title: 'Unknown', isMinor: true, align: 'right', cell: ({ unknown }) => count(unknown) },
  { title: 'Excepted', isMinor: true, align: 'right', cell: ({ excepted }) => count(excepted) },
]

const HistoryPanel = ({ history }: Pick<Control, 'history'>) => (
  <Panel isFlush title="History">
    <DataTable
      label="History of the status"
      columns={historyColumns}
      rows={history}
      keyOf={({ changedAt, to }) => `${changedAt} ${to}`}
      empty={<p className="quiet">Its status has never changed.</p>}
    />
  </Panel>
)

const historyColumns: readonly Column<Control['history'][number]>[] = [
  { title: 'When', cell: ({ changedAt }) => <Time at={changedAt} /> },
  { title: 'From', isMinor: true, cell: ({ from }) => <StatusBadge status={from} /> },
  { title: 'To', cell: ({ to }) => <StatusBadge status={to} /> },
  { title: 'Why', isMinor: true, cell: ({ why }) => why.join(' ') },
]
