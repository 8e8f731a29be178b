import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** Ids and names of other assets than these, and ids of what is about them. A name that one of these has is none. */
export async function textsBeyond(ctx: Ctx, mine: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ text: string }>`
    select id::text as text from assets where tenant_id = ${ctx.tenantId} and id <> all(${[...mine]}::uuid[])
    union all select name from assets where tenant_id = ${ctx.tenantId} and id <> all(${[...mine]}::uuid[])
      and name <> all(array(select name from assets where id = any(${[...mine]}::uuid[])))
    union all select id::text from asset_observations
    where tenant_id = ${ctx.tenantId} and asset_id <> all(${[...mine]}::uuid[])
    union all select id::text from findings
    where tenant_id = ${ctx.tenantId} and asset_id <> all(${[...mine]}::uuid[])`)
  return rows.map(({ text }) => text)
}
