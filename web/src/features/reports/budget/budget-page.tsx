import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BudgetTermsDocument, type BudgetTermsRow } from '#api/generated/reports.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { day } from '#lib/dates.ts'
import { amount, many, withSign } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { PaperPanel } from './paper-panel.tsx'
import { PriceForm, RateForm, SettingsForm } from './budget-forms.tsx'

type Price = BudgetTermsRow['prices'][number]

/** Which of the forms is open. */
type Editing = { readonly what: 'settings' | 'rate' } | { readonly what: 'price'; readonly price: Price }

/** Paper, and what budget forecasts are made with: currency, rise of prices, replacement prices, rates of exchange. */
export function BudgetPage() {
  const [editing, setEditing] = useState<Editing>()
  const { data, error, refetch } = useQuery(q(BudgetTermsDocument, {}))
  const terms = data?.budgetTerms
  const edit = (label: string, what: Editing, name = label) => (
    <EditButton label={label} name={name} onClick={() => setEditing(what)} />
  )
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  return (
    <Page
      title="Report settings"
      description="What reports are printed on, and what budget forecasts are made with."
    >
      <PaperPanel />
      <Panel title="Budgets" aside={edit('Change', { what: 'settings' }, 'Change budget settings')}>
        <p>{terms ? settingsText(terms) : 'Reading…'}</p>
      </Panel>
      <Panel title="Replacement prices" isFlush>
        <DataTable
          label="Replacement prices"
          columns={[
            ...priceColumns,
            {
              title: 'Change',
              cell: (price) => edit('Set', { what: 'price', price }, `Set the price of ${titleOf(price)}`),
            },
          ]}
          rows={terms?.prices}
          keyOf={({ deviceType }) => deviceType}
          empty={null}
        />
      </Panel>
      {terms && (
        <Panel title="Rates of exchange" isFlush aside={edit('Add a rate', { what: 'rate' })}>
          <DataTable
            label="Rates of exchange"
            columns={rateColumns}
            rows={terms.rates}
            keyOf={({ currency }) => currency}
            empty={<p className="quiet">None is known: prices in other currencies are in no sum.</p>}
          />
        </Panel>
      )}
      {terms && editing && <OpenForm terms={terms} editing={editing} onClose={() => setEditing(undefined)} />}
    </Page>
  )
}

interface EditButtonProps {
  readonly label: string
  readonly name: string
  readonly onClick: () => void
}

function EditButton({ label, name, onClick }: EditButtonProps) {
  const may = usePermission()
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!may('reports:write')}
      aria-label={name}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}

interface OpenFormProps {
  readonly terms: BudgetTermsRow
  readonly editing: Editing
  readonly onClose: () => void
}

function OpenForm({ terms, editing, onClose }: OpenFormProps) {
  if (editing.what === 'price') return <PriceForm price={editing.price} onClose={onClose} />
  return editing.what === 'rate' ? (
    <RateForm onClose={onClose} />
  ) : (
    <SettingsForm terms={terms} onClose={onClose} />
  )
}

const titleOf = ({ deviceType }: Price): string => sentenceCase(deviceType)

const percent = (share: string): string => `${withSign(String(Number((Number(share) * 100).toFixed(2))))} %`

const settingsText = ({ currency, priceRise }: BudgetTermsRow): string =>
  `${currency === null ? 'Each price stays in its own currency.' : `Forecasts are in ${currency}.`} Prices rise by ${percent(priceRise)} a year.`

const priceColumns: readonly Column<Price>[] = [
  { title: 'Type of device', cell: titleOf },
  {
    title: 'Price of one',
    align: 'right',
    cell: ({ price, currency }) => (price === null ? 'not set' : `${amount(price)} ${currency}`),
  },
  {
    title: 'Lasts',
    align: 'right',
    isMinor: true,
    cell: ({ lifeMonths }) => (lifeMonths === null ? 'not set' : many(lifeMonths, 'month')),
  },
]

const rateColumns: readonly Column<BudgetTermsRow['rates'][number]>[] = [
  { title: 'One', cell: ({ currency }) => currency },
  { title: 'Is worth', align: 'right', cell: ({ rate }) => withSign(rate) },
  { title: 'From', cell: ({ day: from }) => day(from) },
]
