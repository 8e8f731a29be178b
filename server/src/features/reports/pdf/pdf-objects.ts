import { deflateSync } from 'node:zlib'

const DEFLATE_LEVEL = 6
/** Small objects that share one compressed stream. */
const OBJECTS_PER_STREAM = 200
/** Of an entry in the cross-reference stream: type, offset or stream, place in the stream. */
const ENTRY_BYTES = 8
const ENTRIES_PER_BLOCK = 65_536
/** Of the input of most streams. */
const INPUT_BYTES = 262_144
/** Of a block of deflated output: what a stream needs, within these. */
const OUTPUT_BYTES = { min: 64, max: 16_384 }

export interface Trailer {
  readonly root: number
  /** Hexadecimal; the same file has the same. */
  readonly id: string
}

/**
 * The objects of a PDF file (ISO 32000-1 §7.5), written as soon as each is complete: only their offsets stay in memory.
 * Small ones go into compressed object streams. Bodies and contents given as strings are ASCII: a character is a byte.
 */
export class PdfObjects {
  #ready: Uint8Array[] = []
  /** The input of the deflater, used again for each stream: what a call leaves behind is freed late. */
  #input = Buffer.allocUnsafe(INPUT_BYTES)
  #length = 0
  #count = 1
  /** The cross-reference table so far, in blocks: there may be millions of objects, and a table that grows is copied. */
  readonly #table: Buffer[] = []
  #pending: { readonly id: number; readonly body: string }[] = []

  constructor() {
    this.#note(0, 0, 0, 65_535)
    // bytes above 127 tell programs that the file is not text
    this.#write(Buffer.concat([Buffer.from('%PDF-1.7\n%'), Buffer.from([0xe2, 0xe3, 0xcf, 0xd3, 0x0a])]))
  }

  /** A number for an object that is written later. */
  allocate(): number {
    this.#count += 1
    return this.#count - 1
  }

  /** Answers the object's number. */
  add(body: string, id = this.allocate()): number {
    this.#pending.push({ id, body })
    if (this.#pending.length >= OBJECTS_PER_STREAM) this.#flush()
    return id
  }

  /** `entries`: of its dictionary, without length and filter. */
  addStream(entries: string, content: Uint8Array | string, id = this.allocate()): number {
    const deflated = this.#deflated(content)
    this.#place(id, `<<${entries}/Filter/FlateDecode/Length ${deflated.length}>>`, deflated)
    return id
  }

  /** As it is: metadata must be readable for programs that know nothing of PDF. */
  addPlainStream(entries: string, content: Uint8Array): number {
    const id = this.allocate()
    this.#place(id, `<<${entries}/Length ${content.length}>>`, content)
    return id
  }

  /** What was written since the last call, in order. */
  take(): readonly Uint8Array[] {
    const taken = this.#ready
    this.#ready = []
    return taken
  }

  finish({ root, id }: Trailer): void {
    this.#flush()
    const self = this.allocate()
    const start = this.#length
    this.#note(self, 1, start, 0)
    const content = this.#deflated(this.#entries())
    const entries =
      `/Type/XRef/Size ${this.#count}/W[1 5 2]/Root ${root} 0 R/ID[<${id}><${id}>]` +
      `/Filter/FlateDecode/Length ${content.length}`
    this.#write(Buffer.from(`${self} 0 obj\n<<${entries}>>\nstream\n`))
    this.#write(content)
    this.#write(Buffer.from(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`))
  }

  #flush(): void {
    if (this.#pending.length === 0) return
    const pending = this.#pending
    this.#pending = []
    const stream = this.allocate()
    let [head, length] = ['', 0]
    pending.forEach(({ id, body }, index) => {
      this.#note(id, 2, stream, index)
      head += `${id} ${length} `
      length += body.length + 1
    })
    const bodies = pending.map(({ body }) => `${body}\n`).join('')
    this.addStream(`/Type/ObjStm/N ${pending.length}/First ${head.length}`, head + bodies, stream)
  }

  #deflated(content: Uint8Array | string): Uint8Array {
    const bytes = typeof content === 'string' ? this.#bytesOf(content) : content
    const chunkSize = Math.min(OUTPUT_BYTES.max, Math.max(OUTPUT_BYTES.min, bytes.length))
    return deflateSync(bytes, { level: DEFLATE_LEVEL, chunkSize })
  }

  /** Valid until the next call. */
  #bytesOf(content: string): Uint8Array {
    if (content.length > this.#input.length) this.#input = Buffer.allocUnsafe(2 * content.length)
    return this.#input.subarray(0, this.#input.write(content, 'latin1'))
  }

  #place(id: number, dictionary: string, content: Uint8Array): void {
    this.#note(id, 1, this.#length, 0)
    this.#write(Buffer.from(`${id} 0 obj\n${dictionary}\nstream\n`))
    this.#write(content)
    this.#write(Buffer.from('\nendstream\nendobj\n'))
  }

  #note(id: number, type: number, place: number, index: number): void {
    const n = Math.floor(id / ENTRIES_PER_BLOCK)
    while (n >= this.#table.length) this.#table.push(Buffer.alloc(ENTRY_BYTES * ENTRIES_PER_BLOCK))
    const block = this.#table[n]
    const at = ENTRY_BYTES * (id % ENTRIES_PER_BLOCK)
    block?.writeUIntBE(type, at, 1)
    block?.writeUIntBE(place, at + 1, 5)
    block?.writeUIntBE(index, at + 6, 2)
  }

  #entries(): Buffer {
    return Buffer.concat(this.#table.splice(0), ENTRY_BYTES * this.#count)
  }

  #write(bytes: Uint8Array): void {
    this.#ready.push(bytes)
    this.#length += bytes.length
  }
}

/** A text string (§7.9.2.2) in UTF-16BE. */
export function pdfText(text: string): string {
  const units = Buffer.from(text, 'utf16le').swap16()
  return `<feff${units.toString('hex')}>`
}
