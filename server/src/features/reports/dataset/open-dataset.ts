import { createInflate } from 'node:zlib'
import type { About, DatasetLine, Row, SectionHead } from './dataset.ts'

export interface OpenDataset {
  readonly about: About
  /** SHA-256 of the lines, hexadecimal. */
  readonly digest: string
  /** In order; the rows of one are read before the next is asked for. */
  readonly sections: AsyncIterable<OpenSection>
  /** Reads one section beside the others, from its start; undefined when there is none of the name. */
  readonly section: (name: string) => Promise<OpenSection | undefined>
}

export interface OpenSection {
  readonly head: SectionHead
  /** Some at a time. */
  readonly rows: AsyncIterable<readonly Row[]>
}

/** Reads a dataset from its start; never all of its rows are in memory. */
export async function openDataset(content: Uint8Array, digest: string): Promise<OpenDataset> {
  const lines = new LineQueue(linesOf(content))
  const first = await lines.next()
  if (!first || !('about' in first)) throw new Error('a dataset does not begin with what it is about')
  return {
    about: first.about,
    digest,
    sections: sectionsOf(lines),
    section: (name) => sectionNamed(content, name),
  }
}

async function sectionNamed(content: Uint8Array, name: string): Promise<OpenSection | undefined> {
  const lines = new LineQueue(linesOf(content, name))
  const head = await lines.next()
  return head && 'section' in head ? { head: head.section, rows: rowsOf(lines) } : undefined
}

async function* sectionsOf(lines: LineQueue): AsyncGenerator<OpenSection> {
  for (let line = await lines.next(); line; line = await lines.next()) {
    if (!('section' in line)) continue // a row that nobody read
    yield { head: line.section, rows: rowsOf(lines) }
  }
}

async function* rowsOf(lines: LineQueue): AsyncGenerator<readonly Row[]> {
  for (let rows = await lines.rows(); rows.length > 0; rows = await lines.rows()) yield rows
}

class LineQueue {
  readonly #source: AsyncIterator<DatasetLine[]>
  #lines: DatasetLine[] = []
  #at = 0

  constructor(source: AsyncIterable<DatasetLine[]>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async next(): Promise<DatasetLine | undefined> {
    return (await this.#fill()) ? this.#lines[this.#at++] : undefined
  }

  /** The rows that come next, some of them; none when something else comes. */
  async rows(): Promise<Row[]> {
    if (!(await this.#fill())) return []
    const rows: Row[] = []
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at]
      if (!line || !('row' in line)) break
      rows.push(line.row)
    }
    return rows
  }

  async #fill(): Promise<boolean> {
    while (this.#at >= this.#lines.length) {
      const next = await this.#source.next()
      if (next.done) return false
      this.#lines = next.value
      this.#at = 0
    }
    return true
  }
}

/** All lines, or those from the head of the section on. */
async function* linesOf(content: Uint8Array, section?: string): AsyncGenerator<DatasetLine[]> {
  const bytes = inflated(content)
  const wanted = section === undefined ? bytes : fromHeadOf(section, bytes)
  for await (const lines of textLinesOf(wanted)) yield lines.map((line) => JSON.parse(line) as DatasetLine)
}

async function* inflated(content: Uint8Array): AsyncGenerator<Buffer> {
  const inflate = createInflate()
  inflate.end(content)
  for await (const bytes of inflate) yield bytes as Buffer
}

const LINE_END = 0x0a
/** No row holds these bytes: line ends within its texts are escaped, and the first line is no head. */
const HEAD_START = Buffer.from('\n{"section":')

/** Sections before it are searched as bytes, neither decoded nor parsed: there may be very many rows. */
async function* fromHeadOf(section: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [rest, isFound] = [Buffer.alloc(0), false]
  for await (const chunk of chunks) {
    if (isFound) {
      yield chunk
      continue
    }
    rest = Buffer.concat([rest, chunk])
    const start = startOfHead(section, rest)
    isFound = start.isFound
    if (isFound) yield rest.subarray(start.at)
    else rest = rest.subarray(start.at)
  }
}

interface HeadSearch {
  readonly isFound: boolean
  /** Where the head begins, or where to search on once there are more bytes. */
  readonly at: number
}

function startOfHead(section: string, bytes: Buffer): HeadSearch {
  let from = 0
  for (;;) {
    const start = bytes.indexOf(HEAD_START, from)
    if (start < 0) return { isFound: false, at: Math.max(from, bytes.length - HEAD_START.length + 1) }
    const end = bytes.indexOf(LINE_END, start + 1)
    if (end < 0) return { isFound: false, at: start }
    if (isHeadOf(section, bytes.toString('utf8', start + 1, end))) return { isFound: true, at: start + 1 }
    from = end
  }
}

function isHeadOf(section: string, line: string): boolean {
  const head = JSON.parse(line) as DatasetLine
  return 'section' in head && head.section.name === section
}

async function* textLinesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of chunks) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines
  }
}
