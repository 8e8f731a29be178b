import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../context.ts'
import type { Seal } from './seal.ts'

/** Where sealed values stand, and what each is bound to. */
export interface SealedColumn {
  readonly table: string
  /** The columns of the primary key. */
  readonly key: readonly string[]
  readonly column: string
  readonly contextOf: (row: Readonly<Record<string, unknown>>) => string
}

/** Opens every value, or those of some rows, with the old seal and closes it with the new one, in the caller's transaction. */
export async function reseal(
  system: { readonly db: Pick<Ctx['db'], 'all' | 'run'> },
  columns: readonly SealedColumn[],
  { from, to }: { readonly from: Seal; readonly to: Seal },
  only: (table: string) => RawBuilder<unknown> = () => sql`true`,
): Promise<number> {
  let count = 0
  for (const { table, key, column, contextOf } of columns) {
    const names = sql.join(key.map((name) => sql.ref(name)))
    const rows = await system.db.all(sql<Record<string, unknown> & { sealed: Buffer }>`
      select ${names}, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null and ${only(table)} for update`)
    for (const { sealed, ...row } of rows) {
      const context = contextOf(row)
      const isIt = sql.join(
        key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
        sql` and `,
      )
      await system.db.run(sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${to.seal(from.open(sealed, context), context)} where ${isIt}`)
      count += 1
    }
  }
  return count
}
