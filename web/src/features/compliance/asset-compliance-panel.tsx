import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import { ComplianceOfAssetDocument, type ComplianceOfAssetData } from '#api/generated/checks.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { Several, TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { ExceptionForm } from './exceptions/exception-form.tsx'
import { severityTones } from './severity-tones.ts'

type AssetCheck = ComplianceOfAssetData['complianceOfAsset'][number]

interface AssetCompliancePanelProps {
  readonly asset: { readonly id: string; readonly name: string }
}

/** Which checks fail here and what to do, then what is unknown and what would tell it. */
export function AssetCompliancePanel({ asset }: AssetCompliancePanelProps) {
  const may = usePermission()
  const [excepted, setExcepted] = useState<AssetCheck>()
  const { data, error, refetch } = useQuery(q(ComplianceOfAssetDocument, { assetId: asset.id }))
  const found = data?.complianceOfAsset
  const failing = found?.filter(({ outcome }) => outcome === 'failed')
  const unknown = found?.filter(({ outcome }) => outcome === 'unknown')
  const state = { error, onRetry: () => void refetch() }
  return (
    <>
      <Panel isFlush title="Checks that fail here" aside={failing && count(failing.length)}>
        <DataTable
          label="Checks that fail here"
          columns={may('compliance:write') ? [...failingColumns, exceptColumn(setExcepted)] : failingColumns}
          rows={failing}
          keyOf={({ checkId }) => checkId}
          {...state}
          empty={
            <EmptyState icon={ClipboardCheck} title="No check fails here">
              Of what the checks of adopted frameworks know.{' '}
              <Link to="/compliance">Adopt another framework</Link> to have more asked.
            </EmptyState>
          }
        />
      </Panel>
      {unknown && unknown.length > 0 && (
        <Panel isFlush title="Not known here" aside={`${count(unknown.length)} · counts as no pass`}>
          <DataTable
            label="Checks that lack facts of this asset"
            columns={unknownColumns}
            rows={unknown}
            keyOf={({ checkId }) => checkId}
            empty={null}
          />
        </Panel>
      )}
      {excepted && (
        <ExceptionForm
          subject={{ checkId: excepted.checkId, title: excepted.title, asset }}
          onClose={() => setExcepted(undefined)}
        />
      )}
    </>
  )
}

const linkTo = ({ checkId, title }: AssetCheck) => (
  <Link to="/compliance/checks/$checkId" params={{ checkId }}>
    {title}
  </Link>
)

const failingColumns: readonly Column<AssetCheck>[] = [
  { title: 'What should hold', cell: (check) => <TwoLines below={check.next}>{linkTo(check)}</TwoLines> },
  {
    title: 'Severity',
    cell: ({ severity, isExcepted }) => (
      <Several>
        <Badge tone={severityTones[severity]}>{sentenceCase(severity)}</Badge>
        {isExcepted && (
          <Badge tone="none" sign="○">
            Excepted
          </Badge>
        )}
      </Several>
    ),
  },
  {
    title: 'Controls',
    isMinor: true,
    cell: ({ controls }) => (
      <Several>
        {controls.map(({ framework, controlId }) => (
          <Link
            key={`${framework} ${controlId}`}
            to="/compliance/$framework/controls/$controlId"
            params={{ framework, controlId }}
          >
            {controlId}
          </Link>
        ))}
      </Several>
    ),
  },
  { title: 'Since', isMinor: true, cell: ({ since }) => <Time at={since} /> },
]

const exceptColumn = (onExcept: (check: AssetCheck) => void): Column<AssetCheck> => ({
  title: '',
  align: 'right',
  // on a phone what to do needs the room
  isMinor: true,
  cell: (check) =>
    !check.isExcepted && (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Except from: ${check.title}`}
        onClick={() => onExcept(check)}
      >
        Except…
      </Button>
    ),
})

const unknownColumns: readonly Column<AssetCheck>[] = [
  {
    title: 'What should hold',
    cell: (check) => (
      <TwoLines below={`Told by: ${[...new Set(check.asks.map(({ source }) => source))].join('; ')}`}>
        {linkTo(check)}
      </TwoLines>
    ),
  },
  {
    title: 'Severity',
    isMinor: true,
    cell: ({ severity }) => <Badge tone={severityTones[severity]}>{sentenceCase(severity)}</Badge>,
  },
]
