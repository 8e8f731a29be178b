import { sql } from 'kysely'
import type { NamedCondition } from '#platform/conditions/field.ts'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import type { Ctx } from '#platform/context.ts'
import type { AssetGroup } from './group.ts'

const columns = sql`g.id, g.name, g.description, g.condition, g.changed_at as "changedAt"`

/** In the order of names. */
export function groups(ctx: Ctx): Promise<AssetGroup[]> {
  return ctx.db.all(sql<AssetGroup>`
    select ${columns} from asset_groups g where g.tenant_id = ${ctx.tenantId} order by g.normalized_name`)
}

export function groupNames(ctx: Ctx): Promise<NamedCondition[]> {
  return ctx.db.all(sql<NamedCondition>`
    select g.name, g.normalized_name as normalized, g.aliases, g.condition as text from asset_groups g
    where g.tenant_id = ${ctx.tenantId} order by g.normalized_name`)
}

/** All of them; until the end of the transaction no other one adds, changes or deletes any. */
export async function lockGroups(ctx: Ctx): Promise<AssetGroup[]> {
  await ctx.db.run(lockOfTenant('groups', ctx.tenantId))
  return groups(ctx)
}

/**
 * Adds it, or replaces the one of this id, which keeps the name it had as an alias; false when another one has its name.
 */
export async function writeGroup(ctx: Ctx, group: AssetGroup): Promise<boolean> {
  const { id, name, description, condition, changedAt } = group
  const normalized = normalizeText(name)
  const another = await ctx.db.maybe(sql`
    select id from asset_groups
    where tenant_id = ${ctx.tenantId} and id <> ${id}
      and (normalized_name = ${normalized} or ${normalized} = any(aliases))`)
  if (another) return false
  const written = await ctx.db.run(sql`
    insert into asset_groups as g
      (tenant_id, id, name, normalized_name, description, condition, changed_at)
    values (${ctx.tenantId}, ${id}, ${name}, ${normalized}, ${description}, ${condition}, ${changedAt})
    on conflict (tenant_id, id) do update set name = excluded.name, normalized_name = excluded.normalized_name,
      aliases = array_remove(array_remove(g.aliases, g.normalized_name) || g.normalized_name, excluded.normalized_name),
      description = excluded.description, condition = excluded.condition,
      changed_at = excluded.changed_at`)
  return written > 0
}

export async function removeGroup(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from asset_groups where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
