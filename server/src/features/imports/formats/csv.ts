import { invalid } from '#platform/errors.ts'
import { unguarded } from '#platform/formats/csv.ts'
import {
  customCells,
  recordCells,
  toObservation,
  wrongs,
  type AssetRow,
  type Column,
} from '../columns/asset-row.ts'
import { csvRecords, type CsvCells, type CsvFault } from '../parsing/csv-records.ts'
import { headerAsSaid, headerByName, type Header } from '../columns/header.ts'
import { KeyCounts, KEYS_MAX } from '../columns/key-counts.ts'
import { isLansweeperReport } from '../inventories/lansweeper-header.ts'
import type { Format, Reading, ReadingTerms, Rejection, Row } from './format.ts'

/** A table, its cells separated by commas, semicolons, tabs or bars, whose header names its columns in any order. */
export const csv: Format = {
  kind: 'csv',
  sourceName: 'CSV import',
  recognises: (head) => !/^\s*(<|\{|\[\s*[[{\]])/.test(head) && !isLansweeperReport(head),
  read: readCsv,
}

const SHOWN_LENGTH = 40

async function* readCsv(
  content: AsyncIterable<Buffer>,
  terms: ReadingTerms,
): AsyncIterable<readonly Reading[]> {
  const distinct = distinctKeys()
  let header: Header | undefined
  for await (const records of csvRecords(content)) {
    const readings: Reading[] = []
    for (const record of records) {
      if (header === undefined) header = readHeader(record, terms)
      else if ('fault' in record) readings.push(faultOf(record, header))
      else {
        const reading = readRow(record, header, terms)
        readings.push('observation' in reading ? distinct(reading) : reading)
      }
    }
    yield readings
  }
  if (header === undefined) throw invalid('file', 'has no header line')
}

function readHeader(record: CsvCells | CsvFault, terms: ReadingTerms): Header {
  if ('fault' in record) throw invalid('header', `${record.fault}; is this a CSV file?`)
  const titles = titlesIn(record)
  if (titles.length === 1 && titles[0]?.includes('\r'))
    throw invalid('header', 'is followed by lone carriage returns, which do not end a line here')
  return terms.columns ? headerAsSaid(titles, terms.columns) : headerByName(titles, terms.ignoreUnknown)
}

/** The titles of the columns. Refuses what is no text. */
export function titlesIn({ sound, cells }: CsvCells): string[] {
  if (!sound || cells.some((cell) => cell.includes('\0'))) throw invalid('header', 'is not text in UTF-8')
  return cells.map((cell) => cell.trim())
}

function faultOf(record: CsvFault, header: Header): Rejection {
  const column = record.cell === undefined ? null : header[record.cell]
  return { line: record.line, field: column ?? 'row', message: record.fault }
}

function readRow(record: CsvCells, header: Header, terms: ReadingTerms): Reading {
  const { line } = record
  const row: Partial<Record<Column, string>> = {}
  for (const [i, column] of header.entries()) {
    const text = unguarded(record.cells[i] ?? '').trim()
    if (column === null || text === '') continue
    if (!record.sound && text.includes('\ufffd'))
      return { line, field: column, message: 'is not text in UTF-8' }
    row[column] = text
  }
  return checked(line, row, terms)
}

/** One rejection a row: the first thing wrong, and the names of the other columns at fault. */
function checked(line: number, row: AssetRow, terms: ReadingTerms): Reading {
  const [first, ...others] = wrongs(row, terms.now)
  if (first === undefined) {
    const [recorded, custom] = [recordCells(row, terms.currency), customCells(row)]
    const observation = toObservation(row, terms.now)
    return { line, observation, ...(recorded && { recorded }), ...(custom && { custom }) }
  }
  const value = row[first.field]
  const shown = value === undefined ? '' : `: ${JSON.stringify(value.slice(0, SHOWN_LENGTH))}`
  const also = others.length === 0 ? '' : ` (also wrong: ${others.map((wrong) => wrong.field).join(', ')})`
  return { line, field: first.field, message: `${first.why}${shown}${also}` }
}

/**
 * Rows that name the same asset, for example one row for each network card under one serial, stay apart as its first,
 * second … observation: no row overwrites another of its file. Rows that name one asset too many are rejected.
 */
export function distinctKeys(counts = new KeyCounts()): (row: Row) => Reading {
  return (row) => {
    const { line, observation } = row
    const key = observation.sourceKey
    const times = counts.count(key)
    if (times === undefined) return { line, field: key.slice(0, key.indexOf(':')), message: TOO_MANY_KEYS }
    // The number stands before the colon, where no cell can put one.
    return times === 1
      ? row
      : { ...row, observation: { ...observation, sourceKey: key.replace(':', `#${times}:`) } }
  }
}

const TOO_MANY_KEYS = `is beyond the ${KEYS_MAX} different assets that one file may name; split the file`
