/**
 * What a table holds, and so where it can be when tenants are distributed over several databases (docs/decisions/0031).
 *
 * - `tenant`: rows of one tenant each; every key begins with `tenant_id`, and the tenant can be moved with its rows.
 * - `directory`: asked before the tenant is known, such as sessions and API keys.
 * - `catalogue`: the same for all tenants.
 * - `engine`: work that is claimed across tenants, and the processes that do it; in one database with the changes that it
 *   follows from, so that both are one commit.
 */
export type TableKind = 'tenant' | 'directory' | 'catalogue' | 'engine'

/** By the table's name. */
export type Tables = Readonly<Record<string, TableKind>>

/** The tables that belong to no feature. */
export const platformTables: Tables = {
  idempotency_keys: 'engine',
  installation: 'engine',
  jobs: 'engine',
  migrations: 'engine',
  moved_keys: 'directory',
  nodes: 'engine',
  periodic_jobs: 'engine',
  rate_windows: 'engine',
  recent_writers: 'engine',
  tenant_changes: 'tenant',
  tenant_moves: 'directory',
  tenant_versions: 'tenant',
}
