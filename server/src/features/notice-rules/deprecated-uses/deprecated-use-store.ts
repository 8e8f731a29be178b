import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** When the owners of keys were told that these call deprecated endpoints. */

export interface KeyUse {
  readonly keyId: string
  readonly endpoint: string
}

export async function wasToldSince(ctx: Ctx, { keyId, endpoint }: KeyUse, since: Date): Promise<boolean> {
  const found = await ctx.db.maybe(sql`
    select 1 from deprecated_uses
    where tenant_id = ${ctx.tenantId} and key_id = ${keyId} and endpoint = ${endpoint} and told_at > ${since}`)
  return found !== undefined
}

/** False when somebody else has noted it since then. */
export async function noteTold(ctx: Ctx, { keyId, endpoint }: KeyUse, since: Date): Promise<boolean> {
  const written = await ctx.db.run(sql`
    insert into deprecated_uses as d (tenant_id, key_id, endpoint, told_at)
    values (${ctx.tenantId}, ${keyId}, ${endpoint}, ${ctx.now()})
    on conflict (tenant_id, key_id, endpoint) do update set told_at = excluded.told_at where d.told_at <= ${since}`)
  return written === 1
}
