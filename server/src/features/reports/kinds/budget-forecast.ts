import * as store from '../budget/budget-store.ts'
import { decimal, plus, textOf, type Decimal } from '../budget/decimal.ts'
import { plusMonths, replacementOf, type Replacement } from '../budget/replacement.ts'
import { budgetFigures } from './figures/budget-figures.ts'
import { cloudSection } from './budget-clouds.ts'
import { licenceSection, scenarioSection } from './budget-scenarios.ts'
import { columns, type Collecting, type ReportKind, type Rows, type Section } from './kind.ts'

const HORIZON_MONTHS = 36
const DEFER_MONTHS = 12
const SCENARIO = 'as is'
const BATCH = 2_000

/** A page has no room for them, and the cover says the scenario. */
const NOT_PRINTED = new Set(['asset', 'scenario'])

const EMPTY = 'Nothing is due within three years.'

/** What has to be replaced within three years, when, and what that costs. */
export const budgetForecast: ReportKind = {
  type: 'budget_forecast',
  permissions: ['assets:read'],
  leads: 'quarters',
  figures: budgetFigures,
  notes: notesOf,
  sections(collecting) {
    const due = new DueList()
    return [
      replacements(collecting, due),
      quarters(due),
      departments(due),
      scenarioSection(collecting, () => ({
        asIs: due.items,
        deferred: due.deferred,
        deferMonths: DEFER_MONTHS,
      })),
      withoutAmount(due),
      licenceSection(collecting, () => plusMonths(dayOf(collecting), HORIZON_MONTHS)),
      cloudSection(collecting),
      settingsSection(collecting),
    ]
  },
}

type Due = Replacement & store.ReplaceableAsset & { readonly site: string | null }

/** What the first section found, for those that add it up. */
class DueList {
  items: readonly Due[] = []
  /** The same assets, each replaced `DEFER_MONTHS` later. */
  deferred: readonly Due[] = []
}

const replacements = (collecting: Collecting, due: DueList): Section => ({
  name: 'replacements',
  title: 'Replacements',
  isMain: true,
  columns: columns({
    asset: ['text', 'Asset id'],
    name: ['text', 'Name'],
    type: ['code', 'Type'],
    department: ['text', 'Department'],
    site: ['text', 'Site'],
    reason: ['text', 'Reason'],
    due_on: ['date', 'Due on'],
    quarter: ['text', 'Quarter'],
    price: ['decimal', 'Price today'],
    currency: ['text', 'Currency'],
    price_in_report_currency: ['decimal', 'Price when due'],
    price_from: ['text', 'Price from'],
    risk: ['decimal', 'Risk'],
    scenario: ['text', 'Scenario'],
  }).map((it) => (NOT_PRINTED.has(it.name) ? { ...it, isNotPrinted: true as const } : it)),
  note: 'What is overdue is due on the day of the snapshot. Prices rise by calendar years and are rounded at the row.',
  empty: EMPTY,
  rows: replacementRows(collecting, due),
})

async function* replacementRows(collecting: Collecting, due: DueList): Rows {
  await findDue(collecting, due)
  for (let at = 0; at < due.items.length; at += BATCH)
    yield due.items.slice(at, at + BATCH).map((it) => ({
      asset: it.id,
      name: it.name,
      type: it.deviceType,
      department: it.department,
      site: it.site,
      reason: it.reason,
      due_on: it.dueOn,
      quarter: it.quarter,
      price: it.price,
      currency: it.currency,
      price_in_report_currency: it.dueAmount,
      price_from: it.priceFrom,
      risk: it.risk,
      scenario: SCENARIO,
    }))
}

/** In the order of days, then of names. */
async function findDue({ ctx, asOf, assetIds, places }: Collecting, due: DueList): Promise<void> {
  const day = asOf.toISOString().slice(0, 10)
  const terms = await store.termsOn(ctx, day)
  const last = plusMonths(day, HORIZON_MONTHS)
  const [items, deferred]: [Due[], Due[]] = [[], []]
  for await (const batch of store.replaceableAssets(ctx, assetIds))
    for (const asset of batch) {
      const replacement = replacementOf(asset, terms)
      if (!replacement || replacement.dueOn > last) continue
      const place = places.byId(asset.placeId ?? '') ?? places.byAddress(asset.ip)
      const site = place?.site ?? null
      items.push({ ...asset, ...replacement, site })
      const later = replacementOf(asset, { ...terms, deferMonths: DEFER_MONTHS })
      if (later) deferred.push({ ...asset, ...later, site })
    }
  due.items = items.toSorted(
    (a, b) => compare(a.dueOn, b.dueOn) || compare(a.name, b.name) || compare(a.id, b.id),
  )
  due.deferred = deferred
}

