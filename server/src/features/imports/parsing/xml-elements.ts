import { invalid } from '#platform/errors.ts'
import { LineCounter, Scan } from './xml-scan.ts'

/** Characters of one element: a host that answers on all of its 65,535 ports takes some six million. */
export const ELEMENT_LENGTH_MAX = 8_388_608

/** Characters of one tag with its attributes; a quote that is never closed would swallow the file. */
export const TAG_LENGTH_MAX = 1_048_576
/** Opening and closing tags in one element; that host has 262,144. Parsed, each takes a hundred bytes and more. */
export const ELEMENT_TAGS_MAX = 300_000

export type XmlPiece =
  /** The opening tag of the document. */
  | { readonly piece: 'root'; readonly line: number; readonly text: string }
  /** One whole wanted element. */
  | {
      readonly piece: 'element'
      readonly line: number
      readonly text: string
      /** The names of the open elements around it, the root first. */
      readonly around: readonly string[]
    }
  /** Something that is not read; reading goes on behind it when there is more. */
  | { readonly piece: 'fault'; readonly line: number; readonly field: string; readonly why: string }

/** More elements within elements, outside of the wanted ones, than any document of these formats has. */
const DEPTH_MAX = 256

interface Wanted {
  readonly name: string
  /** An element may hold others of its name: the outermost one is given, with all that is in it. */
  readonly nests?: boolean
}

/**
 * Cuts a large XML document into the elements called `name` without holding more than one of them, in time that grows
 * with its length alone. It is not a judge of what it cuts: `parseElement` is. Comments and processing instructions
 * between elements are passed over; a document type that declares anything refuses the file, since entities are how
 * XML attacks its readers.
 */
export async function* xmlElements(content: AsyncIterable<Buffer>, wanted: Wanted): AsyncIterable<XmlPiece> {
  const decoder = new TextDecoder('utf-8')
  const cutter = new Cutter(wanted)
  for await (const chunk of content) {
    yield* cutter.cut(decoder.decode(chunk, { stream: true }))
  }
  yield* cutter.end(decoder.decode())
}

class Cutter {
  readonly #name: string
  readonly #nests: boolean
  readonly #lines = new LineCounter()
  #scan = new Scan('', 0)
  #root: string | undefined
  #closed = false
  readonly #around: string[] = []
  /** Open wanted elements: how many, and 0 outside of them. */
  #level = 0
  /** Within an element that is too long: everything up to its end is passed over. */
  #skipping = false
  /** Nothing more is read, although there is more. */
  #stopped = false
  /** Not scanned yet: joining it to what is pending copies both, so it grows with the length of that. */
  #unscanned = ''

  constructor({ name, nests = false }: Wanted) {
    this.#name = name
    this.#nests = nests
  }

