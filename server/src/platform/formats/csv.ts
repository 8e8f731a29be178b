const FORMULA_STARTS = new Set(['=', '+', '-', '@', '\t', '\r'])
const GUARD = "'"
const NEEDS_QUOTES = /[",\r\n]/

/**
 * One line of CSV, ended by CRLF (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe
 * in front. That holds for numbers too: the rule speaks of what the cell begins with, and `-5` begins with one.
 */
export function csvRow(cells: readonly (string | number)[]): string {
  // A lone empty cell would be a blank line, which readers skip.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  let row = ''
  for (let i = 0; i < cells.length; i++) row += (i === 0 ? '' : ',') + csvCell(String(cells[i]))
  return row + '\r\n'
}

/** Takes back the guard of `csvRow`. Text that had an apostrophe before a formula sign of its own loses it. */
export const unguarded = (cell: string): string =>
  cell[0] === GUARD && FORMULA_STARTS.has(cell.charAt(1)) ? cell.slice(1) : cell

/** Text that no spreadsheet runs as a formula, wherever it is copied to. */
export const guarded = (text: string): string => (FORMULA_STARTS.has(text.charAt(0)) ? GUARD + text : text)

function csvCell(text: string): string {
  const safe = guarded(text)
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
