import { sql, type RawBuilder } from 'kysely'
import type { LimitedRows } from './limited-db.ts'

/** The rows of a tenant's table that belong to rows of another one, as those look to the actor. */
export const rowsOf = (
  { tenantId }: { readonly tenantId: string },
  table: string,
  column: string,
  of: `${string}.${string}`,
): LimitedRows => rowsWhere({ tenantId }, table, [isAmong({ tenantId }, `t.${column}`, of)], [of])

/** The rows `t` of a tenant's table for which all of this is true. */
export function rowsWhere(
  { tenantId }: { readonly tenantId: string },
  table: string,
  conditions: readonly RawBuilder<unknown>[],
  needs: readonly string[] = [],
): LimitedRows {
  const all = sql.join([sql`t.tenant_id = ${tenantId}`, ...conditions], sql` and `)
  return {
    needs: needs.map((it) => it.replace(/\..*/, '')),
    rows: sql`select t.* from ${sql.table(table)} t where ${all}`,
  }
}

/** That a value is in a column of a table, as that looks to the actor. */
export function isAmong(
  { tenantId }: { readonly tenantId: string },
  value: string,
  of: `${string}.${string}`,
): RawBuilder<boolean> {
  const [table = '', column = ''] = of.split('.')
  return sql`${sql.ref(value)} in (select o.${sql.ref(column)} from ${sql.table(table)} o where o.tenant_id = ${tenantId})`
}
