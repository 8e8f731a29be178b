import { compareDigits, isDigit, isLetter, sign, type Sign } from './version-parts.ts'

/** `dpkg --compare-versions`: Debian Policy 5.6.12. */
export function compareDpkg(a: string, b: string): Sign {
  const [left, right] = [partsOf(a), partsOf(b)]
  return (
    compareDigits(left.epoch, right.epoch) ||
    comparePart(left.upstream, right.upstream) ||
    comparePart(left.revision, right.revision)
  )
}

function partsOf(version: string): { epoch: string; upstream: string; revision: string } {
  const text = version.trim()
  const colon = text.indexOf(':')
  const hasEpoch = colon > 0 && EPOCH.test(text.slice(0, colon))
  const rest = hasEpoch ? text.slice(colon + 1) : text
  const dash = rest.lastIndexOf('-')
  return {
    epoch: hasEpoch ? text.slice(0, colon) : '',
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    revision: dash < 0 ? '' : rest.slice(dash + 1),
  }
}

/** dpkg stores the epoch in an int. */
const EPOCH = /^[0-9]{1,10}$/

/** Compares non-digit parts character by character and digit parts as numbers, in turn. */
function comparePart(a: string, b: string): Sign {
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    while ((i < a.length && !isDigit(a.charCodeAt(i))) || (j < b.length && !isDigit(b.charCodeAt(j)))) {
      const found = weight(a, i) - weight(b, j)
      if (found !== 0) return sign(found)
      i++
      j++
    }
    const [from, to] = [endOfDigits(a, i), endOfDigits(b, j)]
    const found = compareDigits(a.slice(i, from), b.slice(j, to))
    if (found !== 0) return found
    ;[i, j] = [from, to]
  }
  return 0
}

const OTHERS = 256

/** Sort weight of a character: tilde before the end, the end before letters, letters before all others. */
function weight(text: string, at: number): number {
  if (at >= text.length) return 0
  const code = text.charCodeAt(at)
  if (isDigit(code)) return 0
  if (text[at] === '~') return -1
  return isLetter(code) ? code : code + OTHERS
}

function endOfDigits(text: string, from: number): number {
  let at = from
  while (at < text.length && isDigit(text.charCodeAt(at))) at++
  return at
}
