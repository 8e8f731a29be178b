import { parseException } from '#platform/egress/address-exceptions.ts'
import { CELL_MAX, type CellAddresses } from '#platform/cells/cell.ts'
import { parseDatabaseUrl } from '#platform/database/address.ts'

/** How the texts of settings become values. Each throws an error that says what the text is not. */

export function text(value: string): string {
  return value
}

export function port(value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new Error(`not a port: ${value}`)
  return number
}

export function positive(value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1) throw new Error(`not a whole number above 0: ${value}`)
  return number
}

export function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}

/** Checks every item by parsing it; answers them as they are. */
export function each(items: readonly string[], parse: (item: string) => unknown): readonly string[] {
  items.forEach((item) => parse(item))
  return items
}

export function cidr(value: string): void {
  const { range, port: withPort } = parseException(value)
  if (!range || withPort !== undefined) throw new Error(`not an address or CIDR: ${value}`)
}

export function oneOf<T extends string>(allowed: readonly T[], value: string): T {
  const found = allowed.find((item) => item === value)
  if (!found) throw new Error(`not one of ${allowed.join(', ')}: ${value}`)
  return found
}

export function longEnough(value: string): string | undefined {
  if (value.length < 32) throw new Error('at least 32 characters')
  return value
}

export function httpUrl(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url) throw new Error(`not an address: ${value}`)
  if (!/^https?:$/.test(url.protocol)) throw new Error(`not an http or https address: ${value}`)
  return url.href.replace(/\/$/, '')
}

export function databaseUrl(value: string): string | undefined {
  parseDatabaseUrl(value)
  return value
}

export function smtpUrl(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('not an address such as smtp://user:password@host:587')
  return value
}

export function mailAddress(value: string): string | undefined {
  if (!/^[^\s@<>,]+@[^\s@<>,]+$/.test(value)) throw new Error(`not an e-mail address: ${value}`)
  return value
}

export function share(value: string): number {
  const number = Number(value)
  if (value.trim() === '' || !(number >= 0 && number <= 1)) throw new Error(`not from 0 to 1: ${value}`)
  return number
}

/** `name=value,name=value`, as W3C Baggage has it; the values are not shown in the error, they may be secret. */
export function headers(value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list(value).map((item) => {
      const [, name, encoded] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*)$/.exec(item) ?? []
      if (name === undefined || encoded === undefined) throw new Error('not name=value,name=value')
      return [name, decoded(encoded)]
    }),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new Error('a value is not percent-encoded')
  }
}

export function cellNumber(value: string): number {
  const cell = Number(value)
  if (!/^\d{1,3}$/.test(value) || cell > CELL_MAX) throw new Error(`not a whole number from 0 to ${CELL_MAX}`)
  return cell
}

export function cellAddresses(value: string): CellAddresses {
  return new Map(
    list(value).map((entry) => {
      const [cell = '', ...rest] = entry.split('=')
      return [cellNumber(cell), String(httpUrl(rest.join('=')))] as const
    }),
  )
}
