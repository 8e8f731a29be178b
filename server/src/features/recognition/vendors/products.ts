import { readFileSync } from 'node:fs'
import { once } from '#platform/once.ts'
import type { DeviceType } from '../device-types.ts'

/** A branch below `1.3.6.1.4.1`: whose it is, and what stands in it. */
export interface Branch {
  readonly branch: string
  readonly vendor?: string
  readonly type?: DeviceType
}

/** The deepest known branch at or above this one that fits. */
export function deepest(branch: string, fits: (known: Branch) => boolean): Branch | undefined {
  for (let end = branch.length; end > 0; end = branch.lastIndexOf('.', end - 1)) {
    const known = branches().get(branch.slice(0, end))
    if (known && fits(known)) return known
  }
  return undefined
}

/** Whose branch it is: as far as the known branches tell, else by the registry of enterprise numbers. */
export function makerOf(branch: string): string | undefined {
  return (
    deepest(branch, ({ vendor }) => vendor !== undefined)?.vendor ??
    registered().get(branch.split('.', 1)[0]!)
  )
}

/** Models whose kind their makers' lists tell. */
export function listedProducts(): { vendor: string; model: string; type: DeviceType }[] {
  return [...products()].flatMap(([branch, product]) => {
    const [model, type] = product.split('\t') as [string, DeviceType?]
    const vendor = deepest(branch, (known) => known.vendor !== undefined)?.vendor
    return vendor && type ? [{ vendor, model, type }] : []
  })
}

export const knownBranches = once(
  () =>
    JSON.parse(
      readFileSync(new URL('../data/enterprises.json', import.meta.url), 'utf8'),
    ) as readonly Branch[],
)

/** Enterprise numbers of IANA's registry: `scripts/enterprise-numbers.ts` makes the file. */
const registered = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      readFileSync(new URL('../data/enterprise-numbers.tsv', import.meta.url), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t') as [string, string]),
    ),
)

const branches = once(
  (): ReadonlyMap<string, Branch> => new Map(knownBranches().map((known) => [known.branch, known])),
)

/**
 * Each line: the branch, a tab, the model and, where the maker's own MIB tells it, a tab and the type. Kept as lines are,
 * because few of the thousands are ever asked for.
 */
export const products = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      readFileSync(new URL('../data/sys-object-ids.tsv', import.meta.url), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const end = line.indexOf('\t')
          return [line.slice(0, end), line.slice(end + 1)]
        }),
    ),
)
