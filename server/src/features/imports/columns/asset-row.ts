import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { hasControlCharacter } from '#platform/validation/control-characters.ts'
import type { RecordField } from '#features/records/values/asset-record.ts'
import type { AssetType, Identifier, Observation } from '#features/assets/observation.ts'
import { isoDay, plainAmount } from './local-formats.ts'

/** What is recorded of the asset, and the path of the place where it is. */
export const recordColumns = [
  'owner',
  'department',
  'costCentre',
  'site',
  'state',
  'purchasedOn',
  'price',
  'currency',
  'supplier',
  'orderNumber',
  'warrantyEnds',
  'leaseEnds',
  'replaceOn',
  'hardwareEol',
  'approved',
  'externallyScannedOn',
  'notes',
] as const satisfies readonly (RecordField | 'site')[]
export type RecordColumn = (typeof recordColumns)[number]
export type CustomCells = Readonly<Record<CustomColumn, string>>
export type RecordCells = Readonly<Partial<Record<RecordColumn, string>>>

/** The columns of the asset export, two that identify, what it was made as, and those of the record. */
export const columns = [
  'id',
  'name',
  'assetType',
  'ipAddress',
  'macAddress',
  'os',
  'riskScore',
  'lastSeen',
  'tags',
  'hostname',
  'serial',
  'vendor',
  'model',
  ...recordColumns,
] as const
export type AssetColumn = (typeof columns)[number]
/** A custom field of the tenant, by its key. Whether there is one is found out when rows are taken. */
export type CustomColumn = `custom.${string}`
export type Column = AssetColumn | CustomColumn

const CUSTOM = /^custom\.[\p{L}\p{N}_]{1,120}$/u
export const isCustom = (title: string): title is CustomColumn => CUSTOM.test(title)

/** Cells that are not empty, by column. */
export type AssetRow = Readonly<Partial<Record<Column, string>>>

export interface Wrong {
  readonly field: Column
  readonly why: string
}

/** As much as an observation may hold. */
export const LENGTH_MAX: Readonly<Partial<Record<Column, number>>> = {
  name: 1_024,
  os: 1_024,
  hostname: 255,
  serial: 255,
  vendor: 255,
  model: 255,
}
const KEY_LENGTH_MAX = 512
const TAG_LENGTH_MAX = 255
const TAGS_MAX = 100
const RISK_SCORE_MAX = 100
/** Clocks differ a little: this much later than now is now. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000

/** The cells of custom fields, by column; undefined when the row has none. */
export function customCells(row: AssetRow): CustomCells | undefined {
  const cells = Object.entries(row).filter(([column]) => isCustom(column))
  return cells.length === 0 ? undefined : (Object.fromEntries(cells) as CustomCells)
}

/** How cells are read that spreadsheets write as their country does. */
const readings: Readonly<Partial<Record<RecordColumn, (text: string) => string>>> = {
  purchasedOn: isoDay,
  warrantyEnds: isoDay,
  leaseEnds: isoDay,
  replaceOn: isoDay,
  hardwareEol: isoDay,
  externallyScannedOn: isoDay,
  price: plainAmount,
}

/** The cells of the record; undefined when the row has none. A price that comes without a currency is in the one given. */
export function recordCells(row: AssetRow, currency?: string): RecordCells | undefined {
  const cells = recordColumns.flatMap((column) => {
    const text = row[column]
    return text === undefined ? [] : [[column, readings[column]?.(text) ?? text] as const]
  })
  if (cells.length === 0) return undefined
  const isPriced = row.price !== undefined && row.currency === undefined
  return { ...Object.fromEntries(cells), ...(isPriced && currency !== undefined && { currency }) }
}

/** What is wrong with the row, column by column; empty when it is an observation. */
export function wrongs(row: AssetRow, now: Date): Wrong[] {
  const found: Wrong[] = []
  for (const field of columns) {
    const why = row[field] === undefined ? undefined : wrongWith(field, row[field], now)
    if (why !== undefined) found.push({ field, why })
  }
  if (found.length === 0 && keyOf(row) === undefined) {
    const why =
      'nothing tells which thing this row is about: give id, serial, macAddress, hostname, ipAddress or name'
    found.push({ field: 'name', why })
  }
  return found
}

/**
 * The observation that a row without wrongs makes. Its risk score is computed here, so the column is left out; its
 * type is judged where it is stored.
 */
export function toObservation(row: AssetRow, now: Date): Observation {
  const { name, os, vendor, model, tags } = row
  return {
    sourceKey: keyOf(row)!,
    seenAt: row.lastSeen === undefined ? now : earlier(parseInstant(row.lastSeen)!, now),
    identifiers: identifiersOf(row),
    ...(row.id !== undefined && { assetId: row.id.toLowerCase() }),
    ...(row.assetType !== undefined && { assetType: row.assetType as AssetType }),
    ...(name !== undefined && { name }),
    ...(os !== undefined && { os }),
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    ...(tags !== undefined && { tags: splitTags(tags) }),
  }
}

