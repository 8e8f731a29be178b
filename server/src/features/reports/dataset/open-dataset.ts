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
  let isFound = section === undefined
  for await (const lines of textLinesOf(content)) {
    if (!isFound) {
      const at = lines.findIndex((it) => isHeadOf(it, section))
      if (at < 0) continue
      isFound = true
      lines.splice(0, at)
    }
    yield lines.map((line) => JSON.parse(line) as DatasetLine)
  }
}

/** Rows before it are not parsed: there may be very many. */
function isHeadOf(line: string, section: string | undefined): boolean {
  if (!line.startsWith('{"section"')) return false
  const head = JSON.parse(line) as DatasetLine
  return 'section' in head && head.section.name === section
}

async function* textLinesOf(content: Uint8Array): AsyncGenerator<string[]> {
  const inflate = createInflate()
  inflate.end(content)
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of inflate as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines
  }
}
