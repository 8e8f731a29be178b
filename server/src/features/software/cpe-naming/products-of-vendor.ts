import type { Catalogue, NamedProduct, Pair, VendorProducts } from './known-cpe-products.ts'
import {
  abbreviates,
  addOnWords,
  essence,
  isCompanion,
  isEdition,
  isGeneric,
  partsOfName,
  wordsOf,
} from './product-words.ts'
import { lettersAndDigits, withoutVersion } from './text-normalisation.ts'
import { products as knownPrograms } from './vendor-and-product-aliases.ts'

/** A product that the catalogue has of the vendor that was given, under other words. */
export interface FoundProduct {
  readonly vendor: string
  readonly product: string
  /** 0 to 1. */
  readonly likely: number
}

const SAME_WORDS = 0.8
const SAME_INITIALS = 0.6
const BEGINS_SO = 0.5
const HAS_ITS_WORDS = 0.4
/** One word alone tells a product if nobody else uses it, it is long, and hardly more is said. */
const COINED_LENGTH_MIN = 6
const LEFT_MAX = 2
const INITIALS_MIN = 3
const PRODUCTS_MAX = 20_000

interface Given {
  readonly vendorWords: ReadonlySet<string>
  readonly catalogue: Catalogue
}

/** What the vendor makes that the name, or a part of it, may mean. `forms` are spellings of the vendor. */
export function productsOfVendor(
  name: string,
  forms: readonly string[],
  catalogue: Catalogue,
): FoundProduct[] {
  const vendors = new Set(forms.flatMap((form) => catalogue.vendorsLike(lettersAndDigits(form))))
  return [...vendors].flatMap((vendor) => {
    const products = catalogue.productsOf(vendor)
    if (products.all.length > PRODUCTS_MAX) return []
    const given = { vendorWords: new Set([vendor, ...forms].flatMap(wordsOf)), catalogue }
    const found =
      bySameWords(name, products, given) ??
      byVendorAlone(name, products, given) ??
      byInitials(name, products, given) ??
      byBeginning(name, products, given) ??
      byMostWords(name, products, given)
    return found && !isHostOf(name, found) ? [found] : []
  })
}

const hosts: ReadonlySet<string> = new Set([...knownPrograms.values()].map((pair) => pair.join(':')))

/** A program that everybody knows. */
export const isHost = ({ vendor, product }: Pair): boolean => hosts.has(`${vendor}:${product}`)

/** Programs that are nothing but a plugin say so beside their names: `Telegram Bot Plugin`. */
const PLUGIN = /\bplug-?in\b/

/** An extension of a program is not that program. */
export function isHostOf(name: string, { vendor, product }: Pair): boolean {
  const given = addOnWords(name)
  const text = product.replaceAll('_', ' ')
  if (!given || addOnWords(text)) return false
  const theirs = new Set([...wordsOf(text), ...wordsOf(vendor)])
  const isCalledLikeIt = PLUGIN.test(name) && given.every((word) => isGeneric(word) || theirs.has(word))
  return !isCalledLikeIt || isHost({ vendor, product }) || lettersAndDigits(vendor) === lettersAndDigits(text)
}

function bySameWords(
  name: string,
  products: VendorProducts,
  { vendorWords }: Given,
): FoundProduct | undefined {
  for (const [at, part] of partsOfName(name).entries()) {
    const words = wordsOf(part)
    const plain = words.filter((word) => !isEdition(word))
    for (const spelled of [words, words.toSorted(), plain]) {
      const best = closest(words, products.byEssence.get(essence(spelled, vendorWords)) ?? [])
      if (best) return { ...pairOf(best), likely: SAME_WORDS - at / 50 }
    }
  }
  return undefined
}

/** `Drupal Core` is the product that is called like its vendor. */
function byVendorAlone(
  name: string,
  { all }: VendorProducts,
  { vendorWords }: Given,
): FoundProduct | undefined {
  const isSaid = (word: string) => isGeneric(word) || isEdition(word) || vendorWords.has(word)
  if (!wordsOf(name).every(isSaid)) return undefined
  const eponym = all.find(({ vendor, product }) => lettersAndDigits(vendor) === lettersAndDigits(product))
  return eponym && { ...pairOf(eponym), likely: SAME_INITIALS }
}

/** Of products that only generic words tell apart, the one with the fewest other words. */
function closest(words: readonly string[], products: readonly NamedProduct[]): NamedProduct | undefined {
  const given = new Set(words)
  const others = (it: NamedProduct) =>
    it.words.filter((word) => !given.has(word)).length +
    words.filter((word) => !it.words.includes(word)).length
  return products.toSorted((a, b) => others(a) - others(b))[0]
}

/** `EPMM` of a vendor with one product whose words begin so, and the other way round. */
function byInitials(name: string, { all }: VendorProducts, { vendorWords }: Given): FoundProduct | undefined {
  const words = own(wordsOf(withoutVersion(name)), vendorWords)
  const found = all.filter((it) => isAbbreviated(words, own(it.words, vendorWords)))
  const [only] = found
  return only && found.length === 1 ? { ...pairOf(only), likely: SAME_INITIALS } : undefined
}

function isAbbreviated(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length === 1 ? [a, b] : [b, a]
  const [letters = ''] = short
  return short.length === 1 && letters.length >= INITIALS_MIN && abbreviates(letters, long)
}

/** The one product whose name goes on where the given one ends. */
function byBeginning(
  name: string,
  { all }: VendorProducts,
  { vendorWords }: Given,
): FoundProduct | undefined {
  const part = partsOfName(name).at(0) ?? ''
  const given = own(wordsOf(part), vendorWords)
  if (lettersAndDigits(given.join('')).length < INITIALS_MIN) return undefined
  const longer = all.filter((it) => beginsWith(own(it.words, vendorWords), given))
  const [only] = longer
  if (only && longer.length === 1) return { ...pairOf(only), likely: BEGINS_SO }
  return undefined
}

/** The product of which the given one is a part: all its words are in the name, and no other's are that has more. */
function byMostWords(
  name: string,
  { all }: VendorProducts,
  { vendorWords, catalogue }: Given,
): FoundProduct | undefined {
  const given = new Set(own(wordsOf(partsOfName(name).at(0) ?? ''), vendorWords))
  const within = all
    .map((it) => ({ it, words: own(it.words, vendorWords) }))
    .filter(({ words }) => words.length > 0 && words.every((word) => given.has(word)))
    .toSorted((a, b) => b.words.length - a.words.length)
  const [most, next] = within
  if (!most || most.words.length === next?.words.length) return undefined
  const left = [...given].filter((word) => !most.it.words.includes(word))
  if (left.some(isCompanion)) return undefined
  const [only = ''] = most.words
  const isCoined = only.length >= COINED_LENGTH_MIN && left.length <= LEFT_MAX && catalogue.isCoined(only)
  return most.words.length > 1 || isCoined ? { ...pairOf(most.it), likely: HAS_ITS_WORDS } : undefined
}

const own = (words: readonly string[], vendorWords: ReadonlySet<string>): string[] =>
  words.filter((word) => !vendorWords.has(word) && !isGeneric(word))

const beginsWith = (words: readonly string[], beginning: readonly string[]): boolean =>
  beginning.length > 0 && beginning.every((word, at) => words[at] === word)

const pairOf = ({ vendor, product }: NamedProduct): { vendor: string; product: string } => ({
  vendor,
  product,
})
