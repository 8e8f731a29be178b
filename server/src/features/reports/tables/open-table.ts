import type { PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { orderOf, type ChosenTable } from './chosen-table.ts'
import { fieldNamed, tableSource, type TableSource } from './table-source-store.ts'

/** A table with all that it was chosen of found. */
export interface OpenTable {
  readonly chosen: ChosenTable
  readonly source: TableSource
  readonly columns: readonly PartField[]
  readonly group: PartField | undefined
  readonly sort: { readonly field: PartField; readonly isDescending: boolean } | undefined
  /** Fields that are gone since, or that who made the report may no longer read. */
  readonly missing: readonly string[]
}

/** Throws where none of its columns is left, and 403 where the actor may not read such rows. */
export async function openTable(ctx: Ctx, chosen: ChosenTable): Promise<OpenTable> {
  const source = await tableSource(ctx, chosen.rows)
  const order = chosen.sortBy === undefined ? undefined : orderOf(chosen.sortBy)
  const named = (name: string | undefined) => (name === undefined ? undefined : fieldNamed(source, name))
  const columns = chosen.columns.flatMap((name) => named(name) ?? [])
  if (columns.length === 0)
    throw new Refusal(500, 'report_without_columns', 'none of its columns is there any more')
  const field = named(order?.name)
  const wanted = [...chosen.columns, ...[chosen.groupBy, order?.name].flatMap((it) => it ?? [])]
  return {
    chosen,
    source,
    columns,
    group: named(chosen.groupBy),
    sort: field && { field, isDescending: order?.isDescending === true },
    missing: [...new Set(wanted.filter((name) => !named(name)))],
  }
}
