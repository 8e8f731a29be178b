import { deviceVendors, products, vendors } from './vendor-and-product-aliases.ts'
import type { Catalogue } from './known-cpe-products.ts'
import { isHost, isHostOf, productsOfVendor } from './products-of-vendor.ts'
import { windowsProduct } from './windows-product.ts'
import {
  normalised,
  slug,
  lettersAndDigits,
  withoutLegalForm,
  withoutGenericWords,
  withoutVersion,
  withoutYear,
} from './text-normalisation.ts'

/** A candidate for the CPE vendor and product of a piece of software. */
export interface CpeCandidate {
  readonly vendor: string
  readonly product: string
  /** 0 to 1. */
  readonly score: number
}

const CANDIDATES_MAX = 5
const NAME_LENGTH_MAX = 512
/** Factor for a pair that the catalogue does not have. */
const UNKNOWN_PAIR = 0.25

/**
 * Guesses for a display name and its vendor, the likeliest first, each pair once. With a catalogue a pair that it has
 * is likelier, and its products are found under other spellings of their names and makers too.
 */
export function cpeCandidates(name: string, vendor: string, catalogue?: Catalogue): CpeCandidate[] {
  const firm = normalised(vendor.slice(0, NAME_LENGTH_MAX))
  const spelled = normalised(name.slice(0, NAME_LENGTH_MAX))
  const given = withoutVersion(spelled)
  const best = new Map<string, CpeCandidate>()
  const add = (cpeVendor: string, product: string, likely: number): void => {
    const pair = `${cpeVendor}:${product}`
    const isKnown = catalogue?.has(pair) ?? true
    const score = !catalogue ? likely : isKnown ? 0.5 + likely / 2 : likely * UNKNOWN_PAIR
    if (likely === 0 || cpeVendor === '' || product === '' || (best.get(pair)?.score ?? 0) >= score) return
    if (!isHostOf(spelled, { vendor: cpeVendor, product }))
      best.set(pair, { vendor: cpeVendor, product, score })
  }
  const alias = products.get(given) ?? products.get(withoutYear(given))
  const isOfBundle = repackagers.has(vendorOfBundle(firm) ?? '')
  if (alias && (firm === '' || isOfBundle || mayBeOf(firm, alias[0], given))) add(alias[0], alias[1], 0.98)
  const cpeVendors = vendorForms(firm, given)
  const short = withoutLegalForm(firm)
  if (GO.has(short)) add('golang', 'go', 0.97)
  const windows = cpeVendors[0]?.[0] === 'microsoft' || firm === '' ? windowsProduct(spelled) : undefined
  if (windows !== undefined) add('microsoft', windows, 0.97)
  for (const [cpeVendor, likely] of cpeVendors) {
    for (const [product, fits] of productForms(given, cpeVendor, firm)) add(cpeVendor, product, likely * fits)
  }
  if (catalogue) {
    for (const [cpeVendor, likely] of cpeVendors)
      for (const product of wholeForms(spelled, cpeVendor, firm))
        if (catalogue.has(`${cpeVendor}:${product}`)) add(cpeVendor, product, likely * WHOLE_NAME)
    for (const found of spelledOtherwise(given, { firm, cpeVendors, catalogue }))
      add(found.vendor, found.product, found.score)
    for (const found of productsOfVendor(spelled, [short, ...cpeVendors.map(([form]) => form)], catalogue))
      add(found.vendor, found.product, found.likely)
  }
  if (best.size === 0) add(slug(short), slug(spelled), UNKNOWN_PAIR)
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, CANDIDATES_MAX)
}

/** Packages of Go's own library are the release of Go that they came with. */
const GO: ReadonlySet<string> = new Set(['go standard library', 'go toolchain'])

/** A product with the name of a known one by another vendor is a different product. */
function mayBeOf(firm: string, vendor: string, name: string): boolean {
  const short = withoutLegalForm(firm)
  const spelled = vendors.get(short) ?? slug(short)
  return (
    spelled === vendor ||
    lettersAndDigits(firm).includes(lettersAndDigits(vendor)) ||
    name.startsWith(`${vendor} `)
  )
}

