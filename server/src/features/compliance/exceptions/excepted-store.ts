import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Control } from '../catalogue/catalogue.ts'

/** Which failures are under an exception, and how many. */

/** A control by its framework and id, also as columns of a statement. */
export type ControlSql = Readonly<Record<'framework' | 'controlId', RawBuilder<string>>>

export const controlSql = ({ framework, id }: Pick<Control, 'framework' | 'id'>): ControlSql => ({
  framework: sql`${framework}`,
  controlId: sql`${id}`,
})

/** Whether a result `r` is under an exception in force: from its check, or as well from the control. */
export const isExcepted = (ctx: Ctx, control?: ControlSql): RawBuilder<boolean> => sql`exists (
  select from compliance_exceptions e
  where e.tenant_id = ${ctx.tenantId} and ${isFrom(control)} and e.state = 'active' and e.expires_at > ${ctx.now()}
    and (e.asset_id is null or e.asset_id = r.asset_id)
    and (e.tag is null or exists (select from assets t where t.tenant_id = ${ctx.tenantId} and t.id = r.asset_id
      and t.tags @> array[e.tag]))
    and (e.condition is null or exists (
      select from compliance_scopes s join compliance_assets c on c.tenant_id = ${ctx.tenantId} and s.number = any(c.scopes)
      where s.tenant_id = ${ctx.tenantId} and s.scope = e.condition and c.asset_id = r.asset_id)))`

const isFrom = (control: ControlSql | undefined) =>
  control
    ? sql`(e.check_id = r.check_id or e.framework = ${control.framework} and e.control_id = ${control.controlId})`
    : sql`e.check_id = r.check_id`

/** A check that judges a control. */
export interface Judging {
  readonly framework: string
  readonly controlId: string
  readonly checkId: string
}

export interface ExceptedInControl extends Judging {
  /** Failures of the check that are under an exception in this control. */
  readonly excepted: number
}

/** Of controls with an exception from them; of others, what is excepted stands with their checks. */
export function exceptedInControls(ctx: Ctx): Promise<ExceptedInControl[]> {
  return ctx.db.all(sql<ExceptedInControl>`
    select framework, control_id as "controlId", check_id as "checkId", excepted
    from compliance_control_exceptions where tenant_id = ${ctx.tenantId}`)
}

/** In place of what was counted before, under the lock of the adoptions. */
export async function recountExceptedInControls(ctx: Ctx, judging: readonly Judging[]): Promise<void> {
  await ctx.db.run(sql`delete from compliance_control_exceptions where tenant_id = ${ctx.tenantId}`)
  if (judging.length === 0) return
  const control = { framework: sql<string>`p.framework`, controlId: sql<string>`p."controlId"` }
  await ctx.db.run(sql`
    insert into compliance_control_exceptions (tenant_id, framework, control_id, check_id, excepted)
    select ${ctx.tenantId}, p.framework, p."controlId", p."checkId", (
      select count(*) from compliance_results r
      where r.tenant_id = ${ctx.tenantId} and r.check_id = p."checkId" and r.outcome = 'f' and ${isExcepted(ctx, control)})
    from json_to_recordset(${JSON.stringify(judging)}::json) as p(framework text, "controlId" text, "checkId" text)`)
}
