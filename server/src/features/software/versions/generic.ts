import { compareDigits, compareText, isNumber, runsOf, sign, type Sign } from './version-parts.ts'

/**
 * For software whose scheme is not known: runs of digits compare as numbers, runs of letters as words; separators and
 * trailing zeros are ignored. `alpha`, `beta`, `pre`, `rc` and `nightly` come before the version without them, other
 * words after it (`1.0.2k`, `98SP1`), further numbers after any word. `-a`, `-b` and `-m1` are short for alpha, beta and
 * milestone (`1.1.1-a`, but not OpenSSL's `1.1.1a`); `GA`, `Final`, `Release` and `LTS` say nothing.
 */
export function compareGeneric(a: string, b: string): Sign {
  const [left, right] = [tokensOf(a), tokensOf(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const found = compareTokens(left[at], right[at])
    if (found !== 0) return found
  }
  return 0
}

const EARLY = new Map([
  ['nightly', 0],
  ['canary', 0],
  ['snapshot', 1],
  ['alpha', 2],
  ['beta', 3],
  ['milestone', 4],
  ['preview', 5],
  ['pre', 5],
  ['prerelease', 5],
  ['cr', 6],
  ['rc', 6],
])

const ABBREVIATED = /-(?:a|b)(?=$|[-.]?\d)/
/** Of Java's projects; Cisco's `15.2(4)M3` is a release. */
const MILESTONE = /[-.]m(?=\d)/
const RELEASED = /[-._ ]?(?:ga|final|release|lts)$/

function tokensOf(version: string): string[] {
  const tokens: string[] = []
  let numbers: string[] = []
  const runs = runsOf(
    version
      .trim()
      .toLowerCase()
      .replace(ABBREVIATED, (it) => (it === '-a' ? '-alpha' : '-beta'))
      .replace(MILESTONE, '-milestone')
      .replace(RELEASED, ''),
  )
  const start = runs[0] === 'v' && runs.length > 1 ? 1 : 0
  for (const run of runs.slice(start)) {
    if (isNumber(run)) numbers.push(run)
    else {
      tokens.push(...withoutZeros(numbers), run)
      numbers = []
    }
  }
  for (const number of withoutZeros(numbers)) tokens.push(number)
  return tokens
}

function withoutZeros(numbers: string[]): string[] {
  let length = numbers.length
  while (length > 0 && isZero(numbers[length - 1] ?? '')) length--
  return numbers.slice(0, length)
}

const isZero = (digits: string): boolean => compareDigits(digits, '') === 0

function compareTokens(a: string | undefined, b: string | undefined): Sign {
  const [kindA, kindB] = [kindOf(a), kindOf(b)]
  if (kindA !== kindB) return sign(kindA - kindB)
  if (a === undefined || b === undefined) return 0
  return kindA === NUMBER ? compareDigits(a, b) : kindA === WORD ? compareText(a, b) : 0
}

const END = 10
const WORD = 11
const NUMBER = 12

function kindOf(token: string | undefined): number {
  if (token === undefined) return END
  return isNumber(token) ? NUMBER : (EARLY.get(token) ?? WORD)
}
