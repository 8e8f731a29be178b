import { isIP } from 'node:net'
import { ranges, type Ranges } from './address-ranges.ts'

/** What an administrator admits beyond public addresses. Exactly one of `host` and `range` is set. */
export interface AddressException {
  readonly host?: string
  readonly range?: Ranges
  /** Set beside `range` when that is exactly one address. */
  readonly single?: string
  /** Absent: every port. */
  readonly port?: number
}

/**
 * Reads `CIDR`, `address` or `host`, each optionally with `:port`; an IPv6 address with a port stands in brackets,
 * `[fd00::/8]:8443`. Throws an Error that quotes the entry.
 */
export function parseException(entry: string): AddressException {
  const { what, port } = splitPort(entry)
  if (port !== undefined && !(port >= 1 && port <= 65_535)) throw malformed(entry)
  const exception = parseRange(what, entry) ?? parseHost(what, entry)
  return port === undefined ? exception : { ...exception, port }
}

/** The one spelling of an address (RFC 5952); undefined for anything else, an address with a zone included. */
export function canonicalAddress(text: string): string | undefined {
  const family = isIP(text)
  if (family === 4) return text
  if (family === 0 || text.includes('%')) return undefined
  return new URL(`http://[${text}]/`).hostname.slice(1, -1)
}

function splitPort(entry: string): { what: string; port?: number } {
  const bracketed = /^\[([^\]]*)\](?::(\d{1,5}))?$/.exec(entry)
  const plain = entry.split(':').length > 2 ? [entry, entry] : /^([^:[\]]*)(?::(\d{1,5}))?$/.exec(entry)
  const [, what, port] = bracketed ?? plain ?? []
  if (what === undefined) throw malformed(entry)
  return port === undefined ? { what } : { what, port: Number(port) }
}

function parseRange(what: string, entry: string): AddressException | undefined {
  const [text = '', prefix, ...rest] = what.split('/')
  const address = canonicalAddress(text)
  if (address === undefined) return undefined
  const bits = isIP(address) === 4 ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity
  if (rest.length > 0 || length > bits) throw malformed(entry)
  const range = ranges([[`${address}/${length}`, entry]])
  return length === bits ? { range, single: address } : { range }
}

const HOST = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/

function parseHost(what: string, entry: string): AddressException {
  const host = what.toLowerCase()
  // By the URL standard a name that ends in a number is an IPv4 address; this one is malformed.
  if (!HOST.test(host) || /(^|\.)\d+$/.test(host)) throw malformed(entry)
  return { host }
}

const malformed = (entry: string): Error =>
  new Error(`"${entry}" is neither a CIDR, an address nor a host name, each optionally with :port`)
