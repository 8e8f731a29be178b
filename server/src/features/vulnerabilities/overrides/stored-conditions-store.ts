import { sql } from 'kysely'
import type { StoredCondition } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** Of overrides that are in force or proposed. */
export function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  return ctx.db.all(sql<StoredCondition>`
    select 'override' as kind, id::text as id, cve_id as name, 'overrides:read' as permission, condition as text
    from finding_overrides
    where tenant_id = ${ctx.tenantId} and condition is not null and state in ('active', 'proposed')
    order by cve_id, id`)
}
