import { compareGeneric } from './generic.ts'
import { compareDigits, compareText, isLetter, sign, type Sign } from './version-parts.ts'

/**
 * apk-tools: `1.2.3b_rc1_p2~hash-r4`. Numbers after the first that begin with a zero compare as fractions. Trailing
 * text that is not understood makes a version older than the same without it.
 */
export function compareApk(a: string, b: string): Sign {
  const [left, right] = [readApk(a.trim()), readApk(b.trim())]
  const found = compareNumbers(left.numbers, right.numbers) || compareTails(left, right)
  if (found !== 0 || left.rest === right.rest) return found
  if (left.rest === '' || right.rest === '') return left.rest === '' ? 1 : -1
  return left.revision === '' && right.revision === '' ? compareGeneric(left.rest, right.rest) : 0
}

interface ApkVersion {
  readonly numbers: readonly string[]
  readonly letter: string
  readonly suffixes: readonly (readonly [rank: number, digits: string])[]
  readonly revision: string
  readonly rest: string
}

/** Order of suffixes; 0 stands for no suffix. */
const SUFFIXES = new Map([
  ['alpha', -4],
  ['beta', -3],
  ['pre', -2],
  ['rc', -1],
  ['cvs', 1],
  ['svn', 2],
  ['git', 3],
  ['hg', 4],
  ['p', 5],
])

export function readApk(text: string): ApkVersion {
  const release = /^[0-9]+(?:\.[0-9]+)*/.exec(text)?.[0] ?? ''
  let at = release.length
  const letter = release !== '' && isLetter(text.charCodeAt(at)) ? (text[at] ?? '') : ''
  at += letter.length
  const suffixes: (readonly [number, string])[] = []
  const suffix = /_([a-z]+)([0-9]*)/y
  for (;;) {
    suffix.lastIndex = at
    const [whole = '', word = '', digits = ''] = suffix.exec(text) ?? []
    const rank = SUFFIXES.get(word)
    if (release === '' || rank === undefined) break
    suffixes.push([rank, digits])
    at += whole.length
  }
  at += matchAt(/~[0-9a-f]+/y, text, at).length
  const revision = release === '' ? '' : matchAt(/-r[0-9]*/y, text, at)
  return {
    numbers: release === '' ? [] : release.split('.'),
    letter,
    suffixes,
    revision: revision.slice(2),
    rest: text.slice(at + revision.length),
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** Also used for Gentoo, whose rules apk adopted. */
export function compareNumbers(a: readonly string[], b: readonly string[]): Sign {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [left = '', right = ''] = [a[at], b[at]]
    const isFraction = at > 0 && (left.startsWith('0') || right.startsWith('0'))
    const found = isFraction ? compareFractions(left, right) : compareDigits(left, right)
    if (found !== 0) return found
  }
  return sign(a.length - b.length)
}

/** More leading zeros sort first; then the numbers decide. */
function compareFractions(a: string, b: string): Sign {
  const [zerosA, zerosB] = [zerosBefore(a), zerosBefore(b)]
  return zerosA === zerosB ? compareDigits(a, b) : sign(zerosB - zerosA)
}

function zerosBefore(digits: string): number {
  let count = 0
  while (digits[count] === '0') count++
  return count
}

export function compareTails(a: ApkVersion, b: ApkVersion): Sign {
  const found = compareText(a.letter, b.letter)
  if (found !== 0) return found
  for (let at = 0; at < Math.max(a.suffixes.length, b.suffixes.length); at++) {
    const [[rankA, digitsA], [rankB, digitsB]] = [a.suffixes[at] ?? NONE, b.suffixes[at] ?? NONE]
    const order = sign(rankA - rankB) || compareDigits(digitsA, digitsB)
    if (order !== 0) return order
  }
  return compareDigits(a.revision, b.revision)
}

const NONE = [0, ''] as const
