import type { RawBuilder } from 'kysely'
import type { Ctx } from '../context.ts'

/** The rows of a statement that counts over all tenants for metrics. What it answers names no tenant. */
export async function countOverTenants<R>(system: Ctx, query: RawBuilder<R>): Promise<R[]> {
  return await system.db.all(query)
}
