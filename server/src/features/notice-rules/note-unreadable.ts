import { noteEffects } from '#features/changes/changes.ts'
import { checkedCondition } from '#features/flows/flows.ts'
import type { Ctx, Happening } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import * as store from './rule-store.ts'

/**
 * While a change is only tried that takes fields or values away: notes the rules whose conditions name them. Those of
 * other people without their names.
 */
export async function noteUnreadableRules(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  if (!ctx.trial) return
  const names = happenings.flatMap(({ body }) => (JSON.parse(body.toString()) as { names: string[] }).names)
  for (const { id, name, userId, condition, eventTypes } of await store.active(ctx)) {
    const fault = await checkedCondition(ctx, 'condition', condition, { kind: 'event', eventTypes }).catch(
      (error: unknown) => {
        if (error instanceof Refusal) return error
        throw error
      },
    )
    if (!(fault instanceof Refusal) || !names.some((it) => fault.message.includes(it))) continue
    const shown = userId === ctx.actor.id ? name : 'a notice rule of somebody else'
    const becomes = [['condition can be read', false] as const]
    noteEffects(ctx, [{ kind: 'condition_unreadable', type: 'notice_rule', id, name: shown, becomes }])
  }
}
