import { compareDigits, compareLists, isNumber, sign, type Sign } from './version-parts.ts'

/**
 * Composer: compares the leading numbers first, missing ones as 0; then as PHP's `version_compare`: any other word,
 * dev, alpha, beta, RC, no suffix, a number, patch.
 */
export function comparePackagist(a: string, b: string): Sign {
  const [left, right] = [read(a), read(b)]
  return (
    compareLists(left.numbers, right.numbers, '0', compareDigits) ||
    compareLists<string | undefined>(left.rest, right.rest, undefined, compareParts)
  )
}

function read(version: string): { numbers: string[]; rest: string[] } {
  const text = version.trim().replace(/^v(?=[0-9])/i, '')
  const parts = text.match(/[0-9]+|[A-Za-z]+/g) ?? []
  const word = parts.findIndex((it) => !isNumber(it))
  return word < 0 ? { numbers: parts, rest: [] } : { numbers: parts.slice(0, word), rest: parts.slice(word) }
}

const OTHER = 0
const END = 5
const NUMBER = 6
const RANKS: readonly (readonly [string, number])[] = [
  ['dev', 1],
  ['a', 2],
  ['b', 3],
  ['rc', 4],
  ['p', 7],
]

function rankOf(part: string | undefined): number {
  if (part === undefined) return END
  if (isNumber(part)) return NUMBER
  const word = part.toLowerCase()
  return RANKS.find(([start]) => word.startsWith(start))?.[1] ?? OTHER
}

function compareParts(a: string | undefined, b: string | undefined): Sign {
  const [rankA, rankB] = [rankOf(a), rankOf(b)]
  if (rankA !== rankB) return sign(rankA - rankB)
  return rankA === NUMBER && a !== undefined && b !== undefined ? compareDigits(a, b) : 0
}