/**
 * The strongest thing that the row says about which thing it is, so that the same row of tomorrow's file is the
 * same sighting.
 */
function keyOf(row: AssetRow): string | undefined {
  if (row.id !== undefined) return `asset:${row.id.toLowerCase()}`
  if (row.serial !== undefined) return `serial:${row.serial.toLowerCase()}`
  if (row.macAddress !== undefined) return `mac:${canonicalMac(row.macAddress)}`
  if (row.hostname !== undefined) return `hostname:${row.hostname.toLowerCase()}`
  if (row.ipAddress !== undefined) return `ip:${canonicalIp(row.ipAddress)}`
  if (row.name === undefined) return undefined
  const key = `name:${row.name.toLowerCase()}`
  return key.length <= KEY_LENGTH_MAX ? key : `name:${hash('sha256', key)}`
}

function identifiersOf(row: AssetRow): Identifier[] {
  const found: Identifier[] = []
  if (row.serial !== undefined) found.push({ type: 'serial', value: row.serial })
  if (row.macAddress !== undefined) found.push({ type: 'mac', value: canonicalMac(row.macAddress) })
  if (row.hostname !== undefined) found.push({ type: 'hostname', value: row.hostname })
  if (row.ipAddress !== undefined) found.push({ type: 'ip', value: canonicalIp(row.ipAddress) })
  return found
}

function wrongWith(column: Column, text: string, now: Date): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character'
  if (column !== 'notes' && hasControlCharacter(text))
    return 'holds a control character, such as a line break or an escape'
  const lengthMax = LENGTH_MAX[column] ?? Infinity
  if (text.length > lengthMax) return `is longer than ${lengthMax} characters`
  return rules[column]?.(text, now)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MAC = /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$|^[0-9a-f]{12}$/i
const HOSTNAME = /^[^\s\p{C}]+$/u
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

type Rule = (text: string, now: Date) => string | undefined
const unless = (fits: boolean, why: string): string | undefined => (fits ? undefined : why)

const rules: Readonly<Partial<Record<Column, Rule>>> = {
  id: (text) => unless(UUID.test(text), 'is not a UUID'),
  ipAddress: (text) => unless(isIP(text) !== 0 && !text.includes('%'), 'is not an IPv4 or IPv6 address'),
  macAddress: (text) => unless(MAC.test(text), 'is not a MAC address; write it like 00:1b:21:0a:0b:0c'),
  riskScore: (text) =>
    unless(
      NUMBER.test(text) && Number(text) >= 0 && Number(text) <= RISK_SCORE_MAX,
      `is not a number from 0 to ${RISK_SCORE_MAX}`,
    ),
  lastSeen: (text, now) => {
    const seen = parseInstant(text)
    if (seen === undefined)
      return 'is not a time; write it like 2026-03-31T09:30:00Z (RFC 3339), or 2026-03-31'
    if (seen.getTime() < 0) return 'lies before 1970'
    return unless(seen.getTime() <= now.getTime() + CLOCK_DIFFERENCE_MS, 'lies in the future')
  },
  hostname: (text) => unless(HOSTNAME.test(text), 'is not a host name'),
  tags: (text) => {
    const tags = splitTags(text)
    if (tags.length > TAGS_MAX) return `are more than ${TAGS_MAX}`
    return unless(
      tags.every((tag) => tag.length <= TAG_LENGTH_MAX),
      `hold one of more than ${TAG_LENGTH_MAX} characters`,
    )
  },
}

/** Six octets in lower case, joined by colons. */
function canonicalMac(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .match(/../g)!
    .join(':')
}

const canonicalIp = (text: string): string => ipaddr.process(text).toString()

const splitTags = (text: string): string[] => [
  ...new Set(
    text
      .split(';')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
]

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d)))?$/

/** RFC 3339, section 5.6, or a date alone, which is its first moment in UTC. Nothing for days that do not exist. */
function parseInstant(text: string): Date | undefined {
  const parts = INSTANT.exec(text)
  if (!parts) return undefined
  const [year = 0, month = 0, day = 0, ...time] = parts.slice(1).map((part) => Number(part ?? 0))
  const [hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = time
  const dayExists =
    day >= 1 && month >= 1 && month <= 12 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  const timeExists = hour < 24 && minute < 60 && second <= 60 && offsetHour < 24 && offsetMinute < 60
  if (!dayExists || !timeExists) return undefined
  // JavaScript has no name for a leap second: it counts as the one before.
  return new Date(
    text
      .replace(' ', 'T')
      .replace(/:60(?=[.Zz+-])/, ':59')
      .toUpperCase(),
  )
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
