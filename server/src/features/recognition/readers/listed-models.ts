import { firstAtLeast } from '#platform/first-at-least.ts'
import { once } from '#platform/once.ts'
import type { DeviceType } from '../device-types.ts'
import { vendorKey } from '../vendors/vendors.ts'
import { listedProducts } from '../vendors/products.ts'

/** What a maker's own list of products says of the model numbers in a text that names the maker. */
export interface Listed {
  readonly type: DeviceType
  readonly model: string
  /** The list has this model; else only models whose numbers begin alike, all of one type. */
  readonly isExact: boolean
}

/** `text` is one line; undefined where the list knows no number that stands in it. */
export function listedModel(vendor: string, text: string): Listed | undefined {
  const list = lists().get(vendorKey(vendor))
  if (!list) return undefined
  const numbers = (text.match(modelNumbers) ?? []).slice(0, NUMBERS_MAX).filter(isTelling)
  let alike: Listed | undefined
  for (const model of numbers) {
    const found = search(list, squeezed(model))
    if (found?.isExact) return { ...found, model }
    if (found) alike ??= { ...found, model }
  }
  return alike
}

/** Letters and digits, and what joins them; a version has a dot behind its first digits. */
const modelNumbers = /(?<![\w.])[a-z]?[\w+/-]{3,32}(?![\w.]*\.\d)/gi
/** Bare digits are years, ports and series; some letters and two digits are a model. */
function isTelling(word: string): boolean {
  return /[a-z]/i.test(word) && /\d\D*\d/.test(word) && word.length >= 4
}

const NUMBERS_MAX = 24

interface List {
  readonly names: readonly string[]
  readonly types: readonly (DeviceType | undefined)[]
}

/** Of each maker, the names in order; a name that stands for several types has none. */
const lists = once(
  (): ReadonlyMap<string, List> =>
    new Map(
      [...Map.groupBy(listedProducts(), ({ vendor }) => vendor)].map(([vendor, products]) => [
        vendorKey(vendor),
        listOf(products),
      ]),
    ),
)

function listOf(products: readonly { readonly model: string; readonly type: DeviceType }[]): List {
  const types = new Map<string, DeviceType | undefined>()
  for (const { model, type } of products) {
    const name = squeezed(model)
    if (isTelling(name)) types.set(name, types.has(name) && types.get(name) !== type ? undefined : type)
  }
  const names = [...types.keys()].toSorted()
  return { names, types: names.map((name) => types.get(name)) }
}

/** `WS-C2960X-48LPS-L` and `catWsC2960x48lpsL` are one: lower case, without joints and what Cisco writes before. */
function squeezed(model: string): string {
  return model
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^(?:catalyst|cat)?ws(?=c\d)|^(?:catalyst|cat)(?=\w*\d)/, '')
}

function search({ names, types }: List, wanted: string): Omit<Listed, 'model'> | undefined {
  const place = firstAtLeast(names, wanted)
  const exact = types[place]
  if (names[place] === wanted) return exact && { type: exact, isExact: true }
  const start = wanted.slice(0, Math.max(sharedBy(names[place - 1], wanted), sharedBy(names[place], wanted)))
  if (!series.test(start)) return undefined
  const alike = new Set<DeviceType | undefined>()
  for (let at = place - 1; at >= 0 && names[at]!.startsWith(start); at--) alike.add(types[at])
  for (let at = place; at < names.length && names[at]!.startsWith(start); at++) alike.add(types[at])
  const [type] = alike
  return alike.size === 1 && type ? { type, isExact: false } : undefined
}

/** Enough of a number to be one's series: letters and three digits, as `s573` of `S5731-S24T4X`, or four digits. */
const series = /^(?:[a-z]+\d{3}|\d{4})/

/** How many first letters two names have in common. */
function sharedBy(name: string | undefined, other: string): number {
  let length = 0
  while (length < other.length && name?.[length] === other[length]) length += 1
  return length
}
