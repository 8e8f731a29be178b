import { noteEffects } from '#features/changes/changes.ts'
import type { Ctx, Happening } from '#platform/context.ts'
import * as store from '../flow-store.ts'
import { faultsOf } from './faults.ts'

const FLOWS_MAX = 1_000

/** While a change is only tried that takes fields or values away: notes the flows whose definitions name them. */
export async function noteUnreadableFlows(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  if (!ctx.trial || !ctx.actor.may('flows:read')) return
  const names = happenings.flatMap(({ body }) => (JSON.parse(body.toString()) as { names: string[] }).names)
  for (const { id, name, definition } of (await store.list(ctx, { limit: FLOWS_MAX, offset: 0 })).items) {
    const faults = (await faultsOf(ctx, definition)).filter(({ message }) =>
      names.some((it) => message.includes(it)),
    )
    const effects = faults.map(({ place }) => {
      const becomes = [[`${place || 'condition'} can be read`, false] as const]
      return { kind: 'condition_unreadable', type: 'flow' as const, id, name, becomes }
    })
    noteEffects(ctx, effects)
  }
}
