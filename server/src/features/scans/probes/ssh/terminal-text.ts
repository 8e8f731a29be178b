/* oxlint-disable no-control-regex -- they are what is looked for */

/** ECMA-48: control sequences, strings of a terminal's operating system, and two-character escapes. */
const ESCAPES =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,512}(?:\u0007|\u001b\\)?|[()][A-Za-z0-9]|[@-Z\\^_=>78])/g
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Text as a person would see it on a terminal: no escape sequences, no control characters but tab and line break. */
export const withoutEscapes = (text: string): string => text.replace(ESCAPES, '').replace(CONTROLS, '')

const WORD_LENGTH_MAX = 200

/** One value: trimmed, on one line, of bounded length. Empty: undefined. */
export function word(text: string | undefined, lengthMax = WORD_LENGTH_MAX): string | undefined {
  const clean = withoutEscapes((text ?? '').slice(0, lengthMax * 4))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed()
  return clean === '' ? undefined : clean
}

/** Longer than anything that is looked for; beyond, a pattern could take its time. */
const LINE_LENGTH_MAX = 2_048

/** The lines that say something, of bounded length. */
export const linesOf = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const short = line.slice(0, LINE_LENGTH_MAX)
    return short.trim() === '' ? [] : [short]
  })

/** `key=value` and `key: value`, the first of each key. */
export function pairsOf(text: string, separator: '=' | ':' = '='): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const line of linesOf(text)) {
    const at = line.indexOf(separator)
    const key = at > 0 ? line.slice(0, at).trim() : ''
    if (key !== '' && !pairs.has(key)) pairs.set(key, line.slice(at + 1).trim())
  }
  return pairs
}
