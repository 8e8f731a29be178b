import { sql } from 'kysely'
import type { StoredCondition } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** Of reports that choose their assets anew with each generation. */
export function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  return ctx.db.all(sql<StoredCondition>`
    select 'report' as kind, id::text as id, name, 'reports:read' as permission, filter ->> 'where' as text
    from reports
    where tenant_id = ${ctx.tenantId} and filter ->> 'where' is not null
    order by name, id`)
}
