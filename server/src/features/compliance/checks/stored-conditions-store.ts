import { sql } from 'kysely'
import type { StoredCondition } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** Of the organisation's own checks, conditions and scopes; of exceptions that have not ended. */
export function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  return ctx.db.all(sql<StoredCondition>`
    select 'check' as kind, id, title as name, 'compliance:read' as permission, condition as text
    from compliance_checks where tenant_id = ${ctx.tenantId}
    union all
    select 'check', id, title, 'compliance:read', scope
    from compliance_checks where tenant_id = ${ctx.tenantId} and scope <> ''
    union all
    select 'exception', id, reason, 'compliance:read', condition
    from compliance_exceptions where tenant_id = ${ctx.tenantId} and condition is not null and state <> 'ended'
    order by name, id`)
}
