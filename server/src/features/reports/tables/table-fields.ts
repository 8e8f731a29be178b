import { permit, type Ctx } from '#platform/context.ts'
import type { TableRows } from './chosen-table.ts'
import { columnOf } from './table-store.ts'
import { tableSource, valueOf } from './table-source-store.ts'

/** A field that a table can show. */
export interface TableField {
  readonly name: string
  readonly title: string
  /** What it means. */
  readonly sentence: string
}

/** Those that the actor may read. */
export async function tableFields(ctx: Ctx, rows: TableRows): Promise<TableField[]> {
  permit(ctx, 'reports:write')
  permit(ctx, 'assets:read')
  const { fields } = await tableSource(ctx, rows)
  return fields.filter(valueOf).map((field) => {
    const { name, title } = columnOf(field)
    return { name, title, sentence: field.sentence }
  })
}
