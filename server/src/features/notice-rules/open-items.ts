import type { Ctx } from '#platform/context.ts'
import { kindsOpenTo } from './open-items/all.ts'
import type { OpenItem } from './open-items/open-item.ts'

const SHOWN = 20
/** A rule tells of so many at most; beyond, the app has them all. */
export const ITEMS_OF_RULE = 200

export interface OpenItemGroup {
  readonly kind: string
  readonly title: string
  /** All of them, also those that `items` leaves out. */
  readonly total: number
  readonly items: readonly OpenItem[]
}

/** What waits for people, of the kinds that the actor may see; kinds without any are left out. */
export async function listOpenItems(ctx: Ctx): Promise<OpenItemGroup[]> {
  const groups: OpenItemGroup[] = []
  for (const { name, title, find } of kindsOpenTo(ctx)) {
    const found = await find(ctx, SHOWN)
    if (found.total > 0) groups.push({ kind: name, title, ...found })
  }
  return groups
}
