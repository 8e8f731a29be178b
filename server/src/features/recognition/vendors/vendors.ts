import { readFileSync } from 'node:fs'
import { once } from '#platform/once.ts'
import type { DeviceType } from '../device-types.ts'

/** A maker, in the spelling that answers use. */
export interface Vendor {
  readonly name: string
  /** Other spellings, as they stand in registries and in texts. */
  readonly also?: readonly string[]
  /** What nearly all of its devices with a network address are. */
  readonly makes?: DeviceType
  /** It makes nothing else that has one. */
  readonly only?: true
  /** Its name in a text says nothing: it is a common word, or the maker of a part. */
  readonly silent?: true
}

/** One key for all spellings of a maker: `Hewlett-Packard Company`, `HP Inc.` and `HP` are one. */
export function vendorKey(name: string): string {
  const words = significant(name)
  return keys().get(words) ?? words
}

/** The spelling that answers use; what is not known stays as it is. */
export function vendorName(name: string): string {
  return byKey().get(vendorKey(name))?.name ?? name.trim()
}

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

function significant(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return (words.filter((word) => !insignificant.has(word)).join(' ') || words.join(' ')).slice(0, 64)
}

const keys = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      vendors().flatMap(({ name, also = [] }) =>
        [name, ...also].map((each) => [significant(each), significant(name)]),
      ),
    ),
)
const byKey = once(
  (): ReadonlyMap<string, Vendor> => new Map(vendors().map((vendor) => [significant(vendor.name), vendor])),
)
