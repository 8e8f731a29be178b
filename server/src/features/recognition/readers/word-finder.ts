/** A known word found in a text. */
export interface Hit<T> {
  readonly at: number
  readonly length: number
  readonly of: T
}

/**
 * Finds known words in texts, whatever their case. `word` stands alone, `word*` begins a longer one, `=word` is the
 * whole text, `#` is any digit. The cost grows with the length of the text and the number of words that share their
 * first two letters, so no text can make it slow.
 */
export function wordFinder<T>(entries: Iterable<readonly [word: string, of: T]>): (text: string) => Hit<T>[] {
  const words = Array.from(entries, ([notation, of], order) => parse(notation, of, order))
  const byStart = new Map(
    [...Map.groupBy(words, startOf)].map(([start, alike]) => [start, branchOf(alike, START + 1)]),
  )
  return (text) => find(byStart, lowerCase(text))
}

/** Words that begin alike: those to compare here, and the others by their letter at `depth`. */
interface Branch<T> {
  readonly words: readonly Word<T>[]
  readonly depth: number
  readonly next: ReadonlyMap<number, Branch<T>> | undefined
}

/** Up to so many words are compared one by one. */
const FEW = 3

function branchOf<T>(alike: readonly Word<T>[], depth: number): Branch<T> {
  if (alike.length <= FEW) return { words: alike, depth, next: undefined }
  const isHere = ({ letters }: Word<T>): boolean => letters.length <= depth || letters[depth] === '#'
  const next = Map.groupBy(
    alike.filter((word) => !isHere(word)),
    ({ letters }) => letters.charCodeAt(depth),
  )
  return {
    words: alike.filter(isHere),
    depth,
    next: new Map([...next].map(([letter, these]) => [letter, branchOf(these, depth + 1)])),
  }
}

interface Word<T> {
  readonly letters: string
  readonly isWhole: boolean
  readonly isPrefix: boolean
  /** Words that begin at one place are told in the order in which they were given. */
  readonly order: number
  readonly of: T
}

const START = 2

function parse<T>(notation: string, of: T, order: number): Word<T> {
  const isWhole = notation.startsWith('=')
  const isPrefix = notation.endsWith('*')
  const letters = notation.slice(isWhole ? 1 : 0, isPrefix ? -1 : undefined).toLowerCase()
  if (letters.indexOf('#') === 0 || letters.indexOf('#') === 1 || letters.length < START) {
    throw new Error(`a known word begins with two letters: ${notation}`)
  }
  return { letters, isWhole, isPrefix, order, of }
}

function find<T>(byStart: ReadonlyMap<number, Branch<T>>, text: string): Hit<T>[] {
  const hits: Hit<T>[] = []
  let isAfterLetter = false
  for (let at = 0; at <= text.length - START; at++) {
    const isAtLetter = isLetter(text.charCodeAt(at))
    const isInside = isAfterLetter && isAtLetter
    isAfterLetter = isAtLetter
    if (isInside) continue
    collect(byStart.get(longStart(text, at)), text, at, hits)
    collect(byStart.get(startAt(text, at)), text, at, hits)
  }
  return hits
}

function collect<T>(start: Branch<T> | undefined, text: string, at: number, hits: Hit<T>[]): void {
  if (!start) return
  const found: Word<T>[] = []
  for (
    let branch: Branch<T> | undefined = start;
    branch;
    branch = branch.next?.get(text.charCodeAt(at + branch.depth))
  ) {
    for (const word of branch.words) if (stands(word, text, at)) found.push(word)
  }
  if (found.length > 1) found.sort((a, b) => a.order - b.order)
  for (const { letters, of } of found) hits.push({ at, length: letters.length, of })
}

/** The first two letters as a number, and the first three: others may have the same, `stands` compares them all. */
const startAt = (text: string, at: number): number =>
  (text.charCodeAt(at) & 0xff) | ((text.charCodeAt(at + 1) & 0xff) << 8) | SHORT
const longStart = (text: string, at: number): number =>
  (text.charCodeAt(at) & 0xff) |
  ((text.charCodeAt(at + 1) & 0xff) << 8) |
  ((text.charCodeAt(at + 2) & 0xff) << 16)

const SHORT = 1 << 24

const startOf = ({ letters }: Word<unknown>): number =>
  isLong(letters) ? longStart(letters, 0) : startAt(letters, 0)

/** Its first three letters are known. */
const isLong = (letters: string): boolean => letters.length > START && letters[START] !== '#'

function stands({ letters, isWhole, isPrefix }: Word<unknown>, text: string, at: number): boolean {
  const end = at + letters.length
  if (isWhole && (at > 0 || (!isPrefix && end < text.length))) return false
  for (let i = 0; i < letters.length; i++) {
    const [wanted, found] = [letters.charCodeAt(i), text.charCodeAt(at + i)]
    if (wanted === HASH ? !isDigit(found) : wanted !== found) return false
  }
  return isPrefix || isBoundary(text, end)
}

/** Between two letters or digits there is none. */
function isBoundary(text: string, at: number): boolean {
  return (
    at === 0 || at === text.length || !isLetter(text.charCodeAt(at - 1)) || !isLetter(text.charCodeAt(at))
  )
}

const HASH = 0x23

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || isDigit(code) || code > 0x7f

/** Lower case with unchanged offsets: letters whose length would change are left as they are. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
