import { invalid } from '#platform/errors.ts'

/** One object of a JSON file, or why there is none where one should be. */
export type JsonRecord = RecordPlace &
  ({ readonly value: unknown; readonly why?: never } | { readonly why: string; readonly value?: never })

interface RecordPlace {
  /** Physical line on which it begins, from 1. */
  readonly line: number
  /** From 1, in the order of the file. */
  readonly number: number
  /** It stands by itself, in no list. */
  readonly isAlone: boolean
}

/** Bytes of one record. */
export const RECORD_BYTES_MAX = 4_194_304
/** Commas in one record: a parsed value takes many times the memory of its text. */
const COMMAS_MAX = 100_000
const DEPTH_MAX = 64
const [QUOTE, BACKSLASH, COMMA, COLON, LINE_FEED] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const isOpening = (byte: number): boolean => byte === OPEN_BRACE || byte === OPEN_BRACKET
const isClosing = (byte: number): boolean => byte === CLOSE_BRACE || byte === CLOSE_BRACKET

/**
 * The records of what an API answered: pages that hold them in a list under `listKey`, one page after another; a list of
 * them; or one after another. One is held at a time; one that is no JSON, too long or cut off costs itself. Throws a
 * `Refusal` for a file that is no JSON at all.
 */
export async function* jsonRecords(
  content: AsyncIterable<Buffer>,
  listKey: string,
): AsyncIterable<readonly JsonRecord[]> {
  const cutter = new RecordCutter(listKey)
  for await (const chunk of content) yield cutter.cut(chunk)
  yield cutter.end()
}

class RecordCutter {
  readonly #listKey: string
  #found: JsonRecord[] = []
  #line = 1
  #number = 0
  #depth = 0
  /** Where records stand: 0 by themselves, 1 in a list, 2 in the list of a page; undefined behind that list. */
  #recordDepth: 0 | 1 | 2 | undefined = 0
  #inString = false
  #isEscaped = false
  /** Of an object by itself, the key or text that was read last. */
  #key: number[] = []
  /** Nothing but a colon came behind it. */
  #isKeyRead = false
  #isCapturing = false
  #from = 0
  #parts: Buffer[] = []
  #bytes = 0
  #commas = 0
  #beginsAt = 1
  #why: string | undefined

  constructor(listKey: string) {
    this.#listKey = listKey
  }

  cut(chunk: Buffer): readonly JsonRecord[] {
    this.#found = []
    this.#from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (byte === LINE_FEED) this.#line++
      if (this.#inString) this.#throughString(byte)
      else if (!isSpace(byte)) this.#meet(byte, chunk, at)
    }
    if (this.#isCapturing) this.#keep(chunk.subarray(this.#from))
    return this.#found
  }

  end(): readonly JsonRecord[] {
    this.#found = []
    if (this.#isCapturing) this.#give({ why: this.#why ?? 'is cut off: the file ends within it' })
    else if (this.#depth > 0 || this.#inString) {
      this.#beginsAt = this.#line
      this.#number++
      this.#give({ why: 'is missing: the file ends before its list does' })
    }
    return this.#found
  }

  #throughString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) {
      this.#inString = false
      this.#isKeyRead = this.#depth === 1 && this.#recordDepth === 0
    } else if (this.#depth === 1 && this.#key.length <= this.#listKey.length) this.#key.push(byte)
  }

  /** A byte outside of strings that is no white space. */
  #meet(byte: number, chunk: Buffer, at: number): void {
    const isPageList = byte === OPEN_BRACKET && this.#isKeyRead && this.#isListKey()
    if (byte !== COLON) this.#isKeyRead = false
    if (byte === QUOTE) {
      this.#inString = true
      this.#key = []
    }
    if (isPageList) this.#openPageList()
    else if (this.#isCapturing) this.#within(byte, chunk, at)
    else if (this.#depth === 0 && byte === OPEN_BRACKET) {
      this.#recordDepth = 1
      this.#depth = 1
    } else if (this.#depth === 0 && !isOpening(byte)) {
      const isFirst = this.#number === 0
      throw invalid('file', isFirst ? 'is not JSON' : 'goes on behind its end with what is no JSON')
    } else if (this.#depth === this.#recordDepth && byte !== COMMA && !isClosing(byte)) this.#begin(byte, at)
    else this.#around(byte)
  }

  #isListKey = (): boolean => Buffer.from(this.#key).toString() === this.#listKey

  /** What was taken for a record is a page. */
  #openPageList(): void {
    this.#drop()
    this.#number--
    this.#recordDepth = 2
    this.#depth = 2
  }

  #begin(byte: number, at: number): void {
    this.#isCapturing = true
    this.#from = at
    this.#beginsAt = this.#line
    this.#number++
    this.#commas = 0
    this.#why = undefined
    if (isOpening(byte)) this.#depth++
  }

  /** Within a record. */
  #within(byte: number, chunk: Buffer, at: number): void {
    const outside = this.#recordDepth ?? 0
    if (isOpening(byte)) {
      if (++this.#depth - outside > DEPTH_MAX) this.#why ??= `is deeper than ${DEPTH_MAX} brackets`
      return
    }
    if (byte === COMMA && ++this.#commas > COMMAS_MAX) this.#why ??= `has more than ${COMMAS_MAX} values`
    const isScalarOver = this.#depth === outside && (byte === COMMA || isClosing(byte))
    if (isScalarOver) {
      this.#finish(chunk.subarray(this.#from, at))
      return this.#around(byte)
    }
    if (isClosing(byte) && --this.#depth === outside) this.#finish(chunk.subarray(this.#from, at + 1))
  }

  /** Outside of records. */
  #around(byte: number): void {
    if (isOpening(byte)) this.#depth++
    else if (isClosing(byte)) {
      this.#depth--
      if (this.#depth === 0) this.#recordDepth = 0
      else if (this.#depth === 1 && this.#recordDepth === 2) this.#recordDepth = undefined
    }
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > RECORD_BYTES_MAX) this.#why ??= `is longer than ${RECORD_BYTES_MAX} bytes`
    if (this.#why === undefined) this.#parts.push(part)
    else this.#parts = []
  }

  #finish(last: Buffer): void {
    this.#keep(last)
    this.#give(this.#why === undefined ? parsed(Buffer.concat(this.#parts)) : { why: this.#why })
  }

  #give(read: { readonly value: unknown } | { readonly why: string }): void {
    const isAlone = this.#recordDepth === 0
    this.#found.push({ line: this.#beginsAt, number: this.#number, isAlone, ...read })
    this.#drop()
  }

  #drop(): void {
    this.#isCapturing = false
    this.#parts = []
    this.#bytes = 0
  }
}

function parsed(bytes: Buffer): { readonly value: unknown } | { readonly why: string } {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown }
  } catch (error) {
    return { why: error instanceof SyntaxError ? 'is not well-formed JSON' : 'is not text in UTF-8' }
  }
}
