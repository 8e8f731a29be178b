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
  const byStart = new Map<number, Word<T>[]>()
  for (const [notation, of] of entries) {
    const word = parse(notation, of)
    const start = isLong(word.letters) ? longStart(word.letters, 0) : startAt(word.letters, 0)
    const alike = byStart.get(start)
    if (alike) alike.push(word)
    else byStart.set(start, [word])
  }
  return (text) => find(byStart, lowerCase(text))
}

interface Word<T> {
  readonly letters: string
  readonly isWhole: boolean
  readonly isPrefix: boolean
  readonly of: T
}

const START = 2

function parse<T>(notation: string, of: T): Word<T> {
  const isWhole = notation.startsWith('=')
  const isPrefix = notation.endsWith('*')
  const letters = notation.slice(isWhole ? 1 : 0, isPrefix ? -1 : undefined).toLowerCase()
  if (letters.indexOf('#') === 0 || letters.indexOf('#') === 1 || letters.length < START) {
    throw new Error(`a known word begins with two letters: ${notation}`)
  }
  return { letters, isWhole, isPrefix, of }
}

function find<T>(byStart: ReadonlyMap<number, readonly Word<T>[]>, text: string): Hit<T>[] {
  const hits: Hit<T>[] = []
  for (let at = 0; at <= text.length - START; at++) {
    if (!isBoundary(text, at)) continue
    for (const start of [longStart(text, at), startAt(text, at)]) {
      const words = byStart.get(start)
      if (!words) continue
      for (const word of words) {
        if (stands(word, text, at)) hits.push({ at, length: word.letters.length, of: word.of })
      }
    }
  }
  return hits
}

/** The first two letters as a number, and the first three: others may have the same, `stands` compares them all. */
const startAt = (text: string, at: number): number =>
  (text.charCodeAt(at) & 0xff) | ((text.charCodeAt(at + 1) & 0xff) << 8) | SHORT
const longStart = (text: string, at: number): number =>
  (text.charCodeAt(at) & 0xff) |
  ((text.charCodeAt(at + 1) & 0xff) << 8) |
  ((text.charCodeAt(at + 2) & 0xff) << 16)

const SHORT = 1 << 24

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
