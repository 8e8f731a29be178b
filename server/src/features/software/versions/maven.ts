import { compareDigits, compareText, isNumber, sign, type Sign } from './version-parts.ts'

/** The order in the Maven POM reference for Maven 3, which advisories use; Maven 4 treats `.rc1` as `-rc1`. */
export function compareMaven(a: string, b: string): Sign {
  const [left, right] = [tokensOf(a), tokensOf(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at], right[at]]
    const found = compareTokens(one ?? nothingLike(other), other ?? nothingLike(one))
    if (found !== 0) return found
  }
  return 0
}

interface Token {
  readonly separator: '.' | '-'
  /** Digits, or a word in lower case. */
  readonly text: string
}

const RANKS = new Map([
  ['alpha', 1],
  ['beta', 2],
  ['milestone', 3],
  ['rc', 4],
  ['snapshot', 5],
  ['', 6],
  ['sp', 7],
])
const UNKNOWN = 8
const ALIASES = new Map([
  ['cr', 'rc'],
  ['ga', ''],
  ['final', ''],
  ['release', ''],
])
/** Abbreviations, only directly before a digit. */
const SHORT = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['m', 'milestone'],
])

function tokensOf(version: string): Token[] {
  const tokens: Token[] = []
  let separator: '.' | '-' = '.'
  let isExpected = true
  for (const [piece] of version
    .trim()
    .toLowerCase()
    .matchAll(/[0-9]+|[.\-_]|[^0-9.\-_]+/g)) {
    const isSeparator = piece === '.' || piece === '-' || piece === '_'
    if (isSeparator && isExpected) push(tokens, { separator, text: '0' })
    if (isSeparator) separator = piece === '.' ? '.' : '-'
    else push(tokens, { separator: isExpected ? separator : '-', text: piece })
    isExpected = isSeparator
  }
  if (isExpected) push(tokens, { separator, text: '0' })
  dropNothings(tokens)
  return tokens
}

/** Trailing zeros before each hyphen are ignored. */
function push(tokens: Token[], { separator, text }: Token): void {
  const last = tokens.at(-1)
  const long = last && isNumber(text) && separator === '-' ? SHORT.get(last.text) : undefined
  if (last && long !== undefined) tokens[tokens.length - 1] = { ...last, text: long }
  if (separator === '-') dropNothings(tokens)
  tokens.push({ separator, text: ALIASES.get(text) ?? text })
}

function dropNothings(tokens: Token[]): void {
  while (tokens.length > 1 && isNothing(tokens.at(-1)?.text ?? 'x')) tokens.pop()
}

const isNothing = (text: string): boolean => text === '' || (isNumber(text) && compareDigits(text, '') === 0)

function nothingLike(other: Token | undefined): Token {
  return { separator: other?.separator ?? '.', text: other && isNumber(other.text) ? '0' : '' }
}

/** Order: `.word`, `-word`, `-1`, `.1`. */
function compareTokens(a: Token, b: Token): Sign {
  const [isNumericA, isNumericB] = [isNumber(a.text), isNumber(b.text)]
  if (isNumericA !== isNumericB) return isNumericA ? 1 : -1
  if (a.separator !== b.separator) return (a.separator === '-') === isNumericA ? -1 : 1
  return isNumericA ? compareDigits(a.text, b.text) : compareWords(a.text, b.text)
}

function compareWords(a: string, b: string): Sign {
  const [rankA, rankB] = [RANKS.get(a) ?? UNKNOWN, RANKS.get(b) ?? UNKNOWN]
  return rankA === rankB ? compareText(a, b) : sign(rankA - rankB)
}
