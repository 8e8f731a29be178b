import ipaddr from 'ipaddr.js'
import { oidText, type Oid } from './oid.ts'
import type { Value } from './pdu.ts'

const TEXT_LENGTH_MAX = 1_024

/**
 * DisplayString and SnmpAdminString: UTF-8, or Latin-1 where it is none. Without control characters, which agents leave
 * at the end or between lines; undefined when nothing is left.
 */
export function text(value: Value | undefined, lengthMax = TEXT_LENGTH_MAX): string | undefined {
  if (typeof value === 'number') return String(value)
  if (!Buffer.isBuffer(value)) return undefined
  const bytes = value.subarray(0, lengthMax * 4)
  const utf8 = bytes.toString('utf8')
  const read = utf8.includes('\ufffd') ? bytes.toString('latin1') : utf8
  const clean = read
    // oxlint-disable-next-line no-control-regex -- they are what is taken out
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')
    .replaceAll(/[\r\n\t]+/g, '\n')
    .trim()
    .slice(0, lengthMax)
  return clean === '' ? undefined : clean.toWellFormed()
}

/** In one line. */
export const line = (value: Value | undefined, lengthMax = 255): string | undefined =>
  text(value, lengthMax)?.replaceAll('\n', ' ')

export const number = (value: Value | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined

export const oidOf = (value: Value | undefined): Oid | undefined =>
  Array.isArray(value) ? (value as Oid) : undefined

export const oidTextOf = (value: Value | undefined): string | undefined => {
  const arcs = oidOf(value)
  return arcs && oidText(arcs)
}

/** Six octets, with colons; undefined for anything else, and for nothing but zeroes. */
export function mac(value: Value | undefined | readonly number[]): string | undefined {
  const bytes = Buffer.isBuffer(value) ? value : Array.isArray(value) ? Buffer.from(value) : undefined
  if (bytes?.length !== 6 || bytes.every((octet) => octet === 0)) return undefined
  return bytes.toString('hex').replace(/(..)(?!$)/g, '$1:')
}

/** Four or sixteen octets; undefined for anything else. */
export function address(bytes: Buffer | readonly number[]): string | undefined {
  if (bytes.length !== 4 && bytes.length !== 16) return undefined
  const octets = [...bytes]
  if (octets.some((octet) => octet < 0 || octet > 255)) return undefined
  const read = ipaddr.fromByteArray(octets)
  return read.kind() === 'ipv6' ? (read as ipaddr.IPv6).toRFC5952String() : read.toString()
}

/** InetAddressType and InetAddress at the front of an index: ipv4 1, ipv6 2, with zone 3 and 4 (RFC 4001). */
export function inetAddress(index: Oid): string | undefined {
  const [type = 0, length = 0, ...bytes] = index
  if (type < 1 || type > 4) return undefined
  return address(bytes.slice(0, Math.min(length, type % 2 === 1 ? 4 : 16)))
}

/** DateAndTime (RFC 2579): year, month, day, hour, minute, second, and from UTC. */
export function dateAndTime(value: Value | undefined): Date | undefined {
  if (!Buffer.isBuffer(value) || (value.length !== 8 && value.length !== 11)) return undefined
  const [, , month = 0, day = 0, hour = 0, minute = 0, second = 0, , sign = 43, hours = 0, minutes = 0] =
    value
  const offset = (hours * 60 + minutes) * (sign === 45 ? -1 : 1)
  const at = new Date(Date.UTC(value.readUInt16BE(0), month - 1, day, hour, minute - offset, second))
  return at.getTime() > 0 && at.getUTCFullYear() < 2200 ? at : undefined
}

/** An object without what is undefined. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
