import { sql } from 'kysely'
import { createException } from '#features/compliance/compliance.ts'
import type { Ctx } from '#platform/context.ts'

/** Each asset that has none gets an exception of its own, whose reason is said nowhere else. */
export async function exceptEachAsset(ctx: Ctx): Promise<void> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from assets a where tenant_id = ${ctx.tenantId} and not exists (
      select from compliance_exceptions e where e.tenant_id = ${ctx.tenantId} and e.asset_id = a.id)`)
  const expiresAt = new Date(ctx.now().getTime() + 86_400_000).toISOString()
  for (const { id } of rows)
    await createException(ctx, { checkId: 'has-owner', assetId: id, reason: `because of ${id}`, expiresAt })
}
