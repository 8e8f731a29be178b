import { sql } from 'kysely'
import type { StoredCondition } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** Of roles that are limited to some assets. */
export function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  return ctx.db.all(sql<StoredCondition>`
    select 'role' as kind, id::text as id, name, 'users:read' as permission, limited_to as text
    from roles where tenant_id = ${ctx.tenantId} and limited_to is not null order by name, id`)
}
