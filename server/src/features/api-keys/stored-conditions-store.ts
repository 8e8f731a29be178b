import { sql } from 'kysely'
import type { StoredCondition } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** Of API keys that are limited to some assets. */
export function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  return ctx.db.all(sql<StoredCondition>`
    select 'api_key' as kind, id::text as id, name, 'api_keys:read' as permission, limited_to as text
    from api_keys where tenant_id = ${ctx.tenantId} and limited_to is not null and revoked_at is null
    order by name, id`)
}
