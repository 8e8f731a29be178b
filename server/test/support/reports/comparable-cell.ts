/** Without the apostrophe that CSV and Excel set before what looks like a formula. */
export function plain(cell: unknown): string {
  if (typeof cell === 'string') return cell.replace(/^'(?=[=+\-@\t\r])/, '')
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return cell === null || cell === undefined ? '' : JSON.stringify(cell)
}

/** What a cell of Excel and a text say in the same way; of days and times, that they are there. */
export function comparableCell(kind: string, cell: unknown): string {
  const text = plain(cell)
  if (text === '' || kind === 'text' || kind === 'yesno') return text
  return kind === 'integer' || kind === 'decimal' ? String(Number(text)) : 'a day'
}
