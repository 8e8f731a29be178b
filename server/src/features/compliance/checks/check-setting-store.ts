import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { CheckSetting } from './check-setting.ts'

const given = (settings: readonly CheckSetting[]) => sql`json_to_recordset(${JSON.stringify(settings)}::json)
  as n(framework text, "checkId" text, "isOff" boolean, tolerance text)`

/** In place of earlier ones of the same framework and check. */
export async function writeSettings(ctx: Ctx, settings: readonly CheckSetting[]): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_check_settings (tenant_id, framework, check_id, is_off, tolerance)
    select ${ctx.tenantId}, framework, "checkId", "isOff", tolerance from ${given(settings)}
    on conflict (tenant_id, framework, check_id) do update set is_off = excluded.is_off, tolerance = excluded.tolerance`)
}

export function settingsOf(ctx: Ctx, checkId: string): Promise<CheckSetting[]> {
  return ctx.db.all(sql<CheckSetting>`
    select framework, check_id as "checkId", is_off as "isOff", tolerance from compliance_check_settings
    where tenant_id = ${ctx.tenantId} and check_id = ${checkId} order by framework`)
}

export async function removeSettings(ctx: Ctx, checkId: string): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_check_settings where tenant_id = ${ctx.tenantId} and check_id = ${checkId}`)
}
