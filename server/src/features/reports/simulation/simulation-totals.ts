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

/** Sums over the assets of which the number is known; null: there are assets, and it is known of none. */
export interface Totals {
  readonly assets: number
  readonly riskUnknown: number
  readonly risk: number | null
  readonly open: number | null
  readonly severe: number | null
  readonly exploited: number | null
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
    exploited: open?.filter((it) => it['exploited'] === true).length ?? null,
  }
}

/** Retired assets are counted before alone. */
export function totalsOf(effects: readonly AssetEffect[], when: 'before' | 'after'): Totals {
  const those = when === 'before' ? effects : effects.filter(({ effect }) => effect !== 'retired')
  const sum = (of: (it: AssetFigures) => number | null): number | null => {
    const known = those.flatMap((it) => of(it[when]) ?? [])
    if (known.length === 0 && those.length > 0) return null
    // scores have one place: in tenths, the sum is exact
    return known.reduce((total, it) => total + Math.round(it * 10), 0) / 10
  }
  return {
    assets: those.length,
    risk: sum(({ risk }) => risk),
    riskUnknown: those.filter((it) => it[when].risk === null).length,
    open: sum(({ open }) => open),
    severe: sum(({ severe }) => severe),
    exploited: sum(({ exploited }) => exploited),
  }
}
