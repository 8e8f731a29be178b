import { compareDigits, compareText, isDigit, isLetter, type Sign } from './version-parts.ts'

/**
 * librpm: epoch, then version, then release, each by `rpmvercmp`. A missing epoch is 0. An epoch that is not a number
 * is compared as a version, while librpm would refuse it.
 */
export function compareRpm(a: string, b: string): Sign {
  const [left, right] = [partsOfRpm(a), partsOfRpm(b)]
  return (
    compareSegments(left.epoch ?? '0', right.epoch ?? '0') ||
    compareSegments(left.version, right.version) ||
    compareSegments(left.release, right.release)
  )
}

/** `rpm -qa` prints no epoch: an unknown epoch is ignored, and so is a release that one side lacks. */
export function compareRpmOfUnknownEpoch(a: string, b: string): Sign {
  const [left, right] = [partsOfRpm(a), partsOfRpm(b)]
  if (left.epoch !== undefined && right.epoch !== undefined) return compareRpm(a, b)
  return compareSegments(left.version, right.version) || compareSegments(left.release, right.release)
}

function partsOfRpm(text: string): { epoch: string | undefined; version: string; release: string } {
  const version = text.trim()
  const colon = version.indexOf(':')
  const rest = version.slice(colon + 1)
  const dash = rest.lastIndexOf('-')
  return {
    epoch: colon < 0 ? undefined : version.slice(0, colon),
    version: dash < 0 ? rest : rest.slice(0, dash),
    release: dash < 0 ? '' : rest.slice(dash + 1),
  }
}

/** `rpmvercmp` of rpmio/rpmvercmp.c, described in rpm-version(7). */
function compareSegments(a: string, b: string): Sign {
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    i = skipSeparators(a, i)
    j = skipSeparators(b, j)
    const marked = compareMarks(a[i], b[j])
    if (marked === 'both') {
      i++
      j++
      continue
    }
    if (marked !== undefined) return marked
    if (i >= a.length || j >= b.length) break
    const isOf = isDigit(a.charCodeAt(i)) ? isDigit : isLetter
    const [from, to] = [endOf(a, i, isOf), endOf(b, j, isOf)]
    if (to === j) return isOf === isDigit ? 1 : -1
    const compare = isOf === isDigit ? compareDigits : compareText
    const found = compare(a.slice(i, from), b.slice(j, to))
    if (found !== 0) return found
    ;[i, j] = [from, to]
  }
  if (i >= a.length && j >= b.length) return 0
  return i < a.length ? 1 : -1
}

/** A tilde sorts before everything, including the end; a caret after the end, but before everything else. */
function compareMarks(a: string | undefined, b: string | undefined): Sign | 'both' | undefined {
  if (a === '~' || b === '~') return a === b ? 'both' : a === '~' ? -1 : 1
  if (a === '^' || b === '^') {
    if (a === b) return 'both'
    if (a === undefined) return -1
    if (b === undefined) return 1
    return a === '^' ? -1 : 1
  }
  return undefined
}

function skipSeparators(text: string, from: number): number {
  let at = from
  while (at < text.length && !isMeant(text.charCodeAt(at))) at++
  return at
}

const TILDE = 126
const CARET = 94
const isMeant = (code: number): boolean => isDigit(code) || isLetter(code) || code === TILDE || code === CARET

function endOf(text: string, from: number, isOf: (code: number) => boolean): number {
  let at = from
  while (at < text.length && isOf(text.charCodeAt(at))) at++
  return at
}
