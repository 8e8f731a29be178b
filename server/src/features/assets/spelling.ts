/**
 * How texts and terms of searches are spelled, so that the index of trigrams, which are made of letters and digits
 * alone, knows punctuation too: `search_spelling` in the database.
 */
export function spelled(text: string): string {
  return text.toLowerCase().replace(/[.\-:_]/g, (sign) => letters[sign] ?? sign)
}

const letters: Readonly<Record<string, string>> = { '.': 'Q', '-': 'Z', ':': 'X', _: 'J' }
