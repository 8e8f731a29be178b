/** What one command of a batch printed. */
export interface Section {
  /** As UTF-8, without NUL characters; what was invalid is replaced. */
  readonly text: string
  /** Exit status; absent where the end of the command was not seen. */
  readonly code?: number
  /** The output was longer than what is stored. */
  readonly isCut: boolean
}

export interface SectionLimits {
  /** Bytes stored of a section. */
  readonly section: (name: string) => number
  /** Bytes stored of all sections. */
  readonly total: number
}

const NEWLINE = 0x0a
/** A line longer than this is taken apart; markers are shorter. */
const LINE_BYTES_MAX = 8_192

/**
 * Takes a batch's output apart as it comes. Sections begin with the line `MARK NAME begin` and end with `MARK NAME
 * end CODE`; what stands outside (greetings, noise of start-up files) is dropped. The mark is random, so what a
 * command prints cannot end its section, and only names that were asked for count, each once.
 */
export class SectionReader {
  readonly #mark: Buffer
  readonly #asked: ReadonlySet<string>
  readonly #limits: SectionLimits
  readonly #sections = new Map<string, Section>()
  #open: { name: string; chunks: Buffer[]; size: number; isCut: boolean } | undefined
  #rest: Buffer = Buffer.alloc(0)
  #storedBytes = 0
  /** Bytes thrown away since the last marker. */
  #wasted = 0

  constructor(mark: string, asked: Iterable<string>, limits: SectionLimits) {
    this.#mark = Buffer.from(mark)
    this.#asked = new Set(asked)
    this.#limits = limits
  }

  feed(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#line(this.#joined(chunk.subarray(from, end + 1)))
      from = end + 1
    }
    this.#rest = this.#joined(chunk.subarray(from))
    if (this.#rest.length <= LINE_BYTES_MAX) return
    this.#keep(this.#rest)
    this.#rest = Buffer.alloc(0)
  }

  /** Those that began, in that order; the last of them may be without its end. */
  sections(): Map<string, Section> {
    if (this.#open) this.#close(undefined)
    return this.#sections
  }

  /** The one whose end has not been seen. */
  get openName(): string | undefined {
    return this.#open?.name
  }

  get count(): number {
    return this.#sections.size
  }

  get wasted(): number {
    return this.#wasted
  }

  #joined(part: Buffer): Buffer {
    const whole = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part])
    this.#rest = Buffer.alloc(0)
    return whole
  }

  #line(line: Buffer): void {
    const isMarker = line.length < LINE_BYTES_MAX && line.subarray(0, this.#mark.length).equals(this.#mark)
    if (!isMarker || !this.#marker(line.subarray(this.#mark.length).toString('latin1'))) this.#keep(line)
  }

  #marker(text: string): boolean {
    const [, name = '', edge, code] = /^ ([\w-]+) (begin|end) ?(\d{1,3})?\r?\n$/.exec(text) ?? []
    if (edge === 'begin' && !this.#open && this.#asked.has(name) && !this.#sections.has(name)) {
      this.#open = { name, chunks: [], size: 0, isCut: false }
    } else if (edge === 'end' && this.#open?.name === name && code !== undefined) {
      this.#close(Number(code))
    } else return false
    this.#wasted = 0
    return true
  }

  #keep(bytes: Buffer): void {
    const open = this.#open
    const room = open
      ? Math.min(this.#limits.section(open.name) - open.size, this.#limits.total - this.#storedBytes)
      : 0
    const stored = bytes.subarray(0, Math.max(0, room))
    this.#wasted += bytes.length - stored.length
    if (!open) return
    if (stored.length < bytes.length) open.isCut = true
    if (stored.length === 0) return
    open.chunks.push(Buffer.from(stored)) // a copy: the whole packet would stay in memory for its part
    open.size += stored.length
    this.#storedBytes += stored.length
  }

  #close(code: number | undefined): void {
    if (!this.#open) return
    const { name, chunks, isCut } = this.#open
    const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '')
    // the line break before the end marker is ours
    const said = code === undefined ? text : text.replace(/\r?\n$/, '')
    this.#sections.set(name, { text: said, isCut, ...(code !== undefined && { code }) })
    this.#open = undefined
  }
}