type Forms = readonly (readonly [form: string, likely: number])[]

function vendorForms(firm: string, name: string): Forms {
  if (firm === '') {
    const [first = ''] = name.split(' ')
    return [
      [lettersAndDigits(name) === name ? name : slug(name), 0.6],
      [slug(first), 0.4],
    ]
  }
  const cpeVendor = vendorOfBundle(firm)
  if (cpeVendor !== undefined && repackagers.has(cpeVendor)) return vendorForms('', name)
  const domain =
    cpeVendor ?? /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+)\.(?:com|org|net|io|de|dev)\/?$/.exec(firm)?.[1]
  const short = withoutLegalForm(domain ?? firm).replace(/^the\s+/, '')
  const known = vendors.get(short) ?? vendors.get(firm)
  if (known !== undefined) return [[known, 0.98]]
  const loose = withoutGenericWords(short)
  const forms: (readonly [string, number])[] = [[slug(short), short.includes(' ') ? 0.72 : 0.9]]
  if (short.includes(' ')) forms.push([lettersAndDigits(short), 0.78])
  if (loose !== short) forms.push([slug(loose), 0.8], [lettersAndDigits(loose), 0.75])
  return forms
}

/**
 * macOS reports no vendor but a bundle identifier, which begins with a reversed domain name:
 * `org.mozilla.firefox`.
 */
function vendorOfBundle(firm: string): string | undefined {
  return /^(?:com|org|net|io|app|ai|dev|co|me|tv|us|eu|de|fr|uk|nl|ch|jp|cn)\.([a-z0-9-]+)(?:\.[\w.-]+)?$/.exec(
    firm,
  )?.[1]
}

/** Bundle prefixes of repackagers, which say nothing of the vendor. */
const repackagers: ReadonlySet<string> = new Set([
  'todesktop',
  'electron',
  'github',
  'osx',
  'macos',
  'mac',
  'example',
])

function productForms(name: string, cpeVendor: string, firm: string): Forms {
  const short = withoutAsides(name)
  const bare = withoutVendorName(short, cpeVendor, firm)
  const isKnownVendor = [...vendors.values()].includes(cpeVendor)
  const forms: (readonly [string, number])[] = [
    [slug(bare), bare === short || isKnownVendor ? 0.95 : 0.88],
    [slug(short), 0.87],
  ]
  const yearless = withoutYear(bare)
  if (yearless !== bare) forms.push([slug(yearless), cpeVendor === 'microsoft' ? 0.97 : 0.8])
  if (deviceVendors.has(cpeVendor) && MODEL.test(bare)) forms.push([`${slug(bare)}_firmware`, 0.98])
  return forms
}

/** Likelier than any part of the name. */
const WHOLE_NAME = 0.99

/** With the system that it is for and what stands behind a dash, which are left out otherwise. */
function wholeForms(spelled: string, cpeVendor: string, firm: string): readonly string[] {
  const parts = withoutVendorName(withoutAsides(spelled), cpeVendor, firm)
    .split(/\s+-\s+/)
    .map(slug)
  return [...new Set(['_', '-', '_-_'].map((between) => parts.join(between)))]
}

const MODEL = /^[a-z]{1,6}-?[a-z]{0,3}\d+[a-z0-9+-]*(?: ?(?:v\d|pro|plus))?$/

