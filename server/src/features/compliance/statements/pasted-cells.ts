/**
 * Lines of cells as spreadsheets copy and export them: with tabs, semicolons or commas between, as the first line has it.
 * No more than `linesMax` are read. Cells with line breaks or separators in them stand in quotes, quotes in them twice.
 */
export function cellsIn(given: string, linesMax: number): string[][] {
  const text = given.replace(/^\uFEFF/, '')
  const rows: string[][] = [[]]
  const separator = separatorOf(text)
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`, 'gy')
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, written = '', end = ''] = found
    const isQuoted = written.startsWith('"') && written.endsWith('"') && written.length > 1
    rows.at(-1)?.push(plain(isQuoted ? written.slice(1, -1).replaceAll('""', '"') : written))
    if (end === '') break
    if (end !== separator && rows.push([]) > linesMax) break
  }
  return rows
}

/** As the first line has it. */
function separatorOf(text: string): string {
  const [head = ''] = text.split(/[\r\n]/, 1)
  return ['\t', ';', ','].find((it) => head.includes(it)) ?? '\t'
}

/** Without the apostrophe that exports put before what a spreadsheet would take for a formula. */
const plain = (text: string): string => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text)
