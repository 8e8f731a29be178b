import { Link } from '@tanstack/react-router'
import { CircleSlash } from 'lucide-react'
import type { SimulationData } from '#api/generated/simulation.ts'
import { StatusBadge } from '#features/compliance/status-badge.tsx'
import { count, many } from '#lib/numbers.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { BeforeAfterBars } from './before-after-bars.tsx'
import { figureText } from './figure-text.ts'
import styles from './simulation-result.module.css'

type Simulation = SimulationData['simulation']
type Measure = Simulation['measures'][number]

/** The figures before and after, as a picture and a table, then what they are made of. */
export function SimulationResult({ simulation }: { readonly simulation: Simulation }) {
  const { sentence, changedAssets, measures, assets } = simulation
  if (changedAssets === 0)
    return (
      <Panel title={sentence}>
        <EmptyState icon={CircleSlash} title="Nothing would change">
          None of the assets has what the change is about. Check the name as the list of software spells it,
          and the condition.
        </EmptyState>
      </Panel>
    )
  return (
    <>
      <Panel title={sentence} aside={`${many(changedAssets, 'asset')} would change`}>
        <BeforeAfterBars measures={measures} />
      </Panel>
      <Panel title="Before and after" isFlush>
        <DataTable
          label="Before and after"
          columns={measureColumns}
          rows={measures}
          keyOf={({ measure, unit }) => `${measure} ${unit}`}
          empty={null}
        />
      </Panel>
      <Parts simulation={simulation} />
      <Panel
        title="Assets that would change"
        aside={changedAssets > assets.length ? `the ${count(assets.length)} of highest risk` : undefined}
        isFlush
      >
        <DataTable
          label="Assets that would change"
          columns={assetColumns}
          rows={assets}
          keyOf={({ id }) => id}
          empty={null}
        />
      </Panel>
    </>
  )
}

function Parts({ simulation: { controls, licences, software } }: { readonly simulation: Simulation }) {
  return (
    <div className={styles['parts']}>
      <Panel title="Controls whose status would change" isFlush>
        <DataTable
          label="Controls whose status would change"
          columns={controlColumns}
          rows={controls}
          keyOf={({ framework, controlId }) => `${framework} ${controlId}`}
          empty={<p className={styles['none']}>No control would change its status.</p>}
        />
      </Panel>
      <Panel title="Licences" isFlush>
        <DataTable
          label="Licences"
          columns={licenceColumns}
          rows={licences}
          keyOf={({ product, metric }) => `${product} ${metric}`}
          empty={<p className={styles['none']}>No entitlement is recorded.</p>}
        />
      </Panel>
      {software.length > 0 && (
        <Panel title="Software that it is about" isFlush>
          <DataTable
            label="Software that it is about"
            columns={softwareColumns}
            rows={software}
            keyOf={({ name }) => name}
            empty={null}
          />
        </Panel>
      )}
    </div>
  )
}

const measureColumns: readonly Column<Measure>[] = [
  {
    title: 'Measure',
    cell: ({ measure, unit }) => (unit === '' ? measure : `${measure}, ${unit}`),
  },
  { title: 'Before', align: 'right', cell: ({ before }) => figureText(before) },
  { title: 'After', align: 'right', cell: ({ after }) => figureText(after) },
  { title: 'Change', align: 'right', cell: ({ change }) => figureText(change, { isSigned: true }) },
  { title: 'To know', isMinor: true, cell: ({ note }) => <span className="quiet">{note}</span> },
]

const controlColumns: readonly Column<Simulation['controls'][number]>[] = [
  { title: 'Control', cell: ({ controlId, title }) => `${controlId} ${title}` },
  { title: 'Before', cell: ({ before }) => <StatusBadge status={statusOf(before)} /> },
  { title: 'After', cell: ({ after }) => <StatusBadge status={statusOf(after)} /> },
]

const licenceColumns: readonly Column<Simulation['licences'][number]>[] = [
  { title: 'Product', cell: ({ product }) => product },
  { title: 'Per', isMinor: true, cell: ({ metric }) => metric },
  { title: 'Free before', align: 'right', cell: ({ balanceBefore }) => numberText(balanceBefore) },
  { title: 'Free after', align: 'right', cell: ({ balanceAfter }) => numberText(balanceAfter) },
]

const softwareColumns: readonly Column<Simulation['software'][number]>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Assets', align: 'right', cell: ({ assets }) => count(assets) },
]

const assetColumns: readonly Column<Simulation['assets'][number]>[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <Link to="/assets/$assetId" params={{ assetId: id }}>
        {name}
      </Link>
    ),
  },
  { title: 'Would be', isMinor: true, cell: ({ effect }) => effect },
  { title: 'Risk before', align: 'right', cell: ({ riskBefore }) => riskText(riskBefore) },
  { title: 'After', align: 'right', cell: ({ riskAfter }) => riskText(riskAfter) },
  {
    title: 'Findings before',
    align: 'right',
    isMinor: true,
    cell: ({ openBefore }) => numberText(openBefore),
  },
  { title: 'After it', align: 'right', isMinor: true, cell: ({ openAfter }) => numberText(openAfter) },
]

const STATUSES = ['pass', 'warning', 'fail', 'not_applicable', 'not_assessed'] as const
const statusOf = (status: string) => STATUSES.find((it) => it === status) ?? null
const numberText = (n: number | null) => figureText(n === null ? null : String(n))
const riskText = (risk: number | null) => figureText(risk?.toFixed(1) ?? null)
