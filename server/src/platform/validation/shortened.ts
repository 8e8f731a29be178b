/** The first characters of a text, at most so many UTF-16 units: it never ends within a character. */
export const shortened = (text: string, lengthMax: number): string =>
  text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '')
