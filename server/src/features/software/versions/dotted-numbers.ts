import { compareDigits, compareLists, isNumber, type Sign } from './version-parts.ts'

/**
 * Versions of numbers only: builds of Windows, and CRAN and Hackage, where with `isLongerLater` the longer of two
 * otherwise equal versions is later. Undefined when one is not such a version.
 */
export function compareDotted(a: string, b: string, isLongerLater: boolean): Sign | undefined {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  if (!left || !right) return undefined
  const found = compareLists(left, right, '0', compareDigits)
  if (found !== 0 || !isLongerLater || left.length === right.length) return found
  return left.length < right.length ? -1 : 1
}

function numbersOf(text: string): string[] | undefined {
  const version = text.trim()
  return isNumber(version) && /^[0-9.-]+$/.test(version) ? version.split(/[.-]/) : undefined
}
