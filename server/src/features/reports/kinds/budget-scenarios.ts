import { listEntitlements } from '#features/records/records.ts'
import { perQuarter, quartersOf, riskFirst, type Planned } from '../budget/scenarios.ts'
import { columns, NOT_OF_SOME, type Collecting, type Rows, type Section } from './kind.ts'

const QUARTERS = 12

/** What each scenario replaces; those with a horizon of their own have more quarters. */
export interface Scenarios {
  readonly asIs: readonly Planned[]
  /** The same assets, each so many months later. */
  readonly deferred: readonly Planned[]
  readonly deferMonths: number
}

/** The same replacements at other times. */
export const scenarioSection = (collecting: Collecting, scenarios: () => Scenarios): Section => ({
  name: 'scenarios',
  title: 'Scenarios',
  columns: columns({
    scenario: ['text', 'Scenario'],
    quarter: ['text', 'Quarter'],
    currency: ['text', 'Currency'],
    count: ['integer', 'Assets'],
    amount: ['decimal', 'Amount'],
    risk: ['decimal', 'Risk that goes'],
  }),
  note:
    'All of the same assets. Risk that goes: the sum of the risk of those that are replaced then; what is not yet ' +
    `replaced keeps its own. Risk first: the whole amount in ${QUARTERS} equal quarters, the highest risk first, at ` +
    'the prices of the year in which each is due; told where all amounts are in one currency.',
  empty: 'Nothing is due within three years.',
  rows: scenarioRows(collecting, scenarios),
})

async function* scenarioRows({ asOf }: Collecting, scenarios: () => Scenarios): Rows {
  const { asIs, deferred, deferMonths } = scenarios()
  yield rowsOf('as is', asIs)
  yield rowsOf(`${deferMonths} months later`, deferred)
  const currencies = new Set(
    asIs.flatMap(({ dueCurrency, dueAmount }) => (dueAmount === null ? [] : dueCurrency)),
  )
  if (currencies.size > 1) return
  const now = `${asOf.getUTCFullYear()}-Q${Math.floor(asOf.getUTCMonth() / 3) + 1}`
  yield rowsOf('risk first', riskFirst(asIs, now, perQuarter(asIs, QUARTERS)))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const rowsOf = (scenario: string, all: readonly Planned[]) =>
  quartersOf(scenario, all).map((it) => ({ ...it }))

/** Entitlements that end within the horizon. */
export const licenceSection = (collecting: Collecting, until: () => string): Section => ({
  name: 'licences',
  title: 'Licences that end',
  columns: columns({
    product: ['text', 'Product'],
    contract: ['text', 'Contract'],
    ends: ['date', 'Ends'],
    count: ['integer', 'Count'],
    cost: ['decimal', 'Cost last time'],
    currency: ['text', 'Currency'],
  }),
  note: 'Within three years. They are in none of the sums above.',
  empty:
    collecting.assetIds === undefined
      ? 'No entitlement with an end within three years is recorded.'
      : NOT_OF_SOME,
  rows: licenceRows(collecting, until),
})

async function* licenceRows({ ctx, asOf, assetIds }: Collecting, until: () => string): Rows {
  if (assetIds !== undefined) return
  const today = asOf.toISOString().slice(0, 10)
  const ending = (await listEntitlements(ctx)).filter(
    ({ ends }) => ends !== null && ends >= today && ends <= until(),
  )
  yield ending
    .toSorted(
      (a, b) => compare(a.ends ?? '', b.ends ?? '') || compare(a.product, b.product) || compare(a.id, b.id),
    )
    .map(({ product, contract, ends, count, cost, currency }) => ({
      product,
      contract,
      ends,
      count,
      cost,
      currency,
    }))
}
