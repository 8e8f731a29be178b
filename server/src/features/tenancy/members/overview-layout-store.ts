import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** How a person arranged the overview of the organisation; the app knows which tiles there are. */
export interface OverviewLayout {
  /** In their order. Tiles that are not named come last. */
  readonly tiles: readonly string[]
  readonly hidden: readonly string[]
}

export function layoutOf(ctx: Ctx, userId: string): Promise<OverviewLayout | undefined> {
  return ctx.db.maybe(sql<OverviewLayout>`
    select tiles, hidden from overview_layouts where tenant_id = ${ctx.tenantId} and user_id = ${userId}`)
}

export async function saveLayout(ctx: Ctx, userId: string, { tiles, hidden }: OverviewLayout): Promise<void> {
  await ctx.db.run(sql`
    insert into overview_layouts (tenant_id, user_id, tiles, hidden)
    values (${ctx.tenantId}, ${userId}, ${[...tiles]}::text[], ${[...hidden]}::text[])
    on conflict (tenant_id, user_id) do update set tiles = excluded.tiles, hidden = excluded.hidden`)
}

export async function removeLayout(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.run(sql`
    delete from overview_layouts where tenant_id = ${ctx.tenantId} and user_id = ${userId}`)
}