const dayOf = ({ asOf }: Collecting): string => asOf.toISOString().slice(0, 10)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const quarters = (due: DueList): Section => ({
  name: 'quarters',
  title: 'By quarter',
  columns: columns({
    quarter: ['text', 'Quarter'],
    currency: ['text', 'Currency'],
    count: ['integer', 'Assets'],
    amount: ['decimal', 'Amount'],
  }),
  sum: { amount: 'amount', currency: 'currency' },
  note: 'Assets without a price or without a rate of exchange are in a part of their own and in no sum.',
  empty: EMPTY,
  chart: { kind: 'bars', label: 'quarter', value: 'amount', unit: 'currency', isTimeSeries: true },
  rows: sums(due, ({ quarter, dueCurrency }) => ({ quarter, currency: dueCurrency })),
})

const departments = (due: DueList): Section => ({
  name: 'departments',
  title: 'By quarter and department',
  columns: columns({
    quarter: ['text', 'Quarter'],
    department: ['text', 'Department'],
    currency: ['text', 'Currency'],
    count: ['integer', 'Assets'],
    amount: ['decimal', 'Amount'],
  }),
  empty: EMPTY,
  chart: { kind: 'stacked', label: 'quarter', value: 'amount', series: 'department', unit: 'currency' },
  rows: sums(due, ({ quarter, department, dueCurrency }) => ({ quarter, department, currency: dueCurrency })),
})

/** A row for each key, in their order; sums are exact. */
async function* sums(due: DueList, keyOf: (it: Due) => Record<string, string | null>): Rows {
  const found = new Map<string, { count: number; amount: Decimal }>()
  for (const each of due.items) {
    if (each.dueAmount === null) continue
    const key = JSON.stringify(keyOf(each))
    const { count, amount } = found.get(key) ?? { count: 0, amount: decimal('0.00') }
    found.set(key, { count: count + 1, amount: plus(amount, decimal(each.dueAmount)) })
  }
  yield [...found]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([key, { count, amount }]) => ({
      ...(JSON.parse(key) as Record<string, string | null>),
      count,
      amount: textOf(amount),
    }))
}

const withoutAmount = (due: DueList): Section => ({
  name: 'without_amount',
  title: 'Without an amount',
  columns: columns({ why: ['text', 'Why'], type: ['text', 'Type'], count: ['integer', 'Assets'] }),
  empty: 'Everything that is due has an amount.',
  rows: missing(due),
})

async function* missing(due: DueList): Rows {
  const found = new Map<string, number>()
  for (const { note, deviceType } of due.items) {
    if (note === null) continue
    const key = JSON.stringify([note, deviceType])
    found.set(key, (found.get(key) ?? 0) + 1)
  }
  yield [...found.keys()].toSorted(compare).map((key) => {
    const [why = '', type = ''] = JSON.parse(key) as string[]
    return { why, type, count: found.get(key) ?? 0 }
  })
}

const settingsSection = ({ ctx, asOf }: Collecting): Section => ({
  name: 'prices',
  title: 'Prices and rates that were used',
  columns: columns({
    what: ['text', 'What'],
    value: ['decimal', 'Value'],
    currency: ['text', 'Currency'],
    life_months: ['integer', 'Life, months'],
    day: ['date', 'Day'],
  }),
  empty: 'There are none.',
  rows: usedPrices(ctx, asOf.toISOString().slice(0, 10)),
})

async function* usedPrices(ctx: Collecting['ctx'], day: string): Rows {
  const prices = await store.prices(ctx)
  yield prices.map(({ deviceType, price, currency, lifeMonths }) => ({
    what: `replacement of one ${deviceType}`,
    value: price,
    currency,
    life_months: lifeMonths,
  }))
  const rates = await store.rates(ctx, day)
  yield rates.map((it) => ({ what: `one ${it.currency}`, value: it.rate, day: it.day }))
}

async function notesOf({ ctx }: Collecting): Promise<string[]> {
  const { currency, priceRise } = await store.settings(ctx)
  return [
    currency === null
      ? 'No currency of reports is set: every price stays in its own, and no sum mixes two.'
      : `Amounts are in ${currency}, by the latest rates until the day of the snapshot.`,
    `Prices rise by ${priceRise} a year (0.03 is three percent).`,
    'The scenario of the list is “as is”: everything is replaced when it is due.',
    'Running costs of clouds and licences that end are told apart and are in no sum.',
    'What has neither a recorded day nor a life in months for its type is not in the forecast.',
  ]
}
