import { readCondition } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { orderOf, tableRows, type ChosenTable, type TableInput } from './chosen-table.ts'
import { fieldNamed, tableSource, type TableSource } from './table-source-store.ts'

const COLUMNS_MAX = 40

/** Throws 400, which names the field, for columns that are not there or may not be read. */
export async function checkedTable(ctx: Ctx, input: TableInput): Promise<ChosenTable> {
  const rows = tableRows.find((it) => it === (input.rows ?? 'assets'))
  if (!rows) throw invalid('rows', `must be one of ${tableRows.join(', ')}`)
  const source = await tableSource(ctx, rows)
  const [groupBy, sortBy, where] = [input.groupBy, input.sortBy, input.where].map(
    (it) => it?.trim() || undefined,
  )
  if (input.columns.length > COLUMNS_MAX) throw invalid('columns', `must be at most ${COLUMNS_MAX}`)
  const columns = input.columns.map((name) => checkedField(source, 'columns', name))
  if (columns.length === 0) throw invalid('columns', 'must name at least one field')
  if (new Set(columns).size < columns.length) throw invalid('columns', 'must name each field once')
  if (where !== undefined && rows !== 'findings')
    throw invalid('rows_where', 'is a condition on findings; where chooses the assets')
  if (where !== undefined) readCondition(source.subject, 'rows_where', where)
  return {
    rows,
    columns,
    ...(groupBy !== undefined && { groupBy: checkedField(source, 'group_by', groupBy) }),
    ...(sortBy !== undefined && { sortBy: checkedOrder(source, sortBy) }),
    ...(where !== undefined && { where }),
  }
}

function checkedOrder(source: TableSource, sortBy: string): string {
  const { name, isDescending } = orderOf(sortBy)
  return `${isDescending ? '-' : ''}${checkedField(source, 'sort_by', name)}`
}

function checkedField(source: TableSource, of: string, name: string): string {
  const field = fieldNamed(source, name.trim())
  if (!field)
    throw invalid(of, `there is no field ${JSON.stringify(name.slice(0, 100))}, or you may not read it`)
  return field.name
}
