/**
 * The form in which texts are compared: compatibility characters as one (Unicode NFKC), lower case, white space squeezed
 * to single blanks. Texts are normalized when they are stored and when a condition is parsed, never by SQL.
 */
export const normalizeText = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/**
 * The form in which a part of a text is sought: lower case, a letter with its accent as one character (Unicode NFC), and one sigma,
 * whose lower case depends on what follows it. A trigram index ignores punctuation, so signs become letters that no
 * lower-case text has.
 */
export function searchSpelling(text: string): string {
  const folded = text.toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
  return folded.replace(/[.\-:_]/g, (sign) => letters[sign] ?? sign)
}

const letters: Readonly<Record<string, string>> = { '.': 'Q', '-': 'Z', ':': 'X', _: 'J' }
