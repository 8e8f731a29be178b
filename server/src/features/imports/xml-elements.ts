import { invalid } from '#platform/errors.ts'

/** Characters of one element: a host that answers on all of its 65,535 ports takes some six million. */
export const ELEMENT_LENGTH_MAX = 8_388_608

export type XmlPiece =
  /** The opening tag of the document. */
  | { readonly piece: 'root'; readonly line: number; readonly text: string }
  /** One whole wanted element. */
  | { readonly piece: 'element'; readonly line: number; readonly text: string }
  /** Something that is not read; reading goes on behind it when there is more. */
  | { readonly piece: 'fault'; readonly line: number; readonly field: string; readonly why: string }

/**
 * Cuts a large XML document into the elements called `name` without holding more than one of them. It is not a
 * judge of what it cuts: `parseElement` is. Comments and processing instructions between elements are passed over;
 * a document type that declares anything refuses the file, since entities are how XML attacks its readers.
 */
export async function* xmlElements(content: AsyncIterable<Buffer>, name: string): AsyncIterable<XmlPiece> {
  const decoder = new TextDecoder('utf-8')
  const cutter = new Cutter(name)
  for await (const chunk of content) {
    yield* cutter.cut(decoder.decode(chunk, { stream: true }))
  }
  yield* cutter.end(decoder.decode())
}

class Cutter {
  readonly #name: string
  readonly #closing: string
  #text = ''
  #line = 1
  /** No end of what stands at the front lies before this: saves searching the same text again. */
  #searched = 0
  #root: string | undefined
  #closed = false
  /** Within an element that is too long: everything up to its end is passed over. */
  #skipping = false
  /** Nothing more is read, although there is more. */
  #stopped = false

  constructor(name: string) {
    this.#name = name
    this.#closing = `</${name}>`
  }

  *cut(more: string): Iterable<XmlPiece> {
    if (this.#stopped) return
    this.#text += more
    for (let length = this.#front(); length !== undefined; length = this.#front()) yield* this.#take(length)
    this.#searched = Math.max(0, this.#text.length - this.#closing.length)
    if (this.#text.length > ELEMENT_LENGTH_MAX) yield* this.#giveUp()
  }

  *end(more: string): Iterable<XmlPiece> {
    yield* this.cut(more)
    if (this.#root === undefined) throw invalid('file', 'is not XML')
    if (this.#closed) return
    const within = this.#text.startsWith('<') ? `within <${nameOf(this.#text)}> ` : ''
    const why = `the file ends ${within}before </${this.#root}>: it was cut off, and what followed is missing`
    yield { piece: 'fault', line: this.#line, field: this.#root, why }
  }

  /** The length of what stands at the front, once it is all there; text before the next `<` counts as one thing. */
  #front(): number | undefined {
    const text = this.#text
    if (this.#skipping) return this.#behind(this.#closing)
    if (!text.startsWith('<')) return text === '' ? undefined : (text + '<').indexOf('<')
    if (text.startsWith('<!--')) return this.#behind('-->')
    if (text.startsWith('<?')) return this.#behind('?>')
    if (text.startsWith('<![CDATA[')) return this.#behind(']]>')
    const tag = text.slice(0, endOfTag(text))
    if (!tag.endsWith('>')) return undefined
    return nameOf(tag) === this.#name && !tag.endsWith('/>') ? this.#behind(this.#closing) : tag.length
  }

  #behind(mark: string): number | undefined {
    const at = this.#text.indexOf(mark, this.#searched)
    return at === -1 ? undefined : at + mark.length
  }

  *#take(length: number): Iterable<XmlPiece> {
    const text = this.#text.slice(0, length)
    const line = this.#line
    this.#drop(length)
    if (this.#skipping) this.#skipping = false
    else if (text.startsWith('<!DOCTYPE')) yield* this.#checkDocumentType(text, line)
    else if (text.startsWith('</')) this.#closed ||= nameOf(text) === this.#root
    else if (isTag(text)) yield* this.#takeTag(text, line)
    else if (this.#root === undefined && !text.startsWith('<') && text.trim() !== '')
      throw invalid('file', 'is not XML')
  }

  *#takeTag(text: string, line: number): Iterable<XmlPiece> {
    const name = nameOf(text)
    this.#root ??= name
    if (name === this.#name) yield { piece: 'element', line, text }
    if (name !== this.#root) return
    // A file to which a second run was appended has two roots.
    this.#closed = text.endsWith('/>')
    yield { piece: 'root', line, text }
  }

  *#checkDocumentType(text: string, line: number): Iterable<XmlPiece> {
    if (text.includes('['))
      yield* this.#stop(line, 'the document type declares entities; such XML is not read')
  }

  *#giveUp(): Iterable<XmlPiece> {
    const why = `is longer than ${ELEMENT_LENGTH_MAX} characters`
    if (!this.#skipping) {
      if (nameOf(this.#text) !== this.#name) return yield* this.#stop(this.#line, `what begins here ${why}`)
      yield { piece: 'fault', line: this.#line, field: this.#name, why }
    }
    this.#skipping = true
    this.#drop(this.#searched)
  }

  /** Refuses the file as long as nothing of it was read; later, reads no more of it. */
  *#stop(line: number, why: string): Iterable<XmlPiece> {
    if (this.#root === undefined) throw invalid('file', `line ${line}: ${why}`)
    if (!this.#stopped)
      yield { piece: 'fault', line, field: this.#root, why: `${why}; what follows is missing` }
    this.#stopped = true
    this.#closed = true
    this.#text = ''
  }

  #drop(length: number): void {
    for (let at = this.#text.indexOf('\n'); at !== -1 && at < length; at = this.#text.indexOf('\n', at + 1)) {
      this.#line++
    }
    this.#text = this.#text.slice(length)
    this.#searched = 0
  }
}

/** `>` may stand in an attribute value. Answers 0 when the end is not there yet. */
function endOfTag(text: string): number {
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at + 1
  }
  return 0
}

const isTag = (text: string): boolean => /^<[A-Za-z_:]/.test(text)
const nameOf = (tag: string): string => /^<\/?([^\s/>]*)/.exec(tag)?.[1] ?? ''
