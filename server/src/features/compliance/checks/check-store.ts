import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Check } from './check.ts'

/** The organisation's own checks. */

export const OWN_CHECKS_MAX = 200

const columns = sql`id, title, scope, condition, severity, next_step as next, controls, tolerance, revision,
  true as "isOwn"`

/** The oldest first. */
export function ownChecks(ctx: Ctx): Promise<Check[]> {
  return ctx.db.all(sql<Check>`
    select ${columns} from compliance_checks where tenant_id = ${ctx.tenantId}
    order by created_at, id limit ${OWN_CHECKS_MAX}`)
}

export function ownCheck(ctx: Ctx, id: string): Promise<Check | undefined> {
  return ctx.db.maybe(sql<Check>`
    select ${columns} from compliance_checks where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
}

export async function add(ctx: Ctx, check: Check): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_checks (tenant_id, id, title, scope, condition, severity, next_step, controls, tolerance,
      revision, created_at, created_by_name, updated_at)
    values (${ctx.tenantId}, ${check.id}, ${check.title}, ${check.scope}, ${check.condition}, ${check.severity},
      ${check.next}, ${JSON.stringify(check.controls)}::jsonb, ${check.tolerance}, ${check.revision}, ${ctx.now()},
      ${ctx.actor.name ?? ctx.actor.id}, ${ctx.now()})`)
}

export async function update(ctx: Ctx, check: Check): Promise<void> {
  await ctx.db.run(sql`
    update compliance_checks set title = ${check.title}, scope = ${check.scope}, condition = ${check.condition},
      severity = ${check.severity}, next_step = ${check.next}, controls = ${JSON.stringify(check.controls)}::jsonb,
      tolerance = ${check.tolerance}, revision = ${check.revision}, updated_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${check.id}`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from compliance_checks where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
