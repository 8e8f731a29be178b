/** JSON that is not sound: the message names the record. */
export class JsonFault extends Error {}

/** One item of a large JSON value. */
export interface JsonItem {
  /** From 1, in the order of the file. */
  readonly number: number
  /** In an object: under which key. */
  readonly key?: string
  readonly value: unknown
}

export interface JsonLimits {
  /** Bytes of one item. */
  readonly itemBytes?: number
  /** Brackets within brackets, in one item. */
  readonly depth?: number
  /** Values in one item, at any depth: a parsed value takes many times the memory of its text. */
  readonly values?: number
  /** In an object: items under other keys are passed over and not given, whatever their size. */
  readonly wants?: (key: string) => boolean
}

const ITEM_BYTES_MAX = 67_108_864
const DEPTH_MAX = 64
const KEY_BYTES_MAX = 4_096
const HEAD_BYTES = 4_096
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Splits a JSON stream into items. Each byte is scanned once for strings, brackets and, above the items, keys; the items
 * themselves are parsed and validated by JSON.parse.
 */
export class JsonStreamParser {
  readonly #path: readonly string[] | undefined
  readonly #itemDepth: number
  readonly #itemBytesMax: number
  readonly #depthMax: number
  readonly #valuesMax: number
  #commas = 0
  readonly #wants: ((key: string) => boolean) | undefined
  #isWanted = true
  #depth = 0
  #inString = false
  #isEscaped = false
  /** Above the items: what every open bracket is, and the last key in it. */
  readonly #above: { readonly isObject: boolean; key: string }[] = []
  #text: number[] = []
  #last = ''
  #isInside = false
  #isFound = false
  #isOver = false
  /** Within the container: a value may begin; in an object only after a key and its colon. */
  #awaits: 'key' | 'value' | 'end' = 'value'
  #hasItem = false
  #isScalar = false
  /** The beginning of the item, to name it by. */
  #head: Buffer = Buffer.alloc(0)
  #parts: Buffer[] = []
  #bytes = 0
  #number = 0
  #isFirst = true
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })

  constructor(path: readonly string[] | undefined, { itemBytes, depth, values, wants }: JsonLimits) {
    this.#path = path
    this.#itemDepth = path === undefined ? 0 : path.length + 1
    this.#itemBytesMax = itemBytes ?? ITEM_BYTES_MAX
    this.#depthMax = depth ?? DEPTH_MAX
    this.#valuesMax = values ?? Infinity
    this.#wants = wants
    if (path === undefined) this.#isInside = true
  }

  *cut(whole: Buffer): Iterable<JsonItem> {
    const chunk = this.#isFirst ? withoutMark(whole) : whole
    if (whole.length > 0) this.#isFirst = false
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#hasItem) {
        const end = this.#within(chunk, at)
        if (end === -1) {
          this.#keep(chunk.subarray(from))
          return
        }
        this.#keep(chunk.subarray(from, end))
        if (this.#isWanted) yield this.#item()
        else this.#pass()
        at = end - 1
        continue
      }
      if (this.#begins(chunk[at] ?? 0)) {
        from = at
        this.#head = chunk.subarray(at, at + HEAD_BYTES)
        at--
      }
    }
  }

  end(): void {
    if (this.#hasItem) throw this.#fault('the file ends within it')
    if (!this.#isFound)
      throw new JsonFault(this.#isFirst ? 'the file is empty' : `the file has no ${this.#place()}`)
    if (!this.#isOver || this.#depth > 0)
      throw new JsonFault(`the file ends after record ${this.#number}, before its own end`)
  }

  *endOfDocuments(): Iterable<JsonItem> {
    if (this.#hasItem && this.#isScalar && !this.#inString) yield this.#item()
    if (this.#hasItem) throw this.#fault('the file ends within it')
    if (this.#number === 0) throw new JsonFault('the file is empty')
  }

  /** Goes through an item; answers the index behind it, or -1 when the chunk ends first. */
  #within(chunk: Buffer, start: number): number {
    let at = start
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#throughString(chunk, at)
        if (at === -1) return -1
        if (this.#depth === this.#itemDepth) return at
        continue
      }
      const byte = chunk[at] ?? 0
      if (this.#isScalar) {
        if (isSpace(byte) || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return at
      } else if (byte === QUOTE) this.#inString = true
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (++this.#depth - this.#itemDepth > this.#depthMax)
          throw this.#fault(`is deeper than ${this.#depthMax} brackets`)
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (--this.#depth === this.#itemDepth) return at + 1
        if (this.#depth < this.#itemDepth) throw this.#fault('has a closing bracket too many')
      } else if (byte === COMMA && ++this.#commas >= this.#valuesMax && this.#isWanted)
        throw this.#fault(`has more than ${this.#valuesMax} values`)
      at++
    }
    return -1
  }

  /** Behind the closing quote, or -1. */
  #throughString(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (chunk[at] === BACKSLASH) this.#isEscaped = true
      else if (chunk[at] === QUOTE) {
        this.#inString = false
        return at + 1
      }
    }
    return -1
  }

  /** Outside an item; true when one begins with this byte. */
  #begins(byte: number): boolean {
    if (this.#inString) return this.#inKey(byte)
    if (isSpace(byte)) return false
    return this.#isInside ? this.#inContainer(byte) : this.#aboveItems(byte)
  }

  #inContainer(byte: number): boolean {
    const isObject = this.#above.at(-1)?.isObject ?? false
    if (this.#itemDepth > 0 && (byte === CLOSE_BRACE || byte === CLOSE_BRACKET)) {
      this.#close(byte)
      return false
    }
    if (this.#awaits === 'end') {
      if (this.#itemDepth === 0) this.#awaits = 'value'
      else if (byte === COMMA) {
        this.#awaits = isObject ? 'key' : 'value'
        return false
      } else throw this.#after('a comma is missing')
    }
    if (this.#awaits === 'key') {
      if (byte === QUOTE) this.#inString = true
      else if (byte === COLON) this.#awaits = 'value'
      else throw this.#after('a key is missing')
      return false
    }
    this.#startItem(byte)
    return true
  }

  #startItem(byte: number): void {
    this.#hasItem = true
    this.#number++
    this.#isWanted = this.#wants?.(this.#last) ?? true
    this.#isScalar = byte !== QUOTE && byte !== OPEN_BRACE && byte !== OPEN_BRACKET
    if (byte === COMMA || byte === COLON) throw this.#fault('is missing')
  }

  #aboveItems(byte: number): boolean {
    if (this.#isOver && this.#depth === 0) throw new JsonFault('the file goes on after its end')
    const top = this.#above.at(-1)
    if (byte === QUOTE) this.#inString = true
    else if (byte === COLON && top) top.key = this.#last
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#open(byte)
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#close(byte)
    else if (this.#depth === 0) throw new JsonFault('the file is not JSON')
    return false
  }

  #open(byte: number): void {
    if (++this.#depth > this.#depthMax)
      throw new JsonFault(`the file is deeper than ${this.#depthMax} brackets`)
    const path = this.#path ?? []
    const isHere =
      !this.#isFound &&
      this.#depth === this.#itemDepth &&
      this.#above.every((it, level) => it.isObject && it.key === path[level])
    this.#above.push({ isObject: byte === OPEN_BRACE, key: '' })
    if (!isHere) return
    this.#isFound = true
    this.#isInside = true
    this.#awaits = byte === OPEN_BRACE ? 'key' : 'value'
  }

  #close(byte: number): void {
    const closed = this.#above.pop()
    if (!closed || closed.isObject !== (byte === CLOSE_BRACE))
      throw this.#after('a bracket closes what is not open')
    this.#depth--
    if (this.#isInside) this.#isOver = true
    this.#isInside = false
  }

  #inKey(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) {
      this.#inString = false
      this.#last = this.#keyText()
      return false
    }
    if (this.#text.length < KEY_BYTES_MAX) this.#text.push(byte)
    else if (this.#isInside) throw this.#after(`a key is longer than ${KEY_BYTES_MAX} bytes`)
    return false
  }

  #keyText(): string {
    const text = Buffer.from(this.#text).toString()
    this.#text = []
    if (!text.includes('\\')) return text
    try {
      return String(JSON.parse(`"${text}"`))
    } catch {
      return text
    }
  }

  #keep(part: Buffer): void {
    if (!this.#isWanted) return
    this.#bytes += part.length
    if (this.#bytes > this.#itemBytesMax) throw this.#fault(`is larger than ${this.#itemBytesMax} bytes`)
    if (part.length > 0) this.#parts.push(part)
  }

  #item(): JsonItem {
    const [only] = this.#parts
    const bytes = this.#parts.length === 1 && only ? only : Buffer.concat(this.#parts)
    const isKeyed = this.#above.at(-1)?.isObject ?? false
    let value: unknown
    try {
      value = JSON.parse(this.#decoder.decode(bytes))
    } catch (error) {
      throw this.#fault(error instanceof SyntaxError ? 'is not JSON' : 'is not UTF-8')
    }
    this.#pass()
    return { number: this.#number, ...(isKeyed && { key: this.#last }), value }
  }

  #pass(): void {
    this.#hasItem = false
    this.#commas = 0
    this.#parts = []
    this.#bytes = 0
    this.#awaits = 'end'
  }

  #place = (): string => (this.#path?.length ? this.#path.join('.') : 'list or object')

  #fault(why: string): JsonFault {
    const name = this.#above.at(-1)?.isObject ? this.#last : idIn(this.#parts[0] ?? this.#head)
    return new JsonFault(`record ${this.#number}${name ? ` (${name})` : ''} ${why}`)
  }

  #after = (why: string): JsonFault => new JsonFault(`after record ${this.#number} ${why}`)
}

/** The id or name of a malformed record, for error messages; empty when there is none in its first bytes. */
const idIn = (bytes: Buffer): string =>
  /"(?:id|cveId|cveID|name)"\s*:\s*"([\w:.-]{1,60})"/.exec(
    bytes.subarray(0, HEAD_BYTES).toString('latin1'),
  )?.[1] ?? ''

const MARK = Buffer.from([0xef, 0xbb, 0xbf])
const withoutMark = (chunk: Buffer): Buffer =>
  chunk.indexOf(MARK) === 0 ? chunk.subarray(MARK.length) : chunk
