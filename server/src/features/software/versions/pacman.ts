import { compareDigits, compareText, isDigit, isLetter, sign, type Sign } from './version-parts.ts'

/** `vercmp` of pacman: epoch, version, and the release if both have one. */
export function comparePacman(a: string, b: string): Sign {
  const [left, right] = [partsOf(a), partsOf(b)]
  const found = compareSegments(left.epoch, right.epoch) || compareSegments(left.version, right.version)
  if (found !== 0 || left.release === undefined || right.release === undefined) return found
  return compareSegments(left.release, right.release)
}

function partsOf(text: string): { epoch: string; version: string; release: string | undefined } {
  const version = text.trim()
  const colon = endOf(version, 0, isDigit)
  const hasEpoch = version[colon] === ':'
  const rest = hasEpoch ? version.slice(colon + 1) : version
  const dash = rest.lastIndexOf('-')
  return {
    epoch: hasEpoch && colon > 0 ? version.slice(0, colon) : '0',
    version: dash < 0 ? rest : rest.slice(0, dash),
    release: dash < 0 ? undefined : rest.slice(dash + 1),
  }
}

/** As rpm's, with three differences: more separators win, trailing letters lose, no tilde and caret. */
function compareSegments(a: string, b: string): Sign {
  if (a === b) return 0
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const [startA, startB] = [i, j]
    i = endOf(a, i, isSeparator)
    j = endOf(b, j, isSeparator)
    if (i >= a.length || j >= b.length) break
    if (i - startA !== j - startB) return sign(i - startA - (j - startB))
    const isOf = isDigit(a.charCodeAt(i)) ? isDigit : isLetter
    const [from, to] = [endOf(a, i, isOf), endOf(b, j, isOf)]
    if (to === j) return isOf === isDigit ? 1 : -1
    const compare = isOf === isDigit ? compareDigits : compareText
    const found = compare(a.slice(i, from), b.slice(j, to))
    if (found !== 0) return found
    ;[i, j] = [from, to]
  }
  return compareRemains(a.charCodeAt(i), b.charCodeAt(j), [i >= a.length, j >= b.length])
}

/** `1.0a` is older than `1.0`, but `1.0.a` and `1.0.1` are newer. */
function compareRemains(a: number, b: number, [isEndA, isEndB]: readonly [boolean, boolean]): Sign {
  if (isEndA && isEndB) return 0
  return (isEndA && !isLetter(b)) || (!isEndA && isLetter(a)) ? -1 : 1
}

const isSeparator = (code: number): boolean => !isDigit(code) && !isLetter(code)

function endOf(text: string, from: number, isOf: (code: number) => boolean): number {
  let at = from
  while (at < text.length && isOf(text.charCodeAt(at))) at++
  return at
}
