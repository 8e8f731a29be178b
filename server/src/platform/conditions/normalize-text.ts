/**
 * The form in which texts are compared: compatibility characters as one (Unicode NFKC), lower case, white space squeezed
 * to single blanks. Texts are normalized when they are stored and when a condition is parsed, never by SQL.
 */
export const normalizeText = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
