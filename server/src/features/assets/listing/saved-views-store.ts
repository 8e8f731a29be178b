import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { SavedView } from './saved-view.ts'

/** Saved views; each person sees their own, and those that others share. */

/** With the condition among the rest, as the app writes it. */
const whole = sql<unknown>`case when condition is null then view else view || jsonb_build_object('where', condition) end as view`

const isMine = (ctx: Ctx) => sql`tenant_id = ${ctx.tenantId} and user_id = ${ctx.actor.id}`

const columns = (ctx: Ctx) =>
  sql`id, name, ${whole}, is_shared as "isShared", user_id = ${ctx.actor.id} as "isOwn", user_id as "userId"`

export type ListedView = Omit<SavedView, 'sharedBy'> & { readonly userId: string }

export function views(ctx: Ctx): Promise<ListedView[]> {
  return ctx.db.all(sql<ListedView>`
    select ${columns(ctx)} from asset_views
    where tenant_id = ${ctx.tenantId} and (user_id = ${ctx.actor.id} or is_shared)
    order by lower(name), name, id`)
}

export interface StoredView extends Pick<SavedView, 'id' | 'name' | 'view' | 'isShared'> {
  /** Null: none. `view` is without it. */
  readonly condition: string | null
}

/** Undefined if the person has `viewsMax` views already. */
export function save(
  ctx: Ctx,
  { id, name, view, condition, isShared }: StoredView,
  viewsMax: number,
): Promise<ListedView | undefined> {
  return ctx.db.maybe(sql<ListedView>`
    insert into asset_views (id, tenant_id, user_id, name, view, condition, is_shared)
    select ${id}, ${ctx.tenantId}, ${ctx.actor.id}, ${name}, ${JSON.stringify(view)}::jsonb, ${condition}::text,
      ${isShared}::boolean
    where (select count(*) from asset_views where ${isMine(ctx)} and name <> ${name}) < ${viewsMax}
    on conflict (tenant_id, user_id, name) do update set view = excluded.view, condition = excluded.condition,
      is_shared = excluded.is_shared
    returning ${columns(ctx)}`)
}

/** How many views are shared in the tenant, but for this one of the person. */
export async function countShared(ctx: Ctx, exceptName: string): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*)::int as n from asset_views
    where tenant_id = ${ctx.tenantId} and is_shared and not (user_id = ${ctx.actor.id} and name = ${exceptName})`)
  return n
}

/** Whether the person has a view of this name that is shared. */
export async function isShared(ctx: Ctx, name: string): Promise<boolean> {
  const found = await ctx.db.maybe(sql`
    select id from asset_views where ${isMine(ctx)} and name = ${name} and is_shared`)
  return found !== undefined
}

/**
 * Returns the name of the deleted view; undefined when the person has none with this id. `andShared`: also one that
 * somebody else shares.
 */
export async function remove(ctx: Ctx, id: string, andShared: boolean): Promise<string | undefined> {
  const removed = await ctx.db.maybe(sql<{ name: string }>`
    delete from asset_views where tenant_id = ${ctx.tenantId} and id = ${id}
      and (user_id = ${ctx.actor.id} or (is_shared and ${andShared}::boolean)) returning name`)
  return removed?.name
}
