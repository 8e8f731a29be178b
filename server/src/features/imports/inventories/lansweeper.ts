import { invalid } from '#platform/errors.ts'
import { unguarded } from '#platform/formats/csv.ts'
import type { AssetColumn } from '../columns/asset-row.ts'
import { titlesIn } from '../formats/csv.ts'
import type { Format, Reading, ReadingTerms } from '../formats/format.ts'
import { csvRecords, type CsvCells } from '../parsing/csv-records.ts'
import { factsOf, isHostName, isVirtualHardware, told } from './values.ts'
import { readingOf, type FieldNames, type InventoryItem } from './inventory-item.ts'
import { isLansweeperReport, plainTitle } from './lansweeper-header.ts'

/**
 * A report of Lansweeper (on premises) as CSV: columns of tblAssets, tsysAssetTypes, tsysOS, tblAssetCustom and tblState
 * in any order. Columns that are not known here are left out.
 */
export const lansweeper: Format = {
  kind: 'lansweeper',
  sourceName: 'Lansweeper import',
  isInventory: true,
  recognises: isLansweeperReport,
  read: readReport,
}

async function* readReport(
  content: AsyncIterable<Buffer>,
  terms: ReadingTerms,
): AsyncIterable<readonly Reading[]> {
  let titles: readonly string[] | undefined
  for await (const records of csvRecords(content)) {
    const readings: Reading[] = []
    for (const record of records) {
      if (titles === undefined) {
        if ('fault' in record) throw invalid('header', record.fault)
        titles = titlesIn(record).map(plainTitle)
        if (!titles.includes('assetname'))
          throw invalid('header', 'has no AssetName: no report of Lansweeper')
      } else if ('fault' in record) readings.push({ line: record.line, field: 'row', message: record.fault })
      else readings.push(readRow(record, titles, terms))
    }
    yield readings
  }
  if (titles === undefined) throw invalid('file', 'has no header line')
}

function readRow({ line, cells, sound }: CsvCells, titles: readonly string[], terms: ReadingTerms): Reading {
  const found = new Map(titles.map((title, place) => [title, unguarded(cells[place] ?? '').trim()]))
  const torn = sound ? undefined : [...found].find(([, text]) => text.includes('\ufffd'))
  if (torn) return { line, field: torn[0], message: 'is not text in UTF-8' }
  const value = (...names: readonly string[]): string | undefined =>
    names.map((name) => found.get(name)).find((it) => it !== undefined && it !== '')
  const dates = datesIn(value)
  if ('why' in dates) return { line, field: dates.field, message: dates.why }
  const item = asset(value, dates)
  if (item === undefined) return { line, field: 'AssetName', message: 'is empty' }
  return readingOf(line, item, { now: terms.now, names })
}

type Value = (...names: readonly string[]) => string | undefined

const names: FieldNames = {
  name: 'AssetName',
  hostname: 'FQDN',
  serial: 'Serialnumber',
  ipAddress: 'IPAddress',
  macAddress: 'Mac',
  lastSeen: 'Lastseen',
  purchasedOn: 'PurchaseDate',
  warrantyEnds: 'Warrantydate',
  site: 'Location',
  state: 'Statename',
  owner: 'Contact',
}

function asset(value: Value, dates: Dates): InventoryItem | undefined {
  const name = value('assetname')
  if (name === undefined) return undefined
  const [vendor, model] = [value('manufacturer'), value('model')]
  const domain = value('domain')
  const fqdn = value('fqdn') ?? name
  return {
    key: `asset:${value('assetid', 'assetunique') ?? `${domain ?? ''}\\${name}`.toLowerCase()}`,
    row: told({
      name,
      hostname: isHostName(fqdn) && hasSystem(value('assettypename', 'assettype', 'type')) ? fqdn : undefined,
      serial: value('serialnumber', 'serial'),
      ipAddress: value('ipaddress', 'ip'),
      macAddress: value('mac', 'macaddress'),
      os: value('osname', 'operatingsystem', 'os', 'caption'),
      state: states.get(value('statename', 'state')?.toLowerCase() ?? ''),
      owner: value('contact'),
      department: value('department'),
      site: value('location'),
      orderNumber: value('ordernumber'),
      notes: value('comments', 'description'),
      ...dates,
    }),
    more: {
      ...told({ vendor, model }),
      ...(isVirtualHardware(vendor, model) && { assetType: 'virtual_machine' as const }),
      ...factsOf({
        lansweeperType: value('assettypename', 'assettype', 'type'),
        domain,
        lastUser: value('username', 'user'),
        assetTag: value('barcode', 'assettag'),
        firstSeen: value('firstseen'),
      }),
    },
  }
}

/** Of monitors and other things at a computer, the name is none of a host. */
const hasSystem = (type: string | undefined): boolean =>
  !/^(monitor|location|printer model|desk|keyboard|mouse|docking station|tape)/i.test(type ?? '')

const states: ReadonlyMap<string, string> = new Map([
  ['active', 'in_use'],
  ['stock', 'in_stock'],
  ['reserved', 'in_stock'],
  ['broken', 'in_repair'],
  ['in repair', 'in_repair'],
  ['sold', 'retired'],
  ['old', 'retired'],
  ['stolen', 'lost'],
])

type Dates = { readonly [C in 'lastSeen' | 'purchasedOn' | 'warrantyEnds']?: string | undefined }

function datesIn(value: Value): Dates | { readonly field: string; readonly why: string } {
  const found: Partial<Record<AssetColumn, string>> = {}
  for (const [column, titles] of dateColumns) {
    const text = value(...titles)
    if (text === undefined) continue
    const date = dateIn(text)
    if (date === undefined)
      return {
        field: names[column] ?? column,
        why: `may be two days, or none: ${JSON.stringify(text.slice(0, 40))}; let the report write it as 2026-03-31`,
      }
    found[column] = date
  }
  return found
}

const dateColumns: readonly (readonly [keyof Dates, readonly string[]])[] = [
  ['lastSeen', ['lastseen']],
  ['purchasedOn', ['purchasedate']],
  ['warrantyEnds', ['warrantydate', 'warrantyexpirationdate']],
]

/**
 * The day as `YYYY-MM-DD`. Reports write dates as the server's language does: the day before the month where there are
 * points, and where there are slashes either, which is told only by a number above 12.
 */
function dateIn(text: string): string | undefined {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(text)
  if (iso) return iso[0]
  const [, first = '', sign = '', second = '', year = ''] =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)/.exec(text) ?? []
  const [a, b] = [Number(first), Number(second)]
  if (year === '') return undefined
  const isDayFirst = sign === '.' || a > 12 || a === b
  if (!isDayFirst && b <= 12) return undefined
  const [day, month] = isDayFirst ? [a, b] : [b, a]
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
