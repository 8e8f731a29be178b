import { sql } from 'kysely'
import type { StoredCondition } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** Of groups, and of the views that people saved, which are their own. */
export function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  return ctx.db.all(sql<StoredCondition>`
    select 'group' as kind, id::text as id, name, 'assets:read' as permission, condition as text
    from asset_groups where tenant_id = ${ctx.tenantId}
    union all
    select 'view', id::text, '', 'assets:read', condition
    from asset_views where tenant_id = ${ctx.tenantId} and condition is not null
    order by kind, name, id`)
}
