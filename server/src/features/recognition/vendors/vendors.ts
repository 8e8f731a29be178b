import { readFileSync } from 'node:fs'
import { once } from '#platform/once.ts'
import type { DeviceType } from '../device-types.ts'

/** A maker, in the spelling that answers use. */
export interface Vendor {
  readonly name: string
  /** Other spellings, as they stand in registries and in texts. */
  readonly also?: readonly string[]
  /** It is a part or a brand of this maker, or went apart from it: one key, a name of its own. */
  readonly as?: string
  /** What nearly all of its devices with a network address are. */
  readonly makes?: DeviceType
  /** It makes nothing else that has one. */
  readonly only?: true
  /** Its name in a text says nothing: it is a common word, or the maker of a part. */
  readonly silent?: true
}

/** One key for all spellings of a maker: `Hewlett-Packard Company`, `HP Inc.` and `HP` are one. */
export function vendorKey(name: string): string {
  const asked = remembered.get(name)
  if (asked !== undefined) return asked
  const key = keyOf(significant(name))
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  if (name.length <= NAME_MAX) remembered.set(name, key)
  return key
}

/** The same few names are asked about again and again. */
const remembered = new Map<string, string>()
const REMEMBERED_MAX = 4_096
const NAME_MAX = 64

const keyOf = (words: string): string =>
  keys().get(words) ?? keys().get(withoutRegion(words)) ?? joined().get(words.replaceAll(' ', '')) ?? words

/** What subsidiaries add to the name of their maker: `Siemens Schweiz AG`, `Panasonic Corporation of North America`. */
const withoutRegion = (words: string): string => words.replace(region, '')

const region = new RegExp(
  `( (${
    'of|the|north|south|latin|asia|pacific|emea|apac|america|americas|usa|us|uk|united states|united kingdom|canada|mexico|' +
    'brasil|brazil|europe|deutschland|germany|schweiz|suisse|switzerland|austria|österreich|france|italia|italy|' +
    'españa|espana|spain|portugal|polska|poland|nederland|netherlands|belgium|norge|norway|sverige|sweden|finland|' +
    'danmark|denmark|ireland|india|china|japan|korea|taiwan|singapore|malaysia|thailand|vietnam|australia|international'
  }))+$`,
)

/** The spelling that answers use; what is not known stays as it is. */
export function vendorName(name: string): string {
  return ownNames().get(wordsOf(name).join(' ')) ?? byKey().get(vendorKey(name))?.name ?? name.trim()
}

/** Whether it is a maker that `vendors.json` has. */
export const isKnownVendor = (name: string): boolean => byKey().has(vendorKey(name))

/** What nearly all devices of this maker are, where that can be said. */
export function usualType(name: string): DeviceType | undefined {
  return byKey().get(vendorKey(name))?.makes
}

export const vendors = once(
  () =>
    JSON.parse(readFileSync(new URL('../data/vendors.json', import.meta.url), 'utf8')) as readonly Vendor[],
)

/** Legal forms and words that half of all makers carry. */
const insignificant = new Set(
  (
    'ab ag and as bv co communication communications company corp corporation electronic electronics ' +
    'enterprise gmbh group holding holdings inc incorporated industries international kg limited llc ltd network ' +
    'networks nv oy plc pte pty sa sas spa srl system systems tech technologies technology the'
  ).split(' '),
)

const wordsOf = (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function significant(name: string): string {
  const words = wordsOf(name)
  return (words.filter((word) => !insignificant.has(word)).join(' ') || words.join(' ')).slice(0, 64)
}

const keys = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      vendors().flatMap(({ name, as, also = [] }) =>
        [name, ...also].map((each) => [significant(each), significant(as ?? name)]),
      ),
    ),
)
/** `D-Link`, `DLink` and `D Link`; `AT&T` and `ATT`. What is too short joined is another word. */
const joined = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      [...keys()]
        .map(([words, key]) => [words.replaceAll(' ', ''), key] as const)
        .filter(([word]) => word.length > 2),
    ),
)
const byKey = once(
  (): ReadonlyMap<string, Vendor> =>
    new Map(vendors().flatMap((vendor) => (vendor.as ? [] : [[significant(vendor.name), vendor] as const]))),
)
const ownNames = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      vendors().flatMap(({ name, as, also = [] }) =>
        as ? [name, ...also].map((each) => [wordsOf(each).join(' '), name] as const) : [],
      ),
    ),
)
