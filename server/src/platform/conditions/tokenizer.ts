import { ConditionError } from './condition-error.ts'
import type { Collection, Field, Vocabulary } from './field.ts'

/** What may stand at a place of the text, for completion. */
export type Wanted =
  | { readonly what: 'term'; readonly vocabulary: Vocabulary }
  | { readonly what: 'field'; readonly vocabulary: Vocabulary }
  | { readonly what: 'comparison'; readonly field: Field }
  | { readonly what: 'value'; readonly field: Field }
  | { readonly what: 'collection'; readonly vocabulary: Vocabulary }
  | { readonly what: 'open'; readonly collection: Collection }
  | { readonly what: 'joint' }

/** A piece of text and where it stands. */
export interface Piece {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly isQuoted: boolean
}

const BLANK = /\s/
const ENDS_WORD = /[\s(),"=!<>:]/
const ENDS_VALUE = /[\s(),"]/
const COMPARISON = /!=|<=|>=|[=<>:]/y
/** Addresses hold colons, which elsewhere compare. */
const ADDRESS =
  /(?:[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|(?=[0-9a-f]*:[0-9a-f:.]*:)[0-9a-f:.]+(?:\/\d+)?)(?=[\s(),"]|$)/iy

/** Reads a condition's text from left to right, and remembers what could have stood where. */
export class Scanner {
  readonly text: string
  at = 0
  /** Where something was last looked for, and what. */
  lastWanted: { readonly from: number; readonly wanted: Wanted } | undefined

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    this.skipBlanks()
    return this.at >= this.text.length
  }

  /** What comes after a word is wanted only once the word has ended: until then it may become another one. */
  want(wanted: Wanted): void {
    this.skipBlanks()
    const isAfterWord = wanted.what === 'joint' || wanted.what === 'comparison' || wanted.what === 'open'
    if (isAfterWord && !/[\s)"]/.test(this.text[this.at - 1] ?? ' ')) return
    this.lastWanted = { from: this.at, wanted }
  }

  skipBlanks(): void {
    while (this.at < this.text.length && BLANK.test(this.text[this.at] ?? '')) this.at++
  }

  fault(message: string, at = this.at): ConditionError {
    return new ConditionError(at, message)
  }

  /** Takes `mark` if it comes next. */
  takes(mark: '(' | ')' | ','): boolean {
    this.skipBlanks()
    if (this.text[this.at] !== mark) return false
    this.at++
    return true
  }

  /** Takes the keyword if it comes next, in any case. */
  takesKeyword(keyword: string): boolean {
    const piece = this.peek(ENDS_WORD)
    if (!piece || piece.isQuoted || piece.text.toLowerCase() !== keyword) return false
    this.at = piece.to
    return true
  }

  comparison(): string | undefined {
    this.skipBlanks()
    COMPARISON.lastIndex = this.at
    const found = COMPARISON.exec(this.text)?.[0]
    if (found) this.at += found.length
    return found
  }

  /** A word or a quoted text. */
  word(): Piece | undefined {
    return this.take(this.address() ?? this.peek(ENDS_WORD))
  }

  /** As `word`, but with the marks that compare: instants and addresses hold colons. */
  value(): Piece | undefined {
    return this.take(this.peek(ENDS_VALUE))
  }

  peekWord(): Piece | undefined {
    return this.address() ?? this.peek(ENDS_WORD)
  }

  private take(piece: Piece | undefined): Piece | undefined {
    if (piece) this.at = piece.to
    return piece
  }

  private address(): Piece | undefined {
    this.skipBlanks()
    ADDRESS.lastIndex = this.at
    const found = ADDRESS.exec(this.text)?.[0]
    return found ? { text: found, from: this.at, to: this.at + found.length, isQuoted: false } : undefined
  }

  private peek(ends: RegExp): Piece | undefined {
    this.skipBlanks()
    const from = this.at
    if (this.text[from] === '"') return this.quoted(from)
    let to = from
    while (to < this.text.length && !ends.test(this.text[to] ?? '')) to++
    return to === from ? undefined : { text: this.text.slice(from, to), from, to, isQuoted: false }
  }

  /** Inside of quotes, a backslash takes the next character as it is. */
  private quoted(from: number): Piece {
    let text = ''
    for (let at = from + 1; at < this.text.length; at++) {
      const character = this.text[at] ?? ''
      if (character === '"') return { text, from, to: at + 1, isQuoted: true }
      if (character === '\\') at++
      text += this.text[at] ?? ''
    }
    throw this.fault('this quote is never closed', from)
  }
}
