import { textIn, type Row } from '#platform/conditions/field.ts'
import { findingsOf, isOpen, type After } from './row-after.ts'

/** What is counted of the chosen assets before and after a change. Pure. */

/** Null: not known, as nobody looked, or the device is new. */
export interface AssetFigures {
  readonly risk: number | null
  readonly open: number | null
  readonly severe: number | null
  readonly exploited: number | null
}

export interface AssetEffect {
  readonly id: string
  readonly name: string
  readonly deviceType: string
  readonly effect: After['effect']
  readonly before: AssetFigures
  readonly after: AssetFigures
}

export interface Totals {
  readonly assets: number
  /** Of those whose risk is known. */
  readonly risk: number
  readonly riskUnknown: number
  readonly open: number
  readonly severe: number
  readonly exploited: number
}

const UNKNOWN: AssetFigures = { risk: null, open: null, severe: null, exploited: null }

export function effectOn(asset: {
  readonly id: string
  readonly row: Row
  readonly after: After
}): AssetEffect {
  const { id, row, after } = asset
  const before = figuresOf(row)
  return {
    id,
    name: textIn(row, 'name'),
    deviceType: textIn(row, 'device_type') || 'unknown',
    effect: after.effect,
    before,
    after: 'row' in after ? figuresOf(after.row) : after.effect === 'unchanged' ? before : UNKNOWN,
  }
}

function figuresOf(row: Row): AssetFigures {
  const open = findingsOf(row)?.filter(isOpen)
  return {
    risk: typeof row['risk'] === 'number' ? row['risk'] : null,
    open: open?.length ?? null,
    severe: open?.filter((it) => it['severity'] === 'critical' || it['severity'] === 'high').length ?? null,
    exploited: open?.filter((it) => it['kev'] === true).length ?? null,
  }
}

/** Retired assets are counted before alone. */
export function totalsOf(effects: readonly AssetEffect[], when: 'before' | 'after'): Totals {
  const those = when === 'before' ? effects : effects.filter(({ effect }) => effect !== 'retired')
  const sum = (of: (it: AssetFigures) => number | null) =>
    those.reduce((total, it) => total + (of(it[when]) ?? 0), 0)
  return {
    assets: those.length,
    // scores have one place: in tenths, the sum is exact
    risk: sum(({ risk }) => Math.round((risk ?? 0) * 10)) / 10,
    riskUnknown: those.filter((it) => it[when].risk === null).length,
    open: sum(({ open }) => open),
    severe: sum(({ severe }) => severe),
    exploited: sum(({ exploited }) => exploited),
  }
}
