import { lettersAndDigits, normalised, withoutVersion, withoutYear } from './text-normalisation.ts'

/** Names of products as words, to compare a display name with a name of the CPE dictionary. */

/** Say what kind of software it is, not which: dropped when nothing but them differs. */
const GENERIC = new Set(
  (
    'software firmware platform system app application library framework project cms suite appliance package ' +
    'product series edition module component basic standard version plugin kit full certain'
  ).split(' '),
)
/** Editions of one product. */
const EDITION = new Set('free pro lite premium basic core professional enterprise community plus'.split(' '))
/** What comes beside a product and has versions of its own. */
const COMPANION = new Set(
  (
    'update updater helper service sdk api language pack runtime redistributable documentation doc help sample ' +
    'uninstaller launcher agent viewer tool utility widget theme template manager mui proofing telemetry icon font'
  ).split(' '),
)
const LINKING = new Set('a an and the of for with by in on to from as n y'.split(' '))
const SPELLED: ReadonlyMap<string, string> = new Map([
  ['wp', 'wordpress'],
  ['woo', 'woocommerce'],
  ['catalogue', 'catalog'],
  ['centre', 'center'],
  ['licence', 'license'],
  ['colour', 'color'],
  ['vm', 'virtual machine'],
  ['db', 'database'],
  ['mgmt', 'management'],
])

/** `WP Labels & the Plugins` is `wordpress`, `label`, `plugin`. */
export function wordsOf(name: string): string[] {
  return normalised(name)
    .split(/[^a-z0-9\u0080-\uffff]+/)
    .flatMap((word) => (SPELLED.get(word) ?? word).split(' '))
    .map(singular)
    .filter((word) => word !== '' && !LINKING.has(word))
}

const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !/(?:ss|us|is|os)$/.test(word) ? word.slice(0, -1) : word

export const isGeneric = (word: string): boolean => GENERIC.has(word)
export const isCompanion = (word: string): boolean => COMPANION.has(word)
export const isEdition = (word: string): boolean => EDITION.has(word)

/** What is left to tell a product from the others of its vendor, in one piece: `substance 3d` is `Substance3D`. */
export function essence(words: readonly string[], vendorWords: ReadonlySet<string> = new Set()): string {
  const named = words.filter((word) => !isGeneric(word))
  const own = named.filter((word) => !vendorWords.has(word))
  return lettersAndDigits((own.length > 0 ? own : named).join(''))
}

/** What may be the product's whole name in a display name, the likeliest first; versions are left out. */
export function partsOfName(name: string): string[] {
  const [head = '', ...tails] = name.split(PARTS).map((part) => withoutVersion(part.trim()))
  const bracketed = /\(([^()]{3,})\)/.exec(name)?.[1]
  const plain = head.replaceAll(/\s*\([^()]*\)/g, ' ').trim()
  const asides = [/\s+(?:for|by|with|formerly)\s.*$/, /\s+(?:and|&)\s.*$/].map((it) => plain.replace(it, ''))
  const whole = [head, ...tails].join(' ')
  const all = [whole, plain, ...asides, withoutYear(plain), bracketed ?? '', ...tails]
  return [...new Set(all)].filter((it) => it !== '')
}

const PARTS = /\s+[-|/]\s+|:\s|[.,;]\s/

/**
 * Whether letters stand for words: their first letters in order, with letters from within a word between them, as
 * `EPMM` for `Endpoint Manager Mobile`.
 */
export function abbreviates(letters: string, words: readonly string[]): boolean {
  if (words.length < 2 || letters.length > 2 * words.length) return false
  let at = 0
  for (const [position, word] of words.entries()) {
    if (letters[at] !== word[0]) return false
    at++
    const next = words[position + 1]?.[0]
    for (let inside = 1; at < letters.length && letters[at] !== next; at++) {
      inside = word.indexOf(letters[at] ?? '', inside) + 1
      if (inside === 0) return false
    }
  }
  return at === letters.length
}

const ADD_ON = /\b(?:plug-?in|add-?on|add-?in|extension|driver|connector|toolbar|guest addition)s?\b/
/** Taglines of programs say plugin as well. */
const ADD_ON_IN_TAGLINE = /\b(?:add-?on|add-?in|extension|driver|connector)\b/

/** The words of something for another program, whose name it bears too; undefined for what is none. */
export function addOnWords(name: string): readonly string[] | undefined {
  const [head = name] = name.split(PARTS)
  if (ADD_ON.test(head)) return wordsOf(head).filter((word) => !ADD_ON.test(word))
  return ADD_ON_IN_TAGLINE.test(name) ? wordsOf(name).filter((word) => !ADD_ON.test(word)) : undefined
}
