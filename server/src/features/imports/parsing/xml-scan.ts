/** A tag of one name, found in what is scanned. */
export interface FoundTag {
  /** Behind its `>`. */
  readonly end: number
  readonly isClosing: boolean
  readonly isEmpty: boolean
}

/** The part of a document that is held, and how far it was looked at: nothing is looked at twice. */
export class Scan {
  readonly whole: string
  /** Where the thing at the front begins. */
  at = 0
  /** No end of the thing at the front lies before this. */
  searched: number
  /** Of the tag that is being looked through: the quote that is open. */
  #quote = ''
  /** The tag within the element whose end is being searched; its start is negative once it has been passed. */
  #tag: { readonly start: number; readonly isClosing: boolean } | undefined
  /** What was searched ends within a tag. */
  #isInTag = false

  constructor(whole: string, searched: number) {
    this.whole = whole
    this.searched = searched
  }

  /** What is not passed yet, with what came. */
  with(more: string): Scan {
    const scan = new Scan(this.whole.slice(this.at) + more, this.searched - this.at)
    scan.#quote = this.#quote
    scan.#tag = this.#tag && { ...this.#tag, start: this.#tag.start - this.at }
    scan.#isInTag = this.#isInTag
    return scan
  }

  get pending(): number {
    return this.whole.length - this.at
  }
  /** Of a tag whose end has not been found yet, the characters so far; 0 when none is open. */
  get openTagLength(): number {
    if (!this.#isInTag) return 0
    return this.searched - (this.#tag?.start ?? this.at)
  }
  until(end: number): string {
    return this.whole.slice(this.at, end)
  }
  /** Enough of the front to tell a name by. */
  head(): string {
    return this.whole.slice(this.at, this.at + 256)
  }
  startsWith(mark: string): boolean {
    return this.whole.startsWith(mark, this.at)
  }

  /** Text without the mark: up to it, or all there is. */
  text(mark: string): number {
    const end = this.whole.indexOf(mark, this.at)
    return end === -1 ? this.whole.length : end
  }

  /** Behind the mark that ends what began with `skip` characters. */
  behind(mark: string, skip: number): number | undefined {
    const found = this.whole.indexOf(mark, Math.max(this.searched, this.at + skip))
    if (found !== -1) return found + mark.length
    this.searched = Math.max(this.searched, this.whole.length - mark.length + 1)
    return undefined
  }

  /** Behind the tag at the front. `>` may stand in an attribute value. */
  behindTag(): number | undefined {
    if (this.searched <= this.at) {
      this.searched = this.at
      this.#quote = ''
    }
    return this.#throughTag()
  }

  /** The next opening or closing tag of the name; opening ones only if wanted. */
  nextTag(name: string, wantsOpening: boolean): FoundTag | undefined {
    if (!this.#tag) {
      const tags = wantsOpening
        ? new RegExp(`</?${name}(?=[\\s/>])`, 'g')
        : new RegExp(`</${name}(?=[\\s>])`, 'g')
      tags.lastIndex = this.searched
      const found = tags.exec(this.whole)
      if (!found) {
        this.searched = Math.max(this.searched, this.whole.length - name.length - 2)
        return undefined
      }
      this.#tag = { start: found.index, isClosing: found[0].startsWith('</') }
      this.searched = found.index
      this.#quote = ''
    }
    const end = this.#throughTag()
    if (end === undefined) return undefined
    const { isClosing } = this.#tag
    this.#tag = undefined
    return { end, isClosing, isEmpty: this.isEmptyTag(end) }
  }

  isEmptyTag(end: number): boolean {
    return this.whole.startsWith('/>', end - 2)
  }

  nameAt(start: number): string {
    return /^<\/?([^\s/>]*)/.exec(this.whole.slice(start, start + NAME_LENGTH_MAX))?.[1] ?? ''
  }

  #throughTag(): number | undefined {
    this.#isInTag = false
    while (this.searched < this.whole.length) {
      const sign = this.whole.charAt(this.searched++)
      if (this.#quote !== '') this.#quote = sign === this.#quote ? '' : this.#quote
      else if (sign === '"' || sign === "'") this.#quote = sign
      else if (sign === '>') return this.searched
    }
    this.#isInTag = true
    return undefined
  }
}

const NAME_LENGTH_MAX = 256

/** On which line what is passed begins. */
export class LineCounter {
  line = 1

  pass(scan: Scan, end: number): void {
    for (let at = scan.at; at < end; at++) if (scan.whole.charCodeAt(at) === LINE_FEED) this.line++
  }
}

const LINE_FEED = 0x0a
