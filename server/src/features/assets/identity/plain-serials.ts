/**
 * Whether other makers, or other machines, have a serial like this one (as `normaliseIdentifier` returns it): short,
 * counted up, or made of few different characters. Alone it shows no more than that somebody should look.
 */
export function isPlainSerial(serial: string): boolean {
  const letters = serial.replace(/[^\p{L}\p{N}]/gu, '').replace(/^0+/, '')
  if (letters.length < LENGTH_MIN || new Set(letters).size < DISTINCT_MIN) return true
  if (/^\d+$/.test(letters) && letters.length < DIGITS_MIN) return true
  if (isCounted(letters)) return true
  return longestRun(letters) >= letters.length - OUTSIDE_OF_RUN_MAX
}

/** Digits in their order, also over the nine, and few letters beside them: `SN1234567890`. */
function isCounted(letters: string): boolean {
  const digits = /\d+/.exec(letters)?.[0] ?? ''
  if (digits.length < COUNTED_MIN || letters.length - digits.length > LETTERS_BESIDE_MAX) return false
  return Array.from(digits).every(
    (digit, at) => at === 0 || (Number(digits[at - 1]) + 1) % 10 === Number(digit),
  )
}

const COUNTED_MIN = 6
const LETTERS_BESIDE_MAX = 4
/** A service tag of Dell has seven characters. */
const LENGTH_MIN = 7
const DISTINCT_MIN = 4
const DIGITS_MIN = 9
const OUTSIDE_OF_RUN_MAX = 2

/** The length of the longest part whose characters follow each other, up or down: 6 for `AB123456`. */
function longestRun(text: string): number {
  let longest = 0
  for (const step of [1, -1]) {
    let run = 1
    for (let at = 1; at < text.length; at++) {
      run = text.charCodeAt(at) - text.charCodeAt(at - 1) === step ? run + 1 : 1
      longest = Math.max(longest, run)
    }
  }
  return longest
}
