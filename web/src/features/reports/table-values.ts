import type { ReportTableInput, ReportTableRows } from '#api/generated/enums-and-inputs.ts'

/** What a form knows of the table of a custom report. Without columns it is the usual one. */
export interface TableValues {
  readonly rows: ReportTableRows
  readonly columns: readonly string[]
  readonly group_by: string
  /** `-` before the field: the greatest first. */
  readonly sort_by: string
  readonly rows_where: string
}

export const noTable: TableValues = { rows: 'assets', columns: [], group_by: '', sort_by: '', rows_where: '' }

/** Of the findings that a condition finds, what people act on, the worst first. */
export const tableOfFindings = (where: string): TableValues => ({
  ...noTable,
  rows: 'findings',
  columns: ['cve', 'severity', 'cvss', 'asset.name', 'product', 'fixed_version', 'found_at'],
  sort_by: '-cvss',
  rows_where: where,
})

/** Null: none was chosen. */
export function tableOf(values: TableValues): ReportTableInput | null {
  if (values.columns.length === 0) return null
  return {
    rows: values.rows,
    columns: [...values.columns],
    groupBy: values.group_by || null,
    sortBy: values.sort_by || null,
    where: (values.rows === 'findings' && values.rows_where.trim()) || null,
  }
}
