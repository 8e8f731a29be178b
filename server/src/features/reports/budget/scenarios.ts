import { decimal, plus, textOf, type Decimal } from './decimal.ts'

/** An asset that is due, with what it costs then. */
export interface Planned {
  readonly id: string
  readonly name: string
  readonly quarter: string
  /** Null: without a price or a rate. */
  readonly dueAmount: string | null
  readonly dueCurrency: string | null
  /** Null: nobody looked for vulnerabilities. */
  readonly risk: number | null
}

/** What a scenario spends in a quarter, and the risk of the assets that it replaces then. */
export interface ScenarioQuarter {
  readonly scenario: string
  readonly quarter: string
  readonly currency: string | null
  readonly count: number
  /** Null: none of them has one. */
  readonly amount: string | null
  /** Of those whose risk is known. */
  readonly risk: string
}

/**
 * The highest risk first: what a quarter can pay of it is replaced then, the rest slides, and nothing is left out. What
 * costs more than a whole quarter has one for itself. Of one currency; what has no amount is paid for nowhere and comes
 * in the first quarter, which its line says.
 */
export function riskFirst<T extends Planned>(all: readonly T[], first: string, perQuarter: string): T[] {
  const order = all.toSorted(
    (a, b) => (b.risk ?? -1) - (a.risk ?? -1) || compare(a.quarter, b.quarter) || compare(a.id, b.id),
  )
  const limit = decimal(perQuarter)
  let quarter = first
  let spent = decimal('0.00')
  return order.map((each) => {
    if (each.dueAmount === null) return { ...each, quarter: first }
    const amount = decimal(each.dueAmount)
    const isFull = isMore(plus(spent, amount), limit) && spent.units > 0n
    if (isFull) quarter = quarterAfter(quarter)
    spent = isFull ? amount : plus(spent, amount)
    return { ...each, quarter }
  })
}

/** The amount of all of them in equal parts, rounded up to whole units, so that they fit into so many quarters. */
export function perQuarter(all: readonly Planned[], quarters: number): string {
  const total = all.reduce((sum, { dueAmount }) => plus(sum, decimal(dueAmount ?? '0')), decimal('0.00'))
  const units = 10n ** BigInt(total.scale) * BigInt(quarters)
  return `${(total.units + units - 1n) / units}.00`
}

/** A row for each quarter and currency, in their order. */
export function quartersOf(scenario: string, all: readonly Planned[]): ScenarioQuarter[] {
  const groups = Map.groupBy(all, ({ quarter, dueAmount, dueCurrency }) =>
    JSON.stringify([quarter, dueAmount === null ? null : dueCurrency]),
  )
  return [...groups.keys()].toSorted(compare).map((key) => {
    const [quarter, currency] = JSON.parse(key) as [string, string | null]
    const those = groups.get(key) ?? []
    const amounts = those.flatMap(({ dueAmount }) => (dueAmount === null ? [] : decimal(dueAmount)))
    return {
      scenario,
      quarter,
      currency,
      count: those.length,
      amount: amounts.length === 0 ? null : textOf(amounts.reduce(plus, decimal('0.00'))),
      risk: textOf(tenths(those.reduce((sum, { risk }) => sum + Math.round((risk ?? 0) * 10), 0))),
    }
  })
}

const tenths = (count: number): Decimal => ({ units: BigInt(count), scale: 1 })

function isMore(a: Decimal, b: Decimal): boolean {
  return plus(a, { ...b, units: -b.units }).units > 0n
}

/** `2026-Q4` is followed by `2027-Q1`. */
export function quarterAfter(quarter: string): string {
  const [year, n] = quarter.split('-Q').map(Number)
  return n === 4 ? `${(year ?? 0) + 1}-Q1` : `${year}-Q${(n ?? 0) + 1}`
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
