import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { StoredAsset } from '../asset-store.ts'
import type { TagCount } from './tag-count.ts'
import type { AttributeName } from '../attributes/source-precedence.ts'

/** Tags, overrides and custom field values that people set on assets. */

export async function writeTags(
  ctx: Ctx,
  assets: readonly Pick<StoredAsset, 'id' | 'ownTags' | 'mutedTags'>[],
): Promise<void> {
  const rows = assets.map(({ id, ownTags, mutedTags }) => ({ id, own: ownTags, muted: mutedTags }))
  await ctx.db.about(assets.map(({ id }) => id)).run(sql`
    update assets a set own_tags = r.own, muted_tags = r.muted
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, own text[], muted text[])
    where a.tenant_id = ${ctx.tenantId} and a.id = r.id`)
}

export function tagsInUse(ctx: Ctx, text: string, limit: number): Promise<TagCount[]> {
  return ctx.db.all(sql<TagCount>`
    select tag, count(*) as count from assets a cross join unnest(a.tags) as tag
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.tags <> '{}' and strpos(lower(tag), lower(${text})) > 0
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