/** A vendor name without abbreviations in brackets and repository owners. */
function withoutAsides(name: string): string {
  const text = name
    .replaceAll(/\s*[([][^()[\]]*[)\]]/g, ' ')
    .replace(/^[\w.-]+\/(?=[\w.-]+$)/, '')
    .replace(/^the\s+/, '')
    .replace(/\s+(?:plugin|theme|router|routers|switches|gateway appliance|series|firmware)$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text === '' ? name : text
}

/** `Apache Tomcat` of Apache is `tomcat`; a product named like its vendor keeps its name. */
function withoutVendorName(name: string, cpeVendor: string, firm: string): string {
  for (const prefix of [withoutLegalForm(firm), cpeVendor.replaceAll('_', ' '), cpeVendor]) {
    if (prefix !== '' && name.startsWith(`${prefix} `)) return name.slice(prefix.length + 1).trim()
  }
  return name
}

/**
 * Products of the catalogue with the same letters and digits whose vendor agrees with the given one, or whose name
 * nobody else would have come upon.
 */
function spelledOtherwise(
  name: string,
  {
    firm,
    cpeVendors,
    catalogue,
  }: { readonly firm: string; readonly cpeVendors: Forms; readonly catalogue: Catalogue },
): CpeCandidate[] {
  const forms = new Set(
    cpeVendors.flatMap(([cpeVendor]) => productForms(name, cpeVendor, firm).map(([product]) => product)),
  )
  return [...forms].flatMap((form) => {
    const letters = lettersAndDigits(form)
    const found = catalogue.spelledLike(letters)
    return found.map(({ vendor, product }) => ({
      vendor,
      product,
      score: agreement(lettersAndDigits(vendor), {
        firm: lettersAndDigits(firm),
        product: letters,
        isOnly: found.length === 1,
        isCoined:
          firm === '' || (!isFirm(firm) && !isHost({ vendor, product }) && catalogue.isCoined(product)),
      }),
    }))
  })
}

/** A company makes its own product, whatever that is called; people and projects may be in the catalogue as something else. */
const isFirm = (firm: string): boolean => withoutLegalForm(firm) !== firm

const COMPARED_LENGTH_MIN = 4
const NAMED_SO_LENGTH_MIN = 5
const DISTINCTIVE_LENGTH_MIN = 8

/** Whether the vendor given by a source is the vendor of the CPE dictionary; false when the source gives none. */
export function isVendorNamed(vendor: string, cpeVendor: string): boolean {
  const firm = normalised(vendor.slice(0, NAME_LENGTH_MAX))
  const ofBundle = vendorOfBundle(firm)
  if (firm === '' || (ofBundle !== undefined && repackagers.has(ofBundle))) return false
  if (vendorForms(firm, '').some(([form]) => form === cpeVendor)) return true
  return (
    agreement(lettersAndDigits(cpeVendor), {
      firm: lettersAndDigits(ofBundle ?? firm),
      product: '',
      isOnly: false,
      isCoined: false,
    }) > 0
  )
}

/** Whether a display name contains the vendor besides the product: `Google Chrome`, but not `git` of git. */
export function isVendorInName(name: string, cpeVendor: string, product: string): boolean {
  const words = withoutVersion(normalised(name.slice(0, NAME_LENGTH_MAX))).split(/[^a-z0-9]+/)
  return (
    cpeVendor !== product &&
    lettersAndDigits(cpeVendor) !== lettersAndDigits(product) &&
    words.includes(lettersAndDigits(cpeVendor))
  )
}

/** Whether a product name is too long to be shared by several vendors by chance. */
export const isDistinctiveName = (product: string): boolean =>
  lettersAndDigits(product).length >= DISTINCTIVE_LENGTH_MIN

interface Compared {
  readonly firm: string
  readonly product: string
  readonly isOnly: boolean
  /** Whether the product's name is unlikely to be given twice: another vendor of such a name is the same one. */
  readonly isCoined: boolean
}

/** 0 to 1: how likely the catalogue's vendor is the given one. */
function agreement(vendor: string, { firm, product, isOnly, isCoined }: Compared): number {
  if (vendor === firm) return 0.92
  const isPart =
    vendor.length >= COMPARED_LENGTH_MIN &&
    (firm.includes(vendor) || vendor.includes(firm)) &&
    firm.length >= COMPARED_LENGTH_MIN
  if (isPart) return 0.85
  const isNamedSo = vendor === product || vendor === `${product}project`
  if (!isCoined && !(isNamedSo && product.length >= DISTINCTIVE_LENGTH_MIN)) return 0
  if (isOnly && product.length >= DISTINCTIVE_LENGTH_MIN) return isNamedSo ? 0.7 : 0.55
  return isNamedSo && product.length >= (firm === '' ? COMPARED_LENGTH_MIN : NAMED_SO_LENGTH_MIN) ? 0.5 : 0
}
