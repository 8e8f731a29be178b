import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { PaperName } from './paper-name.ts'

/** A4 unless the tenant chose another. */
export async function paper(ctx: Ctx): Promise<PaperName> {
  const found = await ctx.db.maybe(
    sql<{ paper: PaperName }>`select paper from report_settings where tenant_id = ${ctx.tenantId}`,
  )
  return found?.paper ?? 'a4'
}

export async function savePaper(ctx: Ctx, wanted: PaperName): Promise<void> {
  await ctx.db.run(sql`
    insert into report_settings (tenant_id, paper) values (${ctx.tenantId}, ${wanted})
    on conflict (tenant_id) do update set paper = excluded.paper`)
}
