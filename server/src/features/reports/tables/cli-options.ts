import type { TableInput } from './chosen-table.ts'

/** Options of `report create`: the table of a custom report. */
export const tableOptions = {
  column: { value: 'FIELD', many: true, help: 'of a custom report: a column; may be repeated' },
  rows: { value: 'ROWS', help: 'of a custom report: assets, findings or software; assets unless given' },
  group: { value: 'FIELD', help: 'of a custom report: rows with the same value together, and counted' },
  sort: { value: 'FIELD', help: 'of a custom report: its order; -FIELD: the greatest first' },
  'rows-where': { value: 'CONDITION', help: 'of a custom report of findings: only those' },
} as const

/** Undefined where none of them is given. */
export function tableOf(options: Readonly<Record<string, string>>): TableInput | undefined {
  const { column, rows, group, sort } = options
  const where = options['rows-where']
  if ([column, rows, group, sort, where].every((it) => it === undefined)) return undefined
  return { columns: column?.split('\n') ?? [], rows, groupBy: group, sortBy: sort, where }
}
