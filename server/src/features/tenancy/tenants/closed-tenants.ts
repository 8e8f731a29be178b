import type { Ctx } from '#platform/context.ts'
import * as store from './closed-tenant-store.ts'

const ROWS_PER_STATEMENT = 5_000

/**
 * Deletes the rows of closed tenants, a part of a table at a time, and later the tenant itself, once a whole round found
 * none of it: what still ran when it was closed may have written since.
 */
export async function deleteClosedTenants(system: Ctx): Promise<void> {
  for (const tenantId of await store.closedTenants(system)) {
    const deleted = await deleteRows(system, tenantId)
    if (deleted === 0) await store.deleteTenant(system, tenantId)
  }
}

async function deleteRows(system: Ctx, tenantId: string): Promise<number> {
  let waiting = await store.tablesOfTenants(system)
  let total = 0
  while (waiting.length > 0) {
    const blocked: string[] = []
    let progress = 0
    for (const table of waiting) {
      const { deleted, isBlocked } = await deleteFrom(system, tenantId, table)
      progress += deleted
      if (isBlocked) blocked.push(table)
    }
    total += progress
    if (blocked.length > 0 && progress === 0)
      throw new Error(`rows of closed tenant ${tenantId} refer to each other: ${blocked.join(', ')}`)
    waiting = blocked
  }
  return total
}

async function deleteFrom(
  system: Ctx,
  tenantId: string,
  table: string,
): Promise<{ readonly deleted: number; readonly isBlocked: boolean }> {
  let deleted = 0
  for (;;) {
    const part = await store.deleteRows(system, { tenantId, table, most: ROWS_PER_STATEMENT })
    if (part < 0) return { deleted, isBlocked: true }
    deleted += part
    if (part < ROWS_PER_STATEMENT) return { deleted, isBlocked: false }
  }
}
