import { atomically, permit, type Ctx } from '#platform/context.ts'
import { forbidden, invalid } from '#platform/errors.ts'
import * as store from './overview-layout-store.ts'

const TILES_MAX = 50
const TILE = /^[a-z][a-z0-9-]{0,47}$/

const ASSUMED: store.OverviewLayout = { tiles: [], hidden: [] }

/** The actor's own. */
export async function overviewLayout(ctx: Ctx): Promise<store.OverviewLayout> {
  permit(ctx, 'assets:read')
  if (ctx.actor.kind !== 'user') return ASSUMED
  return (await store.layoutOf(ctx, ctx.actor.id)) ?? ASSUMED
}

/** Nothing in both lists: as it comes. */
export async function setOverviewLayout(
  ctx: Ctx,
  layout: store.OverviewLayout,
): Promise<store.OverviewLayout> {
  permit(ctx, 'assets:read')
  const { actor } = ctx
  if (actor.kind !== 'user') throw forbidden('layouts belong to people: sign in')
  for (const [field, names] of Object.entries(layout) as [string, readonly string[]][])
    if (names.length > TILES_MAX || !names.every((name) => TILE.test(name)))
      throw invalid(field, `must be at most ${TILES_MAX} names of tiles, such as since-yesterday`)
  await atomically(ctx, (inner) => store.saveLayout(inner, actor.id, layout))
  return layout
}
