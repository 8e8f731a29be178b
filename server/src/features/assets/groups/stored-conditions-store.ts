import { sql } from 'kysely'
import type { StoredCondition } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** Of groups. */
export function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  return ctx.db.all(sql<StoredCondition>`
    select 'group' as kind, id::text as id, name, 'assets:read' as permission, condition as text
    from asset_groups where tenant_id = ${ctx.tenantId}
    order by name, id`)
}
