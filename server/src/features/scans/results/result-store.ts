import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { ScanResult } from './scan-result.ts'

type New = Pick<ScanResult, 'host' | 'name' | 'read' | 'isCut' | 'raw'>

/** Stores nothing when the scan has been deleted. */
export async function add(ctx: Ctx, scanId: string, rows: readonly New[]): Promise<void> {
  if (rows.length === 0) return
  await ctx.db.run(sql`
    insert into scan_results (tenant_id, scan_id, host, name, read, is_cut, raw, seen_at)
    select ${ctx.tenantId}::uuid, s.id, it->>'host', it->>'name', it->'read', (it->>'isCut')::boolean, it->'raw', ${ctx.now()}
    from jsonb_array_elements(${JSON.stringify(rows).replaceAll(String.raw`\u0000`, '')}::jsonb) it
    join scans s on s.tenant_id = ${ctx.tenantId} and s.id = ${scanId}`)
}

export async function isScan(ctx: Ctx, id: string): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from scans where tenant_id = ${ctx.tenantId} and id = ${id}) as found`)
  return found
}

export async function results(
  ctx: Ctx,
  scanId: string,
  { limit, offset }: Page,
): Promise<Listed<ScanResult>> {
  const where = sql`tenant_id = ${ctx.tenantId} and scan_id = ${scanId}`
  const items = await ctx.db.all(sql<ScanResult>`
    select id::text, host, name, read, is_cut as "isCut", raw, seen_at as "seenAt" from scan_results where ${where}
    order by scan_results.id limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from scan_results where ${where}`)
  return { items, total }
}

export async function remove(ctx: Ctx, scanId: string): Promise<void> {
  await ctx.db.run(sql`delete from scan_results where tenant_id = ${ctx.tenantId} and scan_id = ${scanId}`)
}

const BATCH = 5_000

/** Of all tenants, in steps: no lock is held for long. */
export async function removeOld(system: Ctx, days: number): Promise<void> {
  for (;;) {
    const removed = await system.db.run(sql`
      delete from scan_results where (tenant_id, scan_id, id) in (
        select tenant_id, scan_id, id from scan_results where seen_at < now() - make_interval(days => ${days}) limit ${BATCH})`)
    if (removed < BATCH) return
  }
}
