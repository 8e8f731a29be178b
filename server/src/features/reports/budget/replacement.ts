import { decimal, rounded, textOf, times, type Decimal } from './decimal.ts'

/** What is recorded of an asset; days are YYYY-MM-DD, prices are decimals. */
export interface Replaceable {
  readonly deviceType: string
  readonly purchasedOn: string | null
  readonly firstSeen: string | null
  readonly warrantyEnds: string | null
  readonly hardwareEol: string | null
  readonly leaseEnds: string | null
  readonly planned: string | null
  readonly price: string | null
  readonly currency: string | null
}

/** Of a type of devices. */
export interface ReplacementPrice {
  readonly price: string | null
  readonly currency: string | null
  readonly lifeMonths: number | null
}

export interface ForecastTerms {
  readonly snapshotDay: string
  /** Null: each price stays in its own currency. */
  readonly currency: string | null
  /** What one unit of each currency is worth in `currency`. */
  readonly rates: ReadonlyMap<string, string>
  /** A year, `0.03` for three percent. */
  readonly priceRise: string
  readonly prices: ReadonlyMap<string, ReplacementPrice>
  /** Every replacement waits for so long. */
  readonly deferMonths: number
}

export interface Replacement {
  readonly reason: string
  readonly dueOn: string
  /** `2027-Q1` */
  readonly quarter: string
  /** Of today. */
  readonly price: string | null
  readonly currency: string | null
  /** In the report's currency, or its own where the report has none, with the rise until the year it is due. */
  readonly dueAmount: string | null
  readonly dueCurrency: string | null
  readonly priceFrom: 'asset' | 'class' | 'none'
  readonly note: string | null
}

/**
 * When an asset is due and what its replacement costs then; undefined when nothing says when. Due is the first of:
 * planned day, end of the lease, end of the hardware's support, and the later of end of warranty and end of life; what
 * is overdue is due on the snapshot day. Prices rise by calendar years and are rounded once, half to even.
 */
export function replacementOf(asset: Replaceable, terms: ForecastTerms): Replacement | undefined {
  const due = dueOf(asset, terms)
  if (!due) return undefined
  const isOverdue = due.on < terms.snapshotDay
  const dueOn = plusMonths(isOverdue ? terms.snapshotDay : due.on, terms.deferMonths)
  const cost = costOf(asset, terms, Number(dueOn.slice(0, 4)) - Number(terms.snapshotDay.slice(0, 4)))
  const quarter = `${dueOn.slice(0, 4)}-Q${Math.ceil(Number(dueOn.slice(5, 7)) / 3)}`
  return {
    reason: isOverdue ? `${due.reason}, overdue since ${due.on}` : due.reason,
    dueOn,
    quarter,
    ...cost,
  }
}

function dueOf(
  { deviceType, purchasedOn, firstSeen, warrantyEnds, hardwareEol, leaseEnds, planned }: Replaceable,
  { prices }: ForecastTerms,
): { on: string; reason: string } | undefined {
  const life = prices.get(deviceType)?.lifeMonths ?? null
  const start = purchasedOn ?? firstSeen
  const lifeEnds = start === null || life === null ? null : plusMonths(start, life)
  const ofLife = purchasedOn === null ? 'end of life, counted from the first sighting' : 'end of life'
  const worn =
    lifeEnds !== null && (warrantyEnds === null || lifeEnds > warrantyEnds)
      ? { on: lifeEnds, reason: ofLife }
      : { on: warrantyEnds, reason: 'end of warranty' }
  const all = [
    { on: planned, reason: 'planned' },
    { on: leaseEnds, reason: 'end of lease' },
    { on: hardwareEol, reason: 'end of hardware support' },
    worn,
  ].flatMap(({ on, reason }) => (on === null ? [] : [{ on, reason }]))
  return all.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))[0]
}

type Cost = Pick<Replacement, 'price' | 'currency' | 'dueAmount' | 'dueCurrency' | 'priceFrom' | 'note'>

function costOf(asset: Replaceable, terms: ForecastTerms, years: number): Cost {
  const ofClass = terms.prices.get(asset.deviceType)
  const [price, currency, priceFrom] =
    asset.price !== null && asset.currency !== null
      ? ([asset.price, asset.currency, 'asset'] as const)
      : ([ofClass?.price ?? null, ofClass?.currency ?? null, 'class'] as const)
  if (price === null || currency === null)
    return {
      price: null,
      currency: null,
      dueAmount: null,
      dueCurrency: null,
      priceFrom: 'none',
      note: 'no price',
    }
  const rate = terms.currency === null || terms.currency === currency ? '1' : terms.rates.get(currency)
  if (rate === undefined)
    return { price, currency, dueAmount: null, dueCurrency: null, priceFrom, note: `no rate for ${currency}` }
  const factor = power(decimal(terms.priceRise), years)
  const dueAmount = textOf(rounded(times(times(decimal(price), decimal(rate)), factor)))
  return { price, currency, dueAmount, dueCurrency: terms.currency ?? currency, priceFrom, note: null }
}

/** One and the rise, to the power of the years. */
function power(rise: Decimal, years: number): Decimal {
  const once: Decimal = { units: 10n ** BigInt(rise.scale) + rise.units, scale: rise.scale }
  let factor: Decimal = { units: 1n, scale: 0 }
  for (let year = 0; year < years; year += 1) factor = times(factor, once)
  return factor
}

/** The same day of the month, or the last one of a shorter month. */
export function plusMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, last))
  return first.toISOString().slice(0, 10)
}
