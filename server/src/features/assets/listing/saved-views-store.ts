import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { SavedView } from './saved-view.ts'

/** Saved views; each person sees their own. */

/** With the condition among the rest, as the app writes it. */
const whole = sql<unknown>`case when condition is null then view else view || jsonb_build_object('where', condition) end as view`

const isMine = (ctx: Ctx) => sql`tenant_id = ${ctx.tenantId} and user_id = ${ctx.actor.id}`

export function views(ctx: Ctx): Promise<SavedView[]> {
  return ctx.db.all(sql<SavedView>`
    select id, name, ${whole} from asset_views where ${isMine(ctx)} order by lower(name), name`)
}

export interface StoredView extends SavedView {
  /** Null: none. `view` is without it. */
  readonly condition: string | null
}

/** Undefined if the person has `viewsMax` views already. */
export function save(
  ctx: Ctx,
  { id, name, view, condition }: StoredView,
  viewsMax: number,
): Promise<SavedView | undefined> {
  return ctx.db.maybe(sql<SavedView>`
    insert into asset_views (id, tenant_id, user_id, name, view, condition)
    select ${id}, ${ctx.tenantId}, ${ctx.actor.id}, ${name}, ${JSON.stringify(view)}::jsonb, ${condition}::text
    where (select count(*) from asset_views where ${isMine(ctx)} and name <> ${name}) < ${viewsMax}
    on conflict (tenant_id, user_id, name) do update set view = excluded.view, condition = excluded.condition
    returning id, name, ${whole}`)
}

/** Returns the name of the deleted view; undefined when the person has none with this id. */
export async function remove(ctx: Ctx, id: string): Promise<string | undefined> {
  const removed = await ctx.db.maybe(sql<{ name: string }>`
    delete from asset_views where ${isMine(ctx)} and id = ${id} returning name`)
  return removed?.name
}
