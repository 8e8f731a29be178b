import { invalid } from '#platform/errors.ts'
import { refuseUnstorableText } from '#platform/http/json-body.ts'
import { cellsIn } from './pasted-cells.ts'
import { implementations, rowDays, rowTexts, type Implementation, type StatementRow } from './statement.ts'

/**
 * Rows as a spreadsheet copies them, with tabs between the cells, or as a CSV file has them, with commas or semicolons.
 * The first line names the columns; those of an exported statement can be given back.
 */

export const ROWS_MAX = 5_000
const LENGTH_MAX = 4_000
const TEXT_LENGTH_MAX = 4_000_000
const dayColumns = { 'reviewed on': 'reviewedOn', 'next review on': 'nextReviewOn' } as const
const columns = [
  'control',
  'applicable',
  'justification',
  'implementation',
  'owner',
  'measures',
  'evidence',
  'risks',
  'reviewed on',
  'next review on',
] as const
type Column = (typeof columns)[number]
/** Of an exported statement, not to be changed here. */
const skipped: readonly string[] = [
  'title',
  'status',
  'evaluated status',
  'exceptions',
  'licensed title',
  'title in the framework',
  'licensed text',
  'text of the framework',
]

/** What is not in a row stays as it is. */
export type RowChange = Pick<StatementRow, 'controlId'> & Partial<StatementRow>

/** Throws 400, which names the line and the column, for what cannot be read. */
export function readPasted(text: string): RowChange[] {
  if (text.length > TEXT_LENGTH_MAX) throw invalid('rows', `have more than ${TEXT_LENGTH_MAX} characters`)
  refuseUnstorableText('rows', text)
  const [head = [], ...lines] = cellsIn(text, ROWS_MAX + 2)
  const names = head.map((it) => it.trim().toLowerCase().replaceAll('_', ' '))
  if (!names.includes('control')) throw invalid('rows', 'line 1: must name the column control')
  const unknown = names.find((it) => !(columns as readonly string[]).includes(it) && !skipped.includes(it))
  if (unknown !== undefined)
    throw invalid('rows', `line 1: there is no column ${unknown}; there are ${columns.join(', ')}`)
  const twice = names.find((it, at) => names.indexOf(it) < at && !skipped.includes(it))
  if (twice !== undefined) throw invalid('rows', `line 1: names the column ${twice} twice`)
  if (lines.length > ROWS_MAX) throw invalid('rows', `are more than ${ROWS_MAX}`)
  const lineOf = new Map<string, number>()
  return lines.flatMap((cells, at) => {
    if (cells.every((it) => it.trim() === '')) return []
    const change = changeOf(names as Column[], cells, at + 2)
    const before = lineOf.get(change.controlId)
    if (before !== undefined)
      throw invalid('rows', `line ${at + 2}: ${change.controlId} is in line ${before} already`)
    lineOf.set(change.controlId, at + 2)
    return [change]
  })
}

/** Throws 400, which names the field, for a text that is too long, and for a day that is none. */
export function requireValid(row: Partial<StatementRow>): void {
  for (const name of rowTexts)
    if ((row[name] ?? '').length > LENGTH_MAX)
      throw invalid(name, `must have at most ${LENGTH_MAX} characters`)
  for (const name of rowDays)
    if (!isDay(row[name] ?? '')) throw invalid(name, 'must be a day such as 2027-03-31, or empty')
}

/** Empty, or a day that the calendar has. */
function isDay(text: string): boolean {
  if (text === '') return true
  const at = /^[12]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

function changeOf(names: readonly Column[], cells: readonly string[], line: number): RowChange {
  const value = new Map(names.map((name, at) => [name, (cells[at] ?? '').trim()]))
  for (const [name, it] of value)
    if (it.length > LENGTH_MAX)
      throw invalid('rows', `line ${line}: ${name} has more than ${LENGTH_MAX} characters`)
  const controlId = value.get('control') ?? ''
  if (controlId === '') throw invalid('rows', `line ${line}: names no control`)
  const applicable = value.get('applicable')
  const implementation = value.get('implementation')?.toLowerCase()
  return {
    controlId,
    ...(applicable !== undefined && { isApplicable: yesOrNo(applicable, line) }),
    ...(implementation !== undefined && { implementation: implementationIn(implementation, line) }),
    ...textsIn(value),
    ...daysIn(value, line),
  }
}

const textsIn = (value: ReadonlyMap<Column, string>) =>
  Object.fromEntries(
    rowTexts.flatMap((name) => (value.has(name) ? [[name, value.get(name) ?? '']] : [])),
  ) as Partial<Pick<StatementRow, (typeof rowTexts)[number]>>

function daysIn(
  value: ReadonlyMap<Column, string>,
  line: number,
): Partial<Pick<StatementRow, (typeof rowDays)[number]>> {
  const found: Partial<Record<(typeof rowDays)[number], string>> = {}
  for (const [column, name] of Object.entries(dayColumns) as [
    keyof typeof dayColumns,
    (typeof rowDays)[number],
  ][]) {
    const text = value.get(column)
    if (text === undefined) continue
    if (!isDay(text)) throw invalid('rows', `line ${line}: ${column} must be a day such as 2027-03-31`)
    found[name] = text
  }
  return found
}

function yesOrNo(text: string, line: number): boolean {
  if (/^(?:yes|true|y|1)$/i.test(text)) return true
  if (/^(?:no|false|n|0)$/i.test(text)) return false
  throw invalid('rows', `line ${line}: applicable must be yes or no`)
}

function implementationIn(text: string, line: number): Implementation {
  const found = implementations.find((it) => it === text)
  if (found === undefined)
    throw invalid(
      'rows',
      `line ${line}: implementation must be ${implementations.slice(1).join(', ')}, or empty`,
    )
  return found
}
