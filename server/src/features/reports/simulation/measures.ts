import { decimal, plus, textOf, type Decimal } from '../budget/decimal.ts'
import type { LicenceChange } from './licence-changes.ts'
import type { Simulation } from './simulate.ts'
import { totalsOf } from './simulation-totals.ts'

/** One line of the comparison; decimals as text. Null: not known. */
export interface Measure {
  readonly measure: string
  readonly before: string | null
  readonly after: string | null
  readonly change: string | null
  /** ISO 4217 for money; empty for counts. */
  readonly unit: string
  readonly note: string | null
}

/** What a decision is made by: assets, risk, findings, controls, money and licences. */
export function measuresOf(simulation: Simulation): Measure[] {
  const { effects, controls, checks } = simulation
  const [before, after] = [totalsOf(effects, 'before'), totalsOf(effects, 'after')]
  const counted = (
    measure: string,
    of: 'assets' | 'open' | 'severe' | 'exploited',
    note: string | null = null,
  ) => line({ measure, before: textOrNull(before[of]), after: textOrNull(after[of]), note })
  const failing = (when: 'before' | 'after') => controls.filter((it) => it[when] === 'fail').length
  const failed = (when: 'before' | 'after') => checks.reduce((sum, it) => sum + it[when].failed, 0)
  const unknown = checks.reduce((sum, it) => sum + it.after.unknown - it.before.unknown, 0)
  const unknownRisk = unknownText(before.riskUnknown, after.riskUnknown)
  return [
    counted('Assets', 'assets', `${effects.filter((it) => it.effect !== 'unchanged').length} would change`),
    line({
      measure: 'Risk, sum of the scores',
      before: before.risk?.toFixed(1) ?? null,
      after: after.risk?.toFixed(1) ?? null,
      note: unknownRisk,
    }),
    counted('Open findings', 'open', unknownRisk),
    counted('Critical and high findings', 'severe'),
    counted('Findings known to be exploited', 'exploited'),
    line({
      measure: 'Failing controls',
      before: String(failing('before')),
      after: String(failing('after')),
      note: controls.length === 0 ? 'no framework is adopted' : `of ${controls.length} that checks judge`,
    }),
    line({
      measure: 'Failures of checks',
      before: String(failed('before')),
      after: String(failed('after')),
      note: unknown > 0 ? `${unknown} more are unknown, which is no pass` : null,
    }),
    ...costLines(simulation),
    ...gapLines(simulation.licences),
  ]
}

interface Line {
  readonly measure: string
  readonly before: string | null
  readonly after: string | null
  readonly unit?: string
  readonly note?: string | null
}

function line({ measure, before, after, unit = '', note = null }: Line): Measure {
  const change = before === null || after === null ? null : textOf(minus(decimal(after), decimal(before)))
  return { measure, before, after, change, unit, note }
}

const textOrNull = (number: number | null): string | null => (number === null ? null : String(number))

const minus = (a: Decimal, b: Decimal): Decimal => plus(a, { ...b, units: -b.units })

const unknownText = (before: number, after: number): string | null =>
  before === 0 && after === 0 ? null : `not known of ${before} assets before, of ${after} after`

function costLines({ costs }: Simulation): Measure[] {
  if (!costs)
    return [
      line({
        measure: 'Cost',
        before: null,
        after: null,
        note: 'nothing that is recorded gives a price for it',
      }),
    ]
  const missing =
    costs.withoutAmount > 0 ? `${costs.withoutAmount} without a price or a rate, in no sum` : null
  if (costs.sums.length === 0)
    return [
      line({
        measure: 'Cost of replacements',
        before: null,
        after: null,
        note: missing ?? 'none of them is a device',
      }),
    ]
  return costs.sums.map(({ currency, before, after }) =>
    line({
      measure: 'Cost of replacements until then',
      before,
      after,
      unit: currency,
      note: missing ?? 'before: what is due by then anyway',
    }),
  )
}

/** What missing licences would cost, each currency for itself. */
function gapLines(licences: readonly LicenceChange[]): Measure[] {
  const priced = licences.filter(
    ({ before, after }) => before.cost_of_gap !== null && after.cost_of_gap !== null,
  )
  const unpriced = licences.length - priced.length
  const note = unpriced > 0 ? `${unpriced} entitlements have no cost or no count` : null
  const byCurrency = Map.groupBy(priced, ({ before }) => before.currency ?? '')
  const sums = [...byCurrency.keys()].sort().map((unit) => {
    const total = (when: 'before' | 'after') =>
      textOf(
        (byCurrency.get(unit) ?? []).reduce(
          (sum, it) => plus(sum, decimal(it[when].cost_of_gap ?? '0')),
          decimal('0.00'),
        ),
      )
    return line({
      measure: 'Cost of missing licences',
      before: total('before'),
      after: total('after'),
      unit,
      note,
    })
  })
  const short = (when: 'before' | 'after') => licences.filter((it) => (it[when].balance ?? 0) < 0).length
  return [
    line({
      measure: 'Products with too few licences',
      before: String(short('before')),
      after: String(short('after')),
      note: licences.length === 0 ? 'no entitlement is recorded' : `of ${licences.length}`,
    }),
    ...sums,
  ]
}
