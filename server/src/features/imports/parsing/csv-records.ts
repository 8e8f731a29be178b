import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'

/** A record has at most this many bytes and lines; a quote that is never closed would swallow the file. */
export const RECORD_BYTES_MAX = 1_048_576
export const RECORD_LINES_MAX = 1_000
/** Cells of a record, and so columns of a table; a line of separators alone would be half a million of them. */
export const CELLS_MAX = 1_000

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
 * Records of CSV, some at a time, (RFC 4180) with the physical line on which each begins. Every record has as many cells as the
 * first. The separator is told from the first line; one that reads `sep=;`, as Excel writes it, says it
 * and is no record. A line at which no record can begin is a fault, and reading goes on with the very next line: one stray
 * quote costs one row, not the rest of the file. Blank lines are no records.
 */
export async function* csvRecords(content: AsyncIterable<Buffer>): AsyncIterable<readonly CsvRecord[]> {
  const reader = new RecordReader()
  for await (const lines of physicalLines(content)) {
    const records = lines.flatMap((line) => reader.read(line))
    if (records.length > 0) yield records
  }
  yield reader.read(undefined)
}

const separators = [',', ';', '\t', '|'] as const
type Separator = (typeof separators)[number]

/** A physical line of a text. */
export interface Line {
  readonly number: number
  readonly text: string
  /** False when bytes were not UTF-8; they stand in the text as U+FFFD. */
  readonly sound: boolean
  /** Longer than RECORD_BYTES_MAX: without its text. */
  readonly tooLong: boolean
  /** An odd number of quotes: a quoted cell begins or ends here and has its other end on another line. */
  readonly odd: boolean
}

/** Joins physical lines to records. A line is examined a constant number of times, whatever the quotes. */
export class RecordReader {
  #separator: Separator | undefined
  #pending: Line[] = []
  /** Index of the first pending line that is in no record yet. */
  #first = 0
  /** Of the lines from `#first` on, how many belong to the record that it begins, and their length. */
  #scanned = 0
  #length = 0
  #width: number | undefined

  /** The records that are whole with this line, `undefined` being the end. */
  read(line: Line | undefined): CsvRecord[] {
    const records: CsvRecord[] = []
    if (line !== undefined && !this.#declaresSeparator(line)) this.#pending.push(line)
    for (let record = this.#next(!line); record !== undefined; record = this.#next(!line)) {
      if ('cells' in record) this.#width ??= record.cells.length
      records.push(record)
    }
    if (this.#first > 0) this.#pending.splice(0, this.#first)
    this.#first = 0
    return records
  }

  #declaresSeparator(line: Line): boolean {
    if (this.#separator !== undefined || isBlank(line)) return false
    const declared = /^sep=(.)\r?$/i.exec(line.text)?.[1]
    this.#separator = separators.find((it) => it === declared) ?? separatorIn(line.text)
    return declared !== undefined
  }

  /** The first pending record, or one faulty line; undefined when more lines are needed to tell. */
  #next(atEnd: boolean): CsvRecord | undefined {
    let first = this.#pending[this.#first]
    while (first !== undefined && isBlank(first)) first = this.#pending[++this.#first]
    if (first === undefined) return undefined
    const count = this.#recordLength(first)
    if (count === 'unknown' && !atEnd) return undefined
    const record =
      typeof count === 'number'
        ? readRecord(
            this.#pending.slice(this.#first, this.#first + count),
            this.#separator ?? ',',
            this.#width,
          )
        : { line: first.number, fault: 'has a quote that is not closed' }
    this.#first += 'cells' in record ? Number(count) : 1
    this.#scanned = 0
    this.#length = 0
    return record
  }

  /** How many lines the first record spans. A quote within a quoted cell is doubled, so a record has an even number. */
  #recordLength(first: Line): number | 'unclosed' | 'unknown' {
    if (!first.odd) return 1
    for (; this.#first + this.#scanned < this.#pending.length; this.#scanned++) {
      const line = this.#pending[this.#first + this.#scanned]!
      this.#length += line.text.length
      if (line.tooLong || this.#length > RECORD_BYTES_MAX || this.#scanned >= RECORD_LINES_MAX)
        return 'unclosed'
      if (this.#scanned > 0 && line.odd) return this.#scanned + 1
    }
    return 'unknown'
  }
}

function readRecord(lines: readonly Line[], separator: Separator, width: number | undefined): CsvRecord {
  const line = lines[0]!.number
  if (lines[0]!.tooLong) return { line, fault: `is longer than ${RECORD_BYTES_MAX} bytes` }
  try {
    const text = lines.map((each) => each.text).join('\n')
    if (hasTooManyCells(text, separator)) return { line, fault: `has more than ${CELLS_MAX} cells` }
    const cells = cellsOf(text, separator)
    if (width !== undefined && cells.length !== width) {
      return { line, fault: `has ${cells.length} cells where the header has ${width}` }
    }
    return { line, cells, sound: lines.every((each) => each.sound) }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { line, cell: Number(error.column), fault: 'has a quote in the wrong place; quote the whole cell' }
  }
}

/** Counted before the cells are made: each takes many times the memory of its separator. */
function hasTooManyCells(record: string, separator: Separator): boolean {
  if (record.length < CELLS_MAX) return false
  let [count, isQuoted] = [1, false]
  for (let at = 0; at < record.length && count <= CELLS_MAX; at++) {
    const character = record[at]
    if (character === '"') isQuoted = !isQuoted
    else if (character === separator && !isQuoted) count++
  }
  return count > CELLS_MAX
}

function cellsOf(record: string, separator: Separator): string[] {
  const text = record.endsWith('\r') ? record.slice(0, -1) : record
  if (!text.includes('"')) return text.split(separator)
  return parse(text, { delimiter: separator, record_delimiter: '\n', max_record_size: 0 })[0]!
}

/** The one that stands most often outside of quotes; a comma when none does. */
function separatorIn(header: string): Separator {
  const bare = header.replaceAll(/"[^"]*"?/g, '')
  const counts = separators.map((it) => bare.split(it).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

const isBlank = (line: Line): boolean => !line.tooLong && (line.text === '' || line.text === '\r')

const LINE_FEED = 0x0a

/** How much of a file is looked at in one piece: short lines take many times their length in memory. */
const PIECE_BYTES = 16_384

/** The lines, some at a time. */
async function* physicalLines(content: AsyncIterable<Buffer>): AsyncIterable<readonly Line[]> {
  const splitter = new LineSplitter()
  for await (const chunk of content)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const lines = splitter.split(chunk.subarray(at, at + PIECE_BYTES))
      if (lines.length > 0) yield lines
    }
  yield splitter.rest()
}

/** The lines of a text, one by one. */
export async function* linesOf(content: AsyncIterable<Buffer>): AsyncIterable<Line> {
  for await (const lines of physicalLines(content)) yield* lines
}

class LineSplitter {
  #number = 1
  #begun: Buffer[] = []
  #length = 0

  split(chunk: Buffer): Line[] {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#begun.push(chunk.subarray(start, end))
      lines.push(toLine(this.#number++, this.#begun, this.#length + end - start))
      this.#begun = []
      this.#length = 0
      start = end + 1
    }
    this.#length += chunk.length - start
    if (this.#length <= RECORD_BYTES_MAX) this.#begun.push(chunk.subarray(start))
    return lines
  }

  rest(): Line[] {
    return this.#length > 0 ? [toLine(this.#number, this.#begun, this.#length)] : []
  }
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
