import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { SavedView } from './saved-view.ts'

/** Saved views; each person sees their own, and those that others share. */

/** With the condition among the rest, as the app writes it. */
const whole = sql<unknown>`case when condition is null then view else view || jsonb_build_object('where', condition) end as view`

const isMine = (ctx: Ctx) => sql`tenant_id = ${ctx.tenantId} and user_id = ${ctx.actor.id}`

const columns = (ctx: Ctx) =>
  sql`id, subject, name, ${whole}, is_shared as "isShared", user_id = ${ctx.actor.id} as "isOwn", user_id as "userId"`

export type ListedView = Omit<SavedView, 'sharedBy'> & { readonly userId: string }

/** Of lists of these subjects. */
export function views(ctx: Ctx, subjects: readonly string[]): Promise<ListedView[]> {
  return ctx.db.all(sql<ListedView>`
    select ${columns(ctx)} from saved_views
    where tenant_id = ${ctx.tenantId} and subject = any(${[...subjects]}::text[])
      and (user_id = ${ctx.actor.id} or is_shared)
    order by lower(name), name, id`)
}

export interface StoredView extends Pick<SavedView, 'id' | 'subject' | 'name' | 'view' | 'isShared'> {
  /** Null: none. `view` is without it. */
  readonly condition: string | null
}

/** Undefined if the person has `viewsMax` views already. */
export function save(
  ctx: Ctx,
  { id, subject, name, view, condition, isShared }: StoredView,
  viewsMax: number,
): Promise<ListedView | undefined> {
  return ctx.db.maybe(sql<ListedView>`
    insert into saved_views (id, tenant_id, user_id, subject, name, view, condition, is_shared)
    select ${id}, ${ctx.tenantId}, ${ctx.actor.id}, ${subject}, ${name}, ${JSON.stringify(view)}::jsonb, ${condition}::text,
      ${isShared}::boolean
    where (select count(*) from saved_views where ${isMine(ctx)} and (subject, name) <> (${subject}, ${name})) < ${viewsMax}
    on conflict (tenant_id, user_id, subject, name) do update set view = excluded.view, condition = excluded.condition,
      is_shared = excluded.is_shared
    returning ${columns(ctx)}`)
}

type ViewName = Pick<SavedView, 'subject' | 'name'>

/** How many views of the list are shared in the tenant, but for this one of the person. */
export async function countShared(ctx: Ctx, { subject, name }: ViewName): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*)::int as n from saved_views
    where tenant_id = ${ctx.tenantId} and is_shared and subject = ${subject}
      and not (user_id = ${ctx.actor.id} and name = ${name})`)
  return n
}

/** Whether the person has a view of this name that is shared. */
export async function isShared(ctx: Ctx, { subject, name }: ViewName): Promise<boolean> {
  const found = await ctx.db.maybe(sql`
    select id from saved_views where ${isMine(ctx)} and subject = ${subject} and name = ${name} and is_shared`)
  return found !== undefined
}

interface Removable {
  readonly subjects: readonly string[]
  /** Those of which one's own are removed while they are shared. */
  readonly ofShared: readonly string[]
  /** Also what somebody else shares. */
  readonly andShared: boolean
}

/** Returns the name of the deleted view; undefined when the person has none with this id. */
export async function remove(
  ctx: Ctx,
  id: string,
  { subjects, ofShared, andShared }: Removable,
): Promise<string | undefined> {
  const removed = await ctx.db.maybe(sql<{ name: string }>`
    delete from saved_views where tenant_id = ${ctx.tenantId} and id = ${id} and subject = any(${subjects})
      and case when is_shared
        then ${andShared}::boolean or (user_id = ${ctx.actor.id} and subject = any(${ofShared}))
        else user_id = ${ctx.actor.id} end returning name`)
  return removed?.name
}

export interface StoredOfView {
  readonly id: string
  readonly subject: string
  readonly text: string
}

/** The conditions of all views, whoever's they are. */
export const conditions = (ctx: Ctx): Promise<StoredOfView[]> =>
  ctx.db.all(sql<StoredOfView>`
    select id::text as id, subject, condition as text from saved_views
    where tenant_id = ${ctx.tenantId} and condition is not null order by id`)
