/** Words that the server says, in the language of the person. Filled where the pages are built in another language. */
const WORDS: Readonly<Record<string, string>> = {}

/** A name of a field, a state or a kind as the person calls it. What is no such word stays as it is. */
export const inWords = (text: string): string => WORDS[text] ?? text

/** `not_assessed` as `not assessed`. */
export const spaced = (code: string): string => inWords(code.replaceAll('_', ' '))
