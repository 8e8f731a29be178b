import { decimal, rounded, shareOf, textOf, times } from '../budget/decimal.ts'

/** What organisations may use against what is installed or assigned. */

export interface Entitled {
  readonly product: string
  readonly vendor: string | null
  readonly metric: 'device' | 'user' | 'core' | 'site' | 'concurrent'
  /** Null: without limit. */
  readonly count: number | null
  /** Of all of them, a decimal in `currency`. */
  readonly cost: string | null
  readonly currency: string | null
  /** Days, both in it; null: open. */
  readonly begins: string | null
  readonly ends: string | null
  /** Uses that are assigned to assets or persons. */
  readonly used: number
}

/** Null: not known, or without meaning for the metric. */
export interface LicencePosition {
  readonly product: string
  readonly vendor: string | null
  readonly metric: string
  readonly entitled: number | null
  readonly installed: number | null
  /** Assets on which it was used within 90 days. */
  readonly used_90d: number | null
  readonly assigned: number
  readonly balance: number | null
  readonly cost_of_gap: string | null
  readonly reclaimable: number | null
  readonly currency: string | null
  readonly ends: string | null
}

/** Assets on which a product is installed, and how many cores they have together; undefined: not known of each. */
export interface Installed {
  readonly assets: number
  /** Of those of which the last use is known; absent: of none. */
  readonly use?: { readonly used: number; readonly unused: number } | undefined
  readonly cores: number | undefined
}

/** Whether an entitlement may be used on the day, `YYYY-MM-DD`. */
export const isInForce = ({ begins, ends }: Pick<Entitled, 'begins' | 'ends'>, day: string): boolean =>
  (begins === null || begins <= day) && (ends === null || ends >= day)

/**
 * Entitlements of the same product, vendor and metric are one position. Those that have ended on the day, or not begun,
 * entitle to nothing; where there is no other, the one that ended last tells assignments, price and end. A metric of devices needs one for each asset
 * that has it, one of cores their cores, any other one for each assigned use. What is missing costs what one of those
 * bought costs on average; unknown numbers give no balance.
 */
export function licencePosition(
  all: readonly Entitled[],
  installed: Installed,
  day: string,
): LicencePosition {
  const inForce = all.filter((it) => isInForce(it, day))
  const entitlements = inForce.length > 0 ? inForce : lastOf(all)
  const [first] = entitlements
  if (!first) throw new Error('a position of no entitlement')
  const { product, vendor, metric } = first
  const entitled = inForce.some(({ count }) => count === null)
    ? null
    : sum(inForce.map(({ count }) => count ?? 0))
  const assigned = sum(entitlements.map(({ used }) => used))
  const needed = neededOf(metric, installed, assigned)
  const balance = entitled === null || needed === undefined ? null : entitled - needed
  const gap = balance === null ? 0 : Math.max(0, -balance)
  return {
    product,
    vendor,
    metric,
    entitled,
    installed: metric === 'core' ? (installed.cores ?? null) : installed.assets,
    used_90d: installed.use?.used ?? null,
    assigned,
    balance,
    cost_of_gap: costOf(entitlements, gap),
    reclaimable: metric === 'device' ? reclaimableOf(installed, assigned) : null,
    currency: currencyOf(entitlements) ?? null,
    ends: entitlements.flatMap(({ ends }) => ends ?? []).toSorted()[0] ?? null,
  }
}

/** What is assigned and not installed, and what nobody used for 90 days; null where neither is known. */
function reclaimableOf({ assets, use }: Installed, assigned: number): number | null {
  if (assigned === 0 && !use) return null
  return (assigned > 0 ? Math.max(0, assigned - assets) : 0) + (use?.unused ?? 0)
}

/** The one with the latest end; one without an end has not begun. */
const lastOf = (all: readonly Entitled[]): Entitled[] =>
  all.toSorted((a, b) => ((a.ends ?? '') < (b.ends ?? '') ? 1 : -1)).slice(0, 1)

function neededOf(metric: Entitled['metric'], installed: Installed, assigned: number): number | undefined {
  if (metric === 'device') return installed.assets
  return metric === 'core' ? installed.cores : assigned
}

/** Null where entitlements have no cost, or costs in more than one currency. */
function costOf(entitlements: readonly Entitled[], gap: number): string | null {
  const priced = entitlements.filter(({ cost, count }) => cost !== null && (count ?? 0) > 0)
  if (priced.length === 0 || currencyOf(entitlements) === undefined) return null
  const count = sum(priced.map((it) => it.count ?? 0))
  const cents = priced.reduce((total, { cost }) => total + rounded(decimal(cost ?? '0')).units, 0n)
  return textOf(shareOf(times({ units: cents, scale: 2 }, decimal(String(gap))), BigInt(count)))
}

function currencyOf(entitlements: readonly Entitled[]): string | undefined {
  const found = new Set(entitlements.flatMap(({ currency }) => currency ?? []))
  return found.size === 1 ? [...found][0] : undefined
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** `Windows Server Standard` is `Windows Server 2022 Standard`: each word of the product stands in the name. */
export function isNamed(product: string, name: string): boolean {
  const words = wordsOf(name)
  const wanted = wordsOf(product)
  return wanted.length > 0 && wanted.every((it) => words.includes(it))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}+#.-]+/gu) ?? []
