import { Alert, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CheckImportDocument, StartImportDocument } from '#api/generated/imports.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { many } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import { ColumnMapping } from './column-mapping.tsx'
import type { ImportDetails } from './import.ts'
import styles from './imports-page.module.css'
import { RejectedRows } from './rejected-rows.tsx'

/** Preview of an import: accepted and rejected rows. Nothing is written yet. */
export function ImportReview({ one }: { readonly one: ImportDetails }) {
  const check = useChange(CheckImportDocument)
  const [currency, setCurrency] = useState(one.currency ?? '')
  const look = (columns: readonly string[], said = currency) =>
    check.mutate({ id: one.id, columns: [...columns], currency: said.trim() || null })
  const sayCurrency = (said: string) => {
    setCurrency(said)
    // of other formats no row depends on it
    if (one.columns.length > 0 && said.length === CURRENCY_LENGTH) look(chosenColumns(one), said)
  }
  return (
    <>
      {one.problem !== null && (
        <Alert color="red" variant="light" role="alert" title="The file cannot be imported like this">
          {one.problem}
        </Alert>
      )}
      <ImportStart one={one} isBusy={check.isPending} currency={currency} onCurrency={sayCurrency} />
      {one.columns.length > 0 && (
        <ColumnMapping
          columns={check.isPending ? asChosen(one.columns, check.variables.columns) : one.columns}
          isBusy={check.isPending}
          onChange={(columns) => look(columns)}
        />
      )}
      <RejectedRows
        title="Would be left out"
        columns={one.columns}
        rejected={one.wouldReject}
        total={one.wouldRejectTotal}
      />
      {one.sample.length > 0 && <FirstRows one={one} />}
    </>
  )
}

const CURRENCY_LENGTH = 3

const chosenColumns = ({ columns }: ImportDetails): readonly string[] =>
  columns.map(({ column }) => column ?? '')

/** Whether prices come without a currency: Snipe-IT never says it, tables may not. */
function asksCurrency({ format, columns, currency, wouldReject }: ImportDetails): boolean {
  if (format === 'snipe-it') return true
  const is = (wanted: string) => columns.some(({ column }) => column === wanted)
  if (!is('price')) return false
  return !is('currency') || currency !== null || wouldReject.some(({ field }) => field === 'currency')
}

interface ImportStartProps {
  readonly one: ImportDetails
  readonly isBusy: boolean
  readonly currency: string
  readonly onCurrency: (currency: string) => void
}

/** What would be imported, what a person has to add, and the button. */
function ImportStart({ one, isBusy, currency, onCurrency }: ImportStartProps) {
  const may = usePermission()
  const [host, setHost] = useState('')
  const [os, setOs] = useState('')
  const start = useChange(StartImportDocument)
  const rows = one.rows ?? 0
  const unit = one.isDocument ? 'component' : 'row'
  const isPlaced = !one.isDocument || one.subject !== null || host.trim() !== ''
  const isReady = rows > 0 && one.problem === null && isPlaced && !isBusy && may('imports:write')
  const given = { host: host.trim() || null, os: os.trim() || null, currency: currency.trim() || null }
  return (
    <Panel>
      <div className={styles['head']}>
        <div className={styles['file']}>
          <span className={styles['name']}>{many(rows, unit)} to import</span>
          <span className="quiet">
            {one.format}
            {one.wouldRejectTotal > 0 && ` · ${many(one.wouldRejectTotal, unit)} left out`}
            {one.subject !== null && ` · of ${one.subject}`}
          </span>
        </div>
        <Button
          disabled={!isReady}
          loading={start.isPending}
          onClick={() => start.mutate({ id: one.id, ...given })}
        >
          Import {many(rows, unit)}
        </Button>
      </div>
      {one.isDocument && <SoftwareAsset one={one} host={host} os={os} onHost={setHost} onOs={setOs} />}
      {asksCurrency(one) && (
        <PriceCurrency isOfTable={one.columns.length > 0} value={currency} onChange={onCurrency} />
      )}
    </Panel>
  )
}

interface PriceCurrencyProps {
  readonly isOfTable: boolean
  readonly value: string
  readonly onChange: (currency: string) => void
}

function PriceCurrency({ isOfTable, value, onChange }: PriceCurrencyProps) {
  return (
    <div className={styles['fields']}>
      <TextInput
        label="Currency of the prices"
        description={
          isOfTable
            ? 'Such as EUR; left empty, rows with a price are left out'
            : 'Such as EUR; left empty, prices are left out'
        }
        value={value}
        maxLength={3}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  )
}

/** The columns with the mapping that was chosen but not yet saved. */
const asChosen = (columns: ImportDetails['columns'], chosen: readonly string[]): ImportDetails['columns'] =>
  columns.map((it, place) => ({ ...it, column: chosen[place] || null }))

interface SoftwareAssetProps {
  readonly one: ImportDetails
  readonly host: string
  readonly os: string
  readonly onHost: (host: string) => void
  readonly onOs: (os: string) => void
}

/** For a software list: the asset it belongs to, and the operating system of its packages. */
function SoftwareAsset({ one, host, os, onHost, onOs }: SoftwareAssetProps) {
  const hint =
    one.subject === null
      ? 'The file does not say; one that is not known yet is made'
      : `Left empty, it is of ${one.subject}`
  return (
    <div className={styles['fields']}>
      <TextInput
        label="Of which host or asset"
        description={hint}
        value={host}
        onChange={({ currentTarget }) => onHost(currentTarget.value)}
      />
      <TextInput
        label="Operating system"
        description="Such as debian:12; left empty, as known of the asset"
        value={os}
        onChange={({ currentTarget }) => onOs(currentTarget.value)}
      />
    </div>
  )
}

function FirstRows({ one }: { readonly one: ImportDetails }) {
  const title = one.isDocument ? 'The first components' : 'The first rows'
  return (
    <Panel title={title} isFlush>
      <DataTable
        label={title}
        columns={one.isDocument ? componentColumns : rowColumns}
        rows={one.sample}
        keyOf={({ line }) => String(line)}
        empty={null}
      />
    </Panel>
  )
}

type Sample = ImportDetails['sample'][number]
const identifiers: Column<Sample> = {
  title: 'Identifiers',
  isMinor: true,
  cell: (it) => <span className="mono">{it.identifiers.join('  ')}</span>,
}
const rowColumns: readonly Column<Sample>[] = [
  { title: 'Line', align: 'right', cell: ({ line }) => line },
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Type', cell: ({ type }) => sentenceCase(type) },
  identifiers,
]
const componentColumns: readonly Column<Sample>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Version', cell: ({ version }) => version },
  { title: 'From', isMinor: true, cell: ({ type }) => type },
  { ...identifiers, title: 'Package URL' },
]
