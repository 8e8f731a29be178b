import { sql } from 'kysely'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { Ctx } from '#platform/context.ts'
import type { CheckSetting } from './check-setting.ts'
import type { Check } from './check.ts'
import type { ComparedCheck } from './copied-check.ts'

/** The organisation's own checks. */

export const OWN_CHECKS_MAX = 200

const columns = sql`id, title, scope, condition, freshness, severity, next_step as next, controls, tolerance, revision,
  true as "isOwn", copied_from as "copiedFrom"`

/** The oldest first. */
export function ownChecks(ctx: Ctx): Promise<Check[]> {
  return ctx.db.all(sql<Check>`
    select ${columns} from compliance_checks where tenant_id = ${ctx.tenantId}
    order by created_at, id limit ${OWN_CHECKS_MAX}`)
}

/** The oldest first, and how checks count for frameworks, own and shipped ones. One statement: every list asks this. */
export function checksAndSettings(
  ctx: Ctx,
): Promise<{ readonly own: readonly Check[]; readonly settings: readonly CheckSetting[] }> {
  return ctx.db.one(sql<{ own: Check[]; settings: CheckSetting[] }>`
    select coalesce((select jsonb_agg(c) from (
        select ${columns} from compliance_checks where tenant_id = ${ctx.tenantId}
        order by created_at, compliance_checks.id limit ${OWN_CHECKS_MAX}) c), '[]') as own,
      coalesce((select jsonb_agg(jsonb_build_object('framework', framework, 'checkId', check_id, 'isOff', is_off,
        'tolerance', tolerance)) from compliance_check_settings where tenant_id = ${ctx.tenantId}), '[]') as settings`)
}

/** What the original said; undefined for a check that is no copy. */
export async function copied(ctx: Ctx, id: string): Promise<ComparedCheck | undefined> {
  const row = await ctx.db.maybe(sql<{ copied: ComparedCheck | null }>`
    select copied from compliance_checks where tenant_id = ${ctx.tenantId} and id = ${id}`)
  return row?.copied ?? undefined
}

export async function setCopied(
  ctx: Ctx,
  id: string,
  from: { readonly copiedFrom: string; readonly copied: ComparedCheck },
): Promise<void> {
  await ctx.db.run(sql`
    update compliance_checks set copied_from = ${from.copiedFrom}, copied = ${JSON.stringify(from.copied)}::jsonb
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function ownCheck(ctx: Ctx, id: string): Promise<Check | undefined> {
  return ctx.db.maybe(sql<Check>`
    select ${columns} from compliance_checks where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
}

export async function add(ctx: Ctx, check: Check): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_checks (tenant_id, id, title, normalized_title, scope, condition, freshness, severity, next_step, controls, tolerance,
      revision, created_at, created_by_name, updated_at)
    values (${ctx.tenantId}, ${check.id}, ${check.title}, ${normalizeText(check.title)}, ${check.scope}, ${check.condition}, ${check.freshness}, ${check.severity},
      ${check.next}, ${JSON.stringify(check.controls)}::jsonb, ${check.tolerance}, ${check.revision}, ${ctx.now()},
      ${ctx.actor.name ?? ctx.actor.id}, ${ctx.now()})`)
}

export async function update(ctx: Ctx, check: Check): Promise<void> {
  await ctx.db.run(sql`
    update compliance_checks set title = ${check.title}, normalized_title = ${normalizeText(check.title)}, scope = ${check.scope}, condition = ${check.condition},
      freshness = ${check.freshness}, severity = ${check.severity}, next_step = ${check.next}, controls = ${JSON.stringify(check.controls)}::jsonb,
      tolerance = ${check.tolerance}, revision = ${check.revision}, updated_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${check.id}`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from compliance_checks where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
