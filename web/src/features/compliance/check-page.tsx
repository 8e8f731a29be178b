import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import {
  ComplianceCheckDocument,
  CopyComplianceCheckDocument,
  DeleteComplianceCheckDocument,
  type AffectedAssetRow,
  type ComplianceCheckData,
  type JudgedCheckDetail,
} from '#api/generated/checks.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { inWords } from '#lib/in-words.ts'
import { count } from '#lib/numbers.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { AffectedAssetsTable } from './affected-assets-table.tsx'
import { CheckChangePanel } from './checks/check-change-panel.tsx'
import { CheckForm } from './check-form.tsx'
import { AskedFactsPanel } from './checks/asked-facts-panel.tsx'
import { CheckUpgradePanel } from './checks/check-upgrade-panel.tsx'
import { FrameworkSettingsPanel } from './checks/framework-settings-panel.tsx'
import { linesOf, type CheckValues } from './check-values.ts'
import { ExceptionForm } from './exceptions/exception-form.tsx'
import { ExceptionsPanel } from './exceptions/exceptions-panel.tsx'
import { StatusBadge } from './status-badge.tsx'

const SIZE = 50

type Detail = ComplianceCheckData['complianceCheck']

/** One check: its condition, who fails since when, and what a change of the condition would do. */
export function CheckPage() {
  const { checkId } = useParams({ from: '/app/compliance/checks/$checkId' })
  const [offset, setOffset] = useOffset('Assets')
  const { data, error, refetch } = useQuery({
    ...q(ComplianceCheckDocument, { id: checkId, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const check = data?.complianceCheck.check
  return (
    <Page
      title={check?.title ?? 'Check'}
      aside={check && <StatusBadge status={check.status} />}
      description={check && (check.fault ?? check.sentence)}
      actions={data && check && <CheckActions check={check} countsFor={data.complianceCheck.countsFor} />}
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data && <SkeletonBlock />}
      {data && <CheckContent data={data} offset={offset} onOffset={setOffset} />}
    </Page>
  )
}

interface CheckContentProps {
  readonly data: ComplianceCheckData
  readonly offset: number
  readonly onOffset: (offset: number) => void
}

function CheckContent({ data, offset, onOffset }: CheckContentProps) {
  const { check, countsFor, asks, upgrade } = data.complianceCheck
  return (
    <>
      <AboutPanel check={check} />
      <CheckUpgradePanel checkId={check.id} upgrade={upgrade} />
      <AssetsPanel check={check} page={data.complianceCheckAssets} offset={offset} onOffset={onOffset} />
      <AskedFactsPanel facts={asks} unknown={check.unknown} />
      <CheckChangePanel
        key={`${check.id} ${check.scope} ${check.condition}`}
        check={check}
        countsFor={countsFor}
      />
      <ExceptionsPanel checkIds={[check.id]} subject={{ checkId: check.id, title: check.title }} />
      <FrameworkSettingsPanel {...data.complianceCheck} />
      <ControlsPanel controls={countsFor} />
    </>
  )
}

interface AssetsPanelProps {
  readonly check: JudgedCheckDetail
  readonly page: ComplianceCheckData['complianceCheckAssets']
  readonly offset: number
  readonly onOffset: (offset: number) => void
}

function AssetsPanel({ check, page: { items, total }, offset, onOffset }: AssetsPanelProps) {
  const may = usePermission()
  const [excepted, setExcepted] = useState<AffectedAssetRow>()
  const { id: checkId, title, judgedAt } = check
  return (
    <Panel isFlush title="Assets not in order" aside={count(total)}>
      <AffectedAssetsTable
        rows={items}
        empty={judgedAt === null ? 'Not judged yet.' : 'Every asset in scope is in order.'}
        onExcept={may('compliance:write') ? setExcepted : undefined}
      />
      <Pagination total={total} offset={offset} size={SIZE} onOffset={onOffset} />
      {excepted && (
        <ExceptionForm
          subject={{ checkId, title, asset: { id: excepted.assetId, name: excepted.name } }}
          onClose={() => setExcepted(undefined)}
        />
      )}
    </Panel>
  )
}

interface CheckActionsProps {
  readonly check: JudgedCheckDetail
  readonly countsFor: Detail['countsFor']
}

/** A copy can be changed, which a check that comes with the product cannot; checks of one's own can be deleted. */
function CheckActions({ check, countsFor }: CheckActionsProps) {
  const may = usePermission()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'copy' | 'delete'>()
  const remove = useChange(DeleteComplianceCheckDocument, {
    done: 'Deleted',
    onDone: () => void navigate({ to: '/compliance' }),
  })
  const { id, isOwn } = check
  if (!may('compliance:write')) return null
  const close = () => setOpen(undefined)
  return (
    <>
      {!isOwn && <AdaptButton id={id} />}
      <Button variant="default" onClick={() => setOpen('copy')}>
        Copy…
      </Button>
      {isOwn && (
        <Button variant="default" onClick={() => setOpen('delete')}>
          Delete…
        </Button>
      )}
      {open === 'copy' && (
        <CheckForm title="Copy the check" initial={copyOf(check, countsFor)} onClose={close} />
      )}
      <ConfirmDialog
        isOpen={open === 'delete'}
        title="Delete the check"
        action="Delete check"
        isDestructive
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
        onClose={close}
      >
        <p>Its controls are judged without it from the next round on. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}

function copyOf(
  { title, scope, condition, severity, tolerance, next }: JudgedCheckDetail,
  countsFor: Detail['countsFor'],
): CheckValues {
  const controls = linesOf(countsFor)
  return { title: `Copy of ${title}`, scope, condition, severity, tolerance, next, controls }
}

function AdaptButton({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const adapt = useChange(CopyComplianceCheckDocument, {
    done: 'Copied; the copy takes its place in every framework',
    onDone: ({ copyComplianceCheck: copy }) =>
      void navigate({ to: '/compliance/checks/$checkId', params: { checkId: copy.id } }),
  })
  return (
    <Button
      variant="default"
      title="A copy that can be changed takes its place in every framework"
      loading={adapt.isPending}
      onClick={() => adapt.mutate({ id })}
    >
      Adapt for us
    </Button>
  )
}

function AboutPanel({ check }: { readonly check: JudgedCheckDetail }) {
  const { scope, condition, freshness, severity, tolerance, next, judgedAt } = check
  return (
    <Panel title="What it asks">
      <p>
        Each asset {scope === '' ? '' : 'with '}
        {scope !== '' && <code>{scope}</code>} must have <code>{condition}</code>.
        {freshness !== '' && (
          <>
            {' '}
            What would be in order counts as unknown unless <code>{freshness}</code>.
          </>
        )}
      </p>
      {next !== '' && (
        <p>
          <strong>What to do next:</strong> {next}
        </p>
      )}
      <p className="quiet">
        Severity {inWords(severity)}
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
  { title: 'Framework', isMinor: true, cell: ({ frameworkTitle }) => frameworkTitle },
  {
    title: 'Status',
    cell: ({ status }) =>
      status === null ? <span className="quiet">no status</span> : <StatusBadge status={status} />,
  },
]
