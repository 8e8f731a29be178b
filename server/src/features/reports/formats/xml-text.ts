/** What XML 1.0 §2.2 allows in no document: most control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const SPECIAL = /[&<>\r]/g
const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** Text as the content of an element. What XML cannot hold becomes U+FFFD. */
export const xmlText = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(SPECIAL, (it) => NAMED[it] ?? it)

/** Text as the value of an attribute in double quotes. */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
