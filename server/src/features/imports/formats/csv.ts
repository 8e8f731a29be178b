import { invalid } from '#platform/errors.ts'
import { unguarded } from '#platform/csv.ts'
import type { Observation } from '#features/assets/observation.ts'
import { columns, toObservation, wrongs, type AssetRow, type Column } from '../asset-row.ts'
import { csvRecords, type CsvCells, type CsvFault } from '../csv-records.ts'
import type { Format, Reading, ReadingTerms, Rejection } from './format.ts'

/** A table whose header names columns of the asset export, or `hostname` and `serial`, in any order. */
export const csv: Format = {
  kind: 'csv',
  sourceName: 'CSV import',
  recognises: (head) => !head.trimStart().startsWith('<'),
  read: readCsv,
}

const SHOWN_LENGTH = 40

async function* readCsv(content: AsyncIterable<Buffer>, terms: ReadingTerms): AsyncIterable<Reading> {
  const distinct = repeatedKeys()
  let header: Header | undefined
  for await (const record of csvRecords(content)) {
    if (header === undefined) header = readHeader(record, terms)
    else if ('fault' in record) yield faultOf(record, header)
    else {
      const reading = readRow(record, header, terms)
      yield 'observation' in reading ? { ...reading, observation: distinct(reading.observation) } : reading
    }
  }
  if (header === undefined) throw invalid('file', 'has no header line')
}

/** What each cell of a row is; nothing for cells that are left out. */
type Header = readonly (Column | undefined)[]

function readHeader(record: CsvCells | CsvFault, terms: ReadingTerms): Header {
  if ('fault' in record) throw invalid('header', `${record.fault}; is this a CSV file?`)
  if (!record.sound || record.cells.some((cell) => cell.includes('\0')))
    throw invalid('header', 'is not text in UTF-8')
  const names = record.cells.map((cell) => cell.trim())
  refuseOtherSeparators(names)
  const header = names.map((name) => columns.find((column) => column === name))
  if (!terms.ignoreUnknown) refuseUnknown(names.filter((_, i) => header[i] === undefined))
  const twice = header.find((column, i) => column !== undefined && header.indexOf(column) !== i)
  if (twice !== undefined) throw invalid(twice, 'stands twice in the header')
  if (header.every((column) => column === undefined)) {
    throw invalid('header', `names none of the columns ${columns.join(', ')}`)
  }
  return header
}

function refuseOtherSeparators(names: readonly string[]): void {
  if (names.length > 1) return
  const used = [
    [';', 'semicolons'],
    ['\t', 'tabs'],
    ['\r', 'lone carriage returns, which do not end a line here'],
  ].find(([sign]) => names[0]?.includes(sign!))
  if (used) throw invalid('header', `is not separated by commas but by ${used[1]}`)
}

function refuseUnknown(unknown: readonly string[]): void {
  if (unknown.length === 0) return
  const named = unknown.map((name) => {
    const near = nearest(name)
    return near === undefined ? JSON.stringify(name) : `${JSON.stringify(name)} (did you mean ${near}?)`
  })
  throw invalid(
    unknown[0] || 'header',
    `unknown columns: ${named.join(', ')}; known are ${columns.join(', ')}. --ignore-unknown leaves others out`,
  )
}

/** The column that was probably meant: the same but for case and signs, or one name within the other. */
function nearest(name: string): Column | undefined {
  const plain = plainName(name)
  const same = columns.find((column) => plainName(column) === plain)
  if (same !== undefined || plain.length < 2) return same
  return columns.find((column) => {
    const known = plainName(column)
    return known.includes(plain) || (known.length >= 4 && plain.includes(known))
  })
}

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

function faultOf(record: CsvFault, header: Header): Rejection {
  const column = record.cell === undefined ? undefined : header[record.cell]
  return { line: record.line, field: column ?? 'row', message: record.fault }
}

function readRow(record: CsvCells, header: Header, terms: ReadingTerms): Reading {
  const { line } = record
  const row: Partial<Record<Column, string>> = {}
  for (const [i, column] of header.entries()) {
    const text = unguarded(record.cells[i] ?? '').trim()
    if (column === undefined || text === '') continue
    if (!record.sound && text.includes('\ufffd'))
      return { line, field: column, message: 'is not text in UTF-8' }
    row[column] = text
  }
  return checked(line, row, terms)
}

/** One rejection a row: the first thing wrong, and the names of the other columns at fault. */
function checked(line: number, row: AssetRow, terms: ReadingTerms): Reading {
  const [first, ...others] = wrongs(row, terms.now)
  if (first === undefined) return { line, observation: toObservation(row, terms.now) }
  const value = row[first.field]
  const shown = value === undefined ? '' : `: ${JSON.stringify(value.slice(0, SHOWN_LENGTH))}`
  const also = others.length === 0 ? '' : ` (also wrong: ${others.map((wrong) => wrong.field).join(', ')})`
  return { line, field: first.field, message: `${first.why}${shown}${also}` }
}

/**
 * Rows that name the same thing, for example one row for each network card under one serial, stay apart as its
 * first, second … sighting: no row overwrites another of its file.
 */
function repeatedKeys(): (observation: Observation) => Observation {
  const seen = new Map<string, number>()
  return (observation) => {
    const key = observation.sourceKey
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    // The number stands before the colon, where no cell can put one.
    return times === 1 ? observation : { ...observation, sourceKey: key.replace(':', `#${times}:`) }
  }
}
