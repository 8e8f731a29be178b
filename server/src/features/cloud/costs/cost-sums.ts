import { CloudFault } from '../connectors/cloud-fault.ts'
import type { CostLine } from './cost.ts'

/** More lines are told of, not added up. */
const SUMS_MAX = 200_000
const PLACES = 9

/** The amounts of one resource in one month, in decimal numbers. */
export interface CostSum {
  readonly account: string
  /** Empty: of everything in the account. */
  readonly resource: string
  /** Its first day. */
  readonly month: string
  readonly currency: string
  /** By day, or by the month's first day alone. */
  readonly days: Readonly<Record<string, string>>
}

/** Adds up lines exactly, per resource and for the account as a whole; holds no line. */
export class CostSums {
  readonly #sums = new Map<string, Map<string, bigint>>()
  readonly #tellsTotals: boolean

  /** `tellsTotals`: lines without a resource are all that an account costs, instead of the rest. */
  constructor({ tellsTotals = false }: { readonly tellsTotals?: boolean } = {}) {
    this.#tellsTotals = tellsTotals
  }

  add({ account, resource, day, currency, amount }: CostLine): void {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !/^[A-Z]{3}$/.test(currency)) return
    const units = unitsOf(amount)
    if (units === undefined) throw new CloudFault('bad_answer', 'an amount of the costs is no number')
    const month = `${day.slice(0, 7)}-01`
    const isAlone = resource === '' || this.#tellsTotals
    for (const of of isAlone ? [resource] : ['', resource]) {
      const key = [account, month, currency, of].join('\n')
      const days = this.#sums.get(key) ?? new Map<string, bigint>()
      if (days.size === 0 && this.#sums.size >= SUMS_MAX)
        throw new CloudFault('too_many', `costs of more than ${SUMS_MAX} resources`)
      this.#sums.set(key, days)
      days.set(day, (days.get(day) ?? 0n) + units)
    }
  }

  *all(): Iterable<CostSum> {
    for (const [key, days] of this.#sums) {
      const [account = '', month = '', currency = '', resource = ''] = key.split('\n')
      yield {
        account,
        resource,
        month,
        currency,
        days: Object.fromEntries([...days].map(([day, units]) => [day, textOf(units)])),
      }
    }
  }
}

/** Of `0.0123`, `-5` and `1.2E-7`, in billionths; what is less is cut off. */
export function unitsOf(text: string): bigint | undefined {
  const found = /^(-?)(\d{1,18})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text)
  if (!found) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found
  const point = whole.length + Number(exponent) + PLACES
  const digits = (whole + fraction).padEnd(Math.max(0, point), '0')
  const units = point <= 0 ? 0n : BigInt(digits.slice(0, point))
  return sign === '-' ? -units : units
}

function textOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(PLACES + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}
