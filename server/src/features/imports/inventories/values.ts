import { isIP } from 'node:net'
import type { Json } from '#features/assets/observation.ts'
import { shortened } from '#platform/validation/shortened.ts'
import { isObject, objectAt, textAt, type Fields } from '../parsing/json-document.ts'

/** Values as inventories of others write them. */

/** Of an object such as `{"id": 3, "name": "Oslo"}` under the key. */
export const nameAt = (from: Fields, key: string): string | undefined => textAt(objectAt(from, key), 'name')

/** The product's own number or name of a thing; empty when there is none. */
export function idOf(from: Fields): string {
  const { id } = from
  return typeof id === 'number' ? String(id) : (textAt(from, 'id') ?? '')
}

/** Without what was not told. */
export const told = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** As facts of an observation; absent when nothing was told. */
export function factsOf(fields: Readonly<Record<string, Json | undefined>>): {
  facts?: Readonly<Record<string, Json>>
} {
  const facts = told(fields) as Record<string, Json>
  return Object.keys(facts).length === 0 ? {} : { facts }
}

/** A name that DNS would take: letters, digits, dashes and dots, with a letter among them. */
export const isHostName = (text: string): boolean =>
  text.length <= 255 &&
  /[a-z]/i.test(text) &&
  /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i.test(text)

/** `10.0.0.1/24` is `10.0.0.1`; undefined for what is no address. */
export function addressIn(text: string | undefined): string | undefined {
  const address = text?.split('/')[0] ?? ''
  return isIP(address) === 0 ? undefined : address
}

/** The later of some times of RFC 3339; what is no time is passed over. */
export function latest(...times: readonly (string | undefined)[]): string | undefined {
  const known = times.filter((it) => it !== undefined && !Number.isNaN(Date.parse(it)))
  return known.toSorted((a, b) => Date.parse(b ?? '') - Date.parse(a ?? ''))[0]
}

/** Text and numbers of an object that people defined, such as custom fields. */
export function plainValues(from: unknown): Record<string, string> | undefined {
  if (!isObject(from)) return undefined
  const found = Object.entries(from).flatMap(([key, value]) => {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    return typeof text === 'string' && text !== '' ? [[key, shortened(text, VALUE_LENGTH_MAX)] as const] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found.slice(0, VALUES_MAX))
}

const VALUE_LENGTH_MAX = 500
const VALUES_MAX = 50

/** Hardware that a hypervisor makes up. A KVM switch is none: of those two the whole name is compared. */
export const isVirtualHardware = (...names: readonly (string | undefined)[]): boolean =>
  names.some((it) => VIRTUAL.test(it?.trim() ?? ''))

const VIRTUAL = /vmware|virtualbox|innotek|qemu|bochs|parallels|virtual machine|^(kvm|xen)$|^xen\b.*hvm/i
