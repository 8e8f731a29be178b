/** `M477fdw`, `DS-2CD2042WD-I`, `C9300-48P`: a model number has some digits; a serial number or a date has more. */
const DIGITS_MIN = 2
const DIGITS_MAX = 8
const LENGTH_MAX = 32
/** `LaserJet Pro MFP M477fdw`: so many words may stand between the name of a line and the number. */
const WORDS_BETWEEN = 2

/** The model number whose first letters stand at `at`; undefined: what stands there is something else. */
export function modelAt(text: string, at: number): string | undefined {
  const word = wordAt(text, at).replace(imageOf, '$1')
  return isNumber(word) ? word : undefined
}

/** `C7200-ADVENTERPRISEK9-M`: the name of a system image, made of the model, its features and where it runs. */
const imageOf = /^(.+?)-[a-z]{5,}\w*-mz?$/i

/** What follows the name of a product line, up to and with its number: ` Pro MFP M477fdw`. Empty: no number follows. */
export function numberAfter(text: string, end: number): string {
  let at = end
  for (let words = 0; words <= WORDS_BETWEEN; words++) {
    const start = text[at] === ' ' || text[at] === '-' || text[at] === '/' ? at + 1 : at
    const word = wordAt(text, start)
    if (start === at || word === '' || stops.has(word.toLowerCase()) || isVersion.test(word)) return ''
    at = start + word.length
    if (hasDigit.test(word)) return isTooLong(word) ? '' : text.slice(end, at).replace(/^[-/ ]/, '')
  }
  return ''
}

/** Words after which a number is none of a model. */
const stops = new Set(
  'version ver v firmware fw software release rev revision rom sn serial series build ftp http ip upnp os port'.split(
    ' ',
  ),
)
const isVersion = /^[a-z]?\d+\.\d/i
const hasDigit = /\d/

const isNumber = (word: string): boolean =>
  digitsIn(word) >= DIGITS_MIN && !isTooLong(word) && !isVersion.test(word)

const isTooLong = (word: string): boolean => digitsIn(word) > DIGITS_MAX || word.length > LENGTH_MAX

const digitsIn = (word: string): number => word.replaceAll(/\D/g, '').length

/** Letters and digits, and what joins them. */
function wordAt(text: string, at: number): string {
  let end = at
  while (end < text.length && end - at <= LENGTH_MAX + 1) {
    if (isLetter(text[end]!)) end += 1
    else if (joiners.has(text[end]!) && end > at && isLetter(text[end + 1] ?? '')) end += 2
    else break
  }
  return text.slice(at, text[end] === '+' ? end + 1 : end)
}

const joiners = new Set('-._+')

const isLetter = (letter: string): boolean => /^[a-z\d]$/i.test(letter)
