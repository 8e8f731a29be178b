/** Less, equal or greater. */
export type Sign = -1 | 0 | 1

export const sign = (difference: number): Sign => (difference < 0 ? -1 : difference > 0 ? 1 : 0)

/** By code unit; for ASCII the same as `strcmp`. */
export const compareText = (a: string, b: string): Sign => (a < b ? -1 : a > b ? 1 : 0)

/** Compares two runs of ASCII digits as numbers of any size; an empty run is 0. */
export function compareDigits(a: string, b: string): Sign {
  const [left, right] = [withoutZeros(a), withoutZeros(b)]
  return left.length === right.length ? compareText(left, right) : sign(left.length - right.length)
}

function withoutZeros(digits: string): string {
  let start = 0
  while (start < digits.length && digits[start] === '0') start++
  return start === 0 ? digits : digits.slice(start)
}

export const isNumber = (text: string): boolean => isDigit(text.charCodeAt(0))
export const isDigit = (code: number): boolean => code >= 48 && code <= 57
export const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** Runs of digits and runs of ASCII letters; everything between is dropped. */
export const runsOf = (text: string): string[] => text.match(/[0-9]+|[A-Za-z]+/g) ?? []

/** Compares element by element; `absent` replaces missing elements of the shorter list. */
export function compareLists<T>(
  a: readonly T[],
  b: readonly T[],
  absent: T,
  compare: (a: T, b: T) => Sign,
): Sign {
  const length = Math.max(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const found = compare(
      at < a.length ? (a[at] ?? absent) : absent,
      at < b.length ? (b[at] ?? absent) : absent,
    )
    if (found !== 0) return found
  }
  return 0
}
