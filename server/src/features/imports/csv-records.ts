import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'

/** A record has at most this many bytes and lines; a quote that is never closed would swallow the file. */
export const RECORD_BYTES_MAX = 1_048_576
export const RECORD_LINES_MAX = 1_000

export type CsvRecord = CsvCells | CsvFault

export interface CsvCells {
  readonly line: number
  readonly cells: readonly string[]
  /** False when bytes were not UTF-8; they stand in the cells as U+FFFD. */
  readonly sound: boolean
}

export interface CsvFault {
  readonly line: number
  /** Which cell, from 0, when the fault lies in one. */
  readonly cell?: number
  readonly fault: string
}

/**
 * Records of CSV (RFC 4180) with the physical line on which each begins. Every record has as many cells as the
 * first. A line at which no record can begin is a fault, and reading goes on with the very next line: one stray
 * quote costs one row, not the rest of the file. Blank lines are no records.
 */
export async function* csvRecords(content: AsyncIterable<Buffer>): AsyncIterable<CsvRecord> {
  const pending: Line[] = []
  let width: number | undefined
  for await (const line of physicalLines(content)) {
    if (line !== undefined) pending.push(line)
    let record: CsvRecord | undefined
    while ((record = takeRecord(pending, line === undefined, width)) !== undefined) {
      if ('cells' in record) width ??= record.cells.length
      yield record
    }
  }
}

interface Line {
  readonly number: number
  readonly text: string
  readonly sound: boolean
  readonly tooLong: boolean
  /** An odd number of quotes: a quoted cell begins or ends here and has its other end on another line. */
  readonly odd: boolean
}

/** Takes one record, or one faulty line, off the front; nothing when more lines are needed to tell. */
function takeRecord(pending: Line[], atEnd: boolean, width: number | undefined): CsvRecord | undefined {
  while (pending[0] !== undefined && isBlank(pending[0])) pending.shift()
  const first = pending[0]
  if (first === undefined) return undefined
  const count = recordLength(pending)
  if (count === 'unknown' && !atEnd) return undefined
  const record =
    typeof count === 'number'
      ? readRecord(pending.slice(0, count), width)
      : { line: first.number, fault: 'has a quote that is not closed' }
  pending.splice(0, 'cells' in record ? Number(count) : 1)
  return record
}

/** How many lines the first record spans. A quote within a quoted cell is doubled, so a record has an even number. */
function recordLength(pending: readonly Line[]): number | 'unclosed' | 'unknown' {
  if (!pending[0]!.odd) return 1
  let bytes = 0
  for (const [i, line] of pending.entries()) {
    bytes += line.text.length
    if (line.tooLong || bytes > RECORD_BYTES_MAX || i >= RECORD_LINES_MAX) return 'unclosed'
    if (i > 0 && line.odd) return i + 1
  }
  return 'unknown'
}

function readRecord(lines: readonly Line[], width: number | undefined): CsvRecord {
  const line = lines[0]!.number
  if (lines[0]!.tooLong) return { line, fault: `is longer than ${RECORD_BYTES_MAX} bytes` }
  try {
    const cells = cellsOf(lines.map((each) => each.text).join('\n'))
    if (width !== undefined && cells.length !== width) {
      return { line, fault: `has ${cells.length} cells where the header has ${width}` }
    }
    return { line, cells, sound: lines.every((each) => each.sound) }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { line, cell: Number(error.column), fault: 'has a quote in the wrong place; quote the whole cell' }
  }
}

function cellsOf(record: string): string[] {
  const text = record.endsWith('\r') ? record.slice(0, -1) : record
  if (!text.includes('"')) return text.split(',')
  return parse(text, { record_delimiter: '\n', max_record_size: 0 })[0]!
}

const isBlank = (line: Line): boolean => !line.tooLong && (line.text === '' || line.text === '\r')

const LINE_FEED = 0x0a

/** The lines, and `undefined` once behind the last. */
async function* physicalLines(content: AsyncIterable<Buffer>): AsyncIterable<Line | undefined> {
  let number = 1
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      begun.push(chunk.subarray(start, end))
      yield toLine(number++, begun, length + end - start)
      begun = []
      length = 0
      start = end + 1
    }
    length += chunk.length - start
    if (length <= RECORD_BYTES_MAX) begun.push(chunk.subarray(start))
  }
  if (length > 0) yield toLine(number, begun, length)
  yield undefined
}

function toLine(number: number, parts: readonly Buffer[], length: number): Line {
  if (length > RECORD_BYTES_MAX) return { number, text: '', sound: true, tooLong: true, odd: false }
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  const text = bytes.toString('utf8')
  return { number, text, sound: isUtf8(bytes), tooLong: false, odd: quotesIn(text) % 2 === 1 }
}

function quotesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count++
  return count
}
