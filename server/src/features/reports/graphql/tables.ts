import type { Schema } from '#platform/graphql/schema.ts'
import { tableRows, type ChosenTable } from '../tables/chosen-table.ts'
import { tableFields, type TableField } from '../tables/table-fields.ts'

/** Types that other operations on reports name. */
export type TableTypes = ReturnType<typeof addTables>

/** The tables of custom reports: what they are put together of, and what they can be put together of. */
export function addTables(schema: Schema) {
  const rows = schema.enumType('ReportTableRows', { values: tableRows })
  const field = schema.objectRef<TableField>('ReportTableField').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      title: t.exposeString('title'),
      sentence: t.exposeString('sentence', { description: 'What it means.' }),
    }),
  })
  schema.queryField('reportTableFields', (t) =>
    t.field({
      type: [field],
      description: 'What a custom report of such rows can have as columns, groups and order.',
      args: { rows: t.arg({ type: rows, required: true }) },
      resolve: (_, args, ctx) => tableFields(ctx, args.rows),
    }),
  )
  const table = schema.objectRef<ChosenTable>('ReportTable').implement({
    fields: (t) => ({
      rows: t.expose('rows', { type: rows }),
      columns: t.exposeStringList('columns'),
      groupBy: t.string({ nullable: true, resolve: (it) => it.groupBy ?? null }),
      sortBy: t.string({ nullable: true, resolve: (it) => it.sortBy ?? null }),
      where: t.string({ nullable: true, resolve: (it) => it.where ?? null }),
    }),
  })
  const tableInput = schema.inputType('ReportTableInput', {
    description: 'Columns, groups and order are names of `reportTableFields`.',
    fields: (t) => ({
      rows: t.field({ type: rows, required: true, defaultValue: 'assets' }),
      columns: t.stringList({ required: true, description: 'At most 40.' }),
      groupBy: t.string({ description: 'How many rows each of its values has is a table of its own.' }),
      sortBy: t.string({ description: 'With `-` before it the greatest first.' }),
      where: t.string({ description: 'Of findings: a condition on them.' }),
    }),
  })
  return { table, tableInput }
}