  *cut(more: string): Iterable<XmlPiece> {
    if (this.#stopped) return
    this.#unscanned += more
    const [fresh, pending] = [this.#unscanned.length, this.#scan.pending]
    if (fresh * 2 < pending && fresh + pending <= ELEMENT_LENGTH_MAX) return
    yield* this.#scanOn()
  }

  *#scanOn(): Iterable<XmlPiece> {
    this.#scan = this.#scan.with(this.#unscanned)
    this.#unscanned = ''
    for (let end = this.#end(); end !== undefined; end = this.#end()) {
      yield* this.#take(end)
      if (this.#stopped) return
    }
    // the last character may be the slash of an empty tag
    if (this.#skipping) this.#drop(Math.max(this.#scan.at, this.#scan.searched - 1))
    else if (this.#scan.openTagLength > TAG_LENGTH_MAX) yield* this.#giveUp(TAG_TOO_LONG)
    else if (this.#scan.pending > ELEMENT_LENGTH_MAX) yield* this.#giveUp(TOO_LONG)
  }

  *end(more: string): Iterable<XmlPiece> {
    yield* this.cut(more)
    if (!this.#stopped) yield* this.#scanOn()
    if (this.#root === undefined) throw invalid('file', 'is not XML')
    if (this.#closed) return
    const open = this.#level > 0 ? this.#name : this.#scan.startsWith('<') ? nameOf(this.#scan.head()) : ''
    const within = open === '' ? '' : `within <${open}> `
    const why = `the file ends ${within}before </${this.#root}>: it was cut off, and what followed is missing`
    yield { piece: 'fault', line: this.#lines.line, field: this.#root, why }
  }

  /** Where the thing at the front ends, once it is all there; text before the next `<` counts as one thing. */
  #end(): number | undefined {
    const scan = this.#scan
    if (this.#level > 0) return this.#endOfElement()
    if (scan.pending === 0) return undefined
    if (!scan.startsWith('<')) return scan.text('<')
    if (scan.startsWith('<!--')) return scan.behind('-->', 4)
    if (scan.startsWith('<?')) return scan.behind('?>', 2)
    if (scan.startsWith('<![CDATA[')) return scan.behind(']]>', 9)
    const end = scan.behindTag()
    if (end === undefined || scan.nameAt(scan.at) !== this.#name || scan.isEmptyTag(end)) return end
    this.#level = 1
    return this.#endOfElement()
  }

  #endOfElement(): number | undefined {
    for (;;) {
      const tag = this.#scan.nextTag(this.#name, this.#nests)
      if (tag === undefined) return undefined
      if (tag.isClosing) this.#level--
      else if (!tag.isEmpty) this.#level++
      if (this.#level === 0) return tag.end
    }
  }

  *#take(end: number): Iterable<XmlPiece> {
    const line = this.#lines.line
    if (this.#skipping) {
      this.#skipping = false
      this.#drop(end)
      return
    }
    const text = this.#scan.until(end)
    this.#drop(end)
    if (text.startsWith('<!DOCTYPE')) yield* this.#checkDocumentType(text, line)
    else if (text.startsWith('</')) this.#close(nameOf(text))
    else if (isTag(text)) yield* this.#takeTag(text, line)
    else if (this.#root === undefined && !text.startsWith('<') && text.trim() !== '')
      throw invalid('file', 'is not XML')
  }

  *#takeTag(text: string, line: number): Iterable<XmlPiece> {
    const name = nameOf(text)
    this.#root ??= name
    if (name === this.#name) return yield this.#element(text, line)
    const isEmpty = text.endsWith('/>')
    if (!isEmpty && this.#around.push(name) > DEPTH_MAX)
      return yield* this.#stop(line, `has more than ${DEPTH_MAX} elements within each other`)
    if (name !== this.#root) return
    // A file to which a second run was appended has two roots.
    this.#closed = isEmpty
    yield { piece: 'root', line, text }
  }

  #element(text: string, line: number): XmlPiece {
    if (hasTooManyTags(text))
      return { piece: 'fault', line, field: this.#name, why: `has more than ${ELEMENT_TAGS_MAX} tags` }
    return { piece: 'element', line, text, around: [...this.#around] }
  }

  #close(name: string): void {
    this.#closed ||= name === this.#root
    const opened = this.#around.lastIndexOf(name)
    if (opened !== -1) this.#around.length = opened
  }

  *#checkDocumentType(text: string, line: number): Iterable<XmlPiece> {
    if (text.includes('['))
      yield* this.#stop(line, 'the document type declares entities; such XML is not read')
  }

  *#giveUp(why: string): Iterable<XmlPiece> {
    if (this.#level === 0) return yield* this.#stop(this.#lines.line, `what begins here ${why}`)
    yield { piece: 'fault', line: this.#lines.line, field: this.#name, why }
    this.#skipping = true
    this.#drop(this.#scan.searched)
  }

  /** Refuses the file as long as nothing of it was read; later, reads no more of it. */
  *#stop(line: number, why: string): Iterable<XmlPiece> {
    if (this.#root === undefined) throw invalid('file', `line ${line}: ${why}`)
    if (!this.#stopped)
      yield { piece: 'fault', line, field: this.#root, why: `${why}; what follows is missing` }
    this.#stopped = true
    this.#closed = true
    this.#scan = new Scan('', 0)
  }

  #drop(end: number): void {
    this.#lines.pass(this.#scan, end)
    this.#scan.at = end
    if (this.#scan.searched < end) this.#scan.searched = end
  }
}

const TOO_LONG = `is longer than ${ELEMENT_LENGTH_MAX} characters`
const TAG_TOO_LONG = `has a tag of more than ${TAG_LENGTH_MAX} characters; is a quote of an attribute not closed?`

function hasTooManyTags(text: string): boolean {
  let count = 0
  for (let at = text.indexOf('<'); at !== -1 && count <= ELEMENT_TAGS_MAX; at = text.indexOf('<', at + 1))
    count++
  return count > ELEMENT_TAGS_MAX
}

const isTag = (text: string): boolean => /^<[A-Za-z_:]/.test(text)
const nameOf = (tag: string): string => /^<\/?([^\s/>]*)/.exec(tag)?.[1] ?? ''
