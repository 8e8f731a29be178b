import { firstAtLeast } from '#platform/first-at-least.ts'
import { essence, isGeneric, wordsOf } from './product-words.ts'
import { lettersAndDigits } from './text-normalisation.ts'

/** The CPE vendors and products that the advisory catalogue has rules for. */
export interface Catalogue {
  /** `vendor:product` */
  readonly has: (pair: string) => boolean
  /** Those whose product has these letters and digits, whatever stands between. */
  readonly spelledLike: (letters: string) => readonly Pair[]
  /** Whether the name is unlikely to be given twice: a word that one vendor alone uses, or three that tell something. */
  readonly isCoined: (product: string) => boolean
  /** Vendors of these letters and digits, or whose name begins with them or is their beginning. */
  readonly vendorsLike: (letters: string) => readonly string[]
  readonly productsOf: (vendor: string) => VendorProducts
}

export interface Pair {
  readonly vendor: string
  readonly product: string
}

/** The products of one vendor, by what tells them apart. */
export interface VendorProducts {
  readonly all: readonly NamedProduct[]
  readonly byEssence: ReadonlyMap<string, readonly NamedProduct[]>
}

export interface NamedProduct extends Pair {
  readonly words: readonly string[]
}

/** Iterates the pairs once; 100,000 pairs take some tens of megabytes. */
export function catalogueOf(pairs: Iterable<Pair>): Catalogue {
  const known = new Set<string>()
  const byLetters = new Map<string, Pair[]>()
  const byVendor = new Map<string, string[]>()
  for (const { vendor, product } of pairs) {
    const pair = `${vendor}:${product}`
    if (known.has(pair)) continue
    known.add(pair)
    add(byLetters, lettersAndDigits(product), { vendor, product })
    add(byVendor, vendor, product)
  }
  const vendorsLike = vendorSearch([...byVendor.keys()])
  let vendorsOfWord: ReadonlyMap<string, number> | undefined
  const indexed = new Map<string, VendorProducts>()
  return {
    has: (pair) => known.has(pair),
    spelledLike: (letters) => byLetters.get(letters) ?? [],
    isCoined(product) {
      const counts = (vendorsOfWord ??= countVendors(byVendor))
      const words = wordsOf(product).filter((word) => !isGeneric(word))
      return words.length >= COINED_WORDS_MIN || words.some((word) => (counts.get(word) ?? 0) <= 1)
    },
    vendorsLike,
    productsOf(vendor) {
      const products = indexed.get(vendor) ?? productsOf(vendor, byVendor.get(vendor) ?? [])
      indexed.set(vendor, products)
      return products
    },
  }
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const others = map.get(key)
  if (others) others.push(value)
  else map.set(key, [value])
}

const COINED_WORDS_MIN = 3

function countVendors(products: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const names of products.values())
    for (const word of new Set(names.flatMap(wordsOf))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const BEGINNING_LENGTH_MIN = 4
const VENDORS_MAX = 8

function vendorSearch(vendors: readonly string[]): (letters: string) => readonly string[] {
  const byLetters = new Map<string, string[]>()
  for (const vendor of vendors) add(byLetters, lettersAndDigits(vendor), vendor)
  const sorted = [...byLetters.keys()].toSorted()
  return (letters) => {
    const exact = byLetters.get(letters) ?? []
    if (letters.length < BEGINNING_LENGTH_MIN) return exact
    const longer: string[] = []
    for (let at = firstAtLeast(sorted, letters); longer.length <= VENDORS_MAX; at++) {
      const found = sorted[at]
      if (found === undefined || !found.startsWith(letters)) break
      if (found !== letters) longer.push(...(byLetters.get(found) ?? []))
    }
    const shorter = Array.from(
      { length: Math.max(0, letters.length - BEGINNING_LENGTH_MIN) },
      (_, at) => byLetters.get(letters.slice(0, BEGINNING_LENGTH_MIN + at)) ?? [],
    ).flat()
    // a beginning that many vendors share tells none of them
    return [...exact, ...shorter.toReversed(), ...(longer.length > VENDORS_MAX ? [] : longer)]
  }
}

function productsOf(vendor: string, products: readonly string[]): VendorProducts {
  const vendorWords = new Set(wordsOf(vendor))
  const all = products.map((product) => ({ vendor, product, words: wordsOf(product) }))
  const byEssence = new Map<string, NamedProduct[]>()
  for (const it of all)
    for (const key of new Set([essence(it.words, vendorWords), essence(it.words.toSorted(), vendorWords)]))
      if (key !== '') add(byEssence, key, it)
  return { all, byEssence }
}
