import { beyondLimit, isLimited, permit, systemActor, type Ctx } from '#platform/context.ts'
import type { AssetGroup } from './group.ts'
import * as store from './group-store.ts'
import { groupsNamedIn } from './groups-named-in.ts'

/** A stored condition that asks about a group. */
export interface GroupUse {
  readonly groupId: string
  /** What has the condition: `group`, `view`, `role`, `api_key`, `override`, `check`, `flow` or `notice_rule`. */
  readonly kind: string
  readonly id: string
  /** Empty where it is a person's own, or the actor may not read it. */
  readonly name: string
}

/** Of all groups, each use once. */
export async function listGroupUses(ctx: Ctx): Promise<GroupUse[]> {
  permit(ctx, 'assets:read')
  return usesOf(ctx, await store.groups(ctx))
}

/** Conditions that nobody can read any more are left out. */
export async function usesOf(ctx: Ctx, groups: readonly AssetGroup[]): Promise<GroupUse[]> {
  if (groups.length === 0) return []
  const idOf = new Map(groups.map(({ id, name }) => [name, id]))
  // what the actor may not ask about may be in the conditions of others
  const whole = { ...beyondLimit(ctx), actor: systemActor('groups') }
  const { vocabulary: ofAssets } = await whole.conditions.on(whole, 'asset')
  const uses = new Map<string, GroupUse>()
  for (const { text, kind, id, name, permission, vocabulary = ofAssets } of await whole.conditions.stored(
    whole,
  ))
    for (const group of groupsNamedIn(vocabulary, text)) {
      const groupId = idOf.get(group)
      if (groupId === undefined || groupId === id) continue
      const isKnown = ctx.actor.may(permission) && !isLimited(ctx)
      uses.set(`${groupId} ${kind} ${id}`, { groupId, kind, id, name: isKnown ? name : '' })
    }
  return [...uses.values()]
}
