import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { StoredAsset } from '../asset-store.ts'
import type { CustomField, CustomValue } from './custom-field.ts'
import type { TagCount } from './tag-count.ts'
import type { AttributeName } from '../attributes/source-precedence.ts'

/** Tags, overrides and custom field values that people set on assets. */

export async function writeTags(
  ctx: Ctx,
  assets: readonly Pick<StoredAsset, 'id' | 'ownTags' | 'mutedTags'>[],
): Promise<void> {
  const rows = assets.map(({ id, ownTags, mutedTags }) => ({ id, own: ownTags, muted: mutedTags }))
  await ctx.db.run(sql`
    update assets a set own_tags = r.own, muted_tags = r.muted
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, own text[], muted text[])
    where a.tenant_id = ${ctx.tenantId} and a.id = r.id`)
}

export function tagsInUse(ctx: Ctx, text: string, limit: number): Promise<TagCount[]> {
  return ctx.db.all(sql<TagCount>`
    select tag, count(*) as count from assets a cross join unnest(a.tags) as tag
    where a.tenant_id = ${ctx.tenantId} and a.tags <> '{}' and strpos(lower(tag), lower(${text})) > 0
    group by tag order by count(*) desc, tag limit ${limit}`)
}

export interface NewOverride {
  readonly attribute: AttributeName
  readonly value: string
  readonly isLocked: boolean
  readonly reason: string
  readonly setAt: Date
}

export async function writeOverride(ctx: Ctx, assetId: string, override: NewOverride): Promise<void> {
  const { attribute, value, isLocked, reason, setAt } = override
  await ctx.db.run(sql`
    insert into asset_overrides (asset_id, tenant_id, attribute, value, is_locked, actor_kind, actor_id, reason, set_at)
    values (${assetId}, ${ctx.tenantId}, ${attribute}, ${value}, ${isLocked}, ${ctx.actor.kind}, ${ctx.actor.id},
      ${reason}, ${setAt})
    on conflict (tenant_id, asset_id, attribute) do update set value = excluded.value, is_locked = excluded.is_locked,
      actor_kind = excluded.actor_kind, actor_id = excluded.actor_id, reason = excluded.reason,
      set_at = excluded.set_at`)
}

export interface OverrideAuthor {
  readonly attribute: AttributeName
  /** Kind and id of the actor, such as `user <id>`. */
  readonly actor: string
  readonly reason: string
}

/** The author and reason of each override of the asset. */
export function overrideAuthors(ctx: Ctx, assetId: string): Promise<OverrideAuthor[]> {
  return ctx.db.all(sql<OverrideAuthor>`
    select attribute, actor_kind || ' ' || actor_id as actor, reason from asset_overrides
    where tenant_id = ${ctx.tenantId} and asset_id = ${assetId}`)
}

export async function dropOverride(ctx: Ctx, assetId: string, attribute: AttributeName): Promise<number> {
  return ctx.db.run(sql`
    delete from asset_overrides
    where tenant_id = ${ctx.tenantId} and asset_id = ${assetId} and attribute = ${attribute}`)
}

/** Undefined when a field of that name exists. */
export function addField(ctx: Ctx, field: CustomField): Promise<CustomField | undefined> {
  return ctx.db.maybe(sql<CustomField>`
    insert into asset_custom_fields (id, tenant_id, name, kind)
    values (${field.id}, ${ctx.tenantId}, ${field.name}, ${field.kind})
    on conflict (tenant_id, name) do nothing returning id, name, kind`)
}

export function fields(ctx: Ctx): Promise<CustomField[]> {
  return ctx.db.all(sql<CustomField>`
    select id, name, kind from asset_custom_fields where tenant_id = ${ctx.tenantId} order by name, id`)
}

export function field(ctx: Ctx, id: string): Promise<CustomField | undefined> {
  return ctx.db.maybe(sql<CustomField>`
    select id, name, kind from asset_custom_fields where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function values(ctx: Ctx, assetId: string): Promise<CustomValue[]> {
  return ctx.db.all(sql<CustomValue>`
    select f.id, f.name, f.kind, v.value
    from asset_custom_values v join asset_custom_fields f on f.id = v.field_id and f.tenant_id = ${ctx.tenantId}
    where v.tenant_id = ${ctx.tenantId} and v.asset_id = ${assetId} order by f.name, f.id`)
}

/** Returns the number of changed values. */
export function writeValue(ctx: Ctx, assetId: string, fieldId: string, value: unknown): Promise<number> {
  return ctx.db.run(sql`
    insert into asset_custom_values as v (asset_id, field_id, tenant_id, value)
    values (${assetId}, ${fieldId}, ${ctx.tenantId}, ${JSON.stringify(value)}::jsonb)
    on conflict (tenant_id, asset_id, field_id) do update set value = excluded.value where v.value <> excluded.value`)
}

export function dropValue(ctx: Ctx, assetId: string, fieldId: string): Promise<number> {
  return ctx.db.run(sql`
    delete from asset_custom_values
    where tenant_id = ${ctx.tenantId} and asset_id = ${assetId} and field_id = ${fieldId}`)
}
