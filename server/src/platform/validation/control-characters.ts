/**
 * Control characters (Unicode 16, general category Cc: C0, DEL and C1). A name that holds one can move a terminal's
 * cursor or hide behind another name in a list, so input that people or files give is refused with it.
 */
export const hasControlCharacter = (text: string): boolean => CONTROL.test(text)

/** The text with a space for each run of control characters: for text that devices report, which is cleaned, not refused. */
export const withoutControlCharacters = (text: string): string =>
  CONTROL.test(text) ? text.replaceAll(CONTROL_RUNS, ' ').trim() : text

const CONTROL = /\p{Cc}/u
const CONTROL_RUNS = /\p{Cc}+/gu
