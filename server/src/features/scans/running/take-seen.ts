import { inScope } from '#features/assets/assets.ts'
import type { Observation } from '#features/assets/observation.ts'
import type { Source, SubmitResult } from '#features/sources/source.ts'
import { submit } from '#features/sources/sources.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import * as store from '../store.ts'

export interface TakenSeen {
  /** As they were taken, each of its network. */
  readonly clean: readonly Observation[]
  readonly taken: SubmitResult
}

/**
 * What a scan saw is of the network that its target is of when it is written, which is held until the commit: whoever gives
 * the target another network during a scan means what was found already too, and the job that moves it there
 * (moved-targets.ts) begins after this commit, or this sees the new network.
 */
export function takeSeen(
  ctx: Ctx,
  { targetId, scope }: Pick<store.Attempt, 'targetId' | 'scope'>,
  source: Source,
  seen: readonly Observation[],
): Promise<TakenSeen> {
  return atomically(ctx, async (inner) => {
    const now = targetId === null ? undefined : await store.heldScope(inner, targetId)
    const clean = seen.map((it) => inScope(it, now ?? scope))
    return { clean, taken: await submit(inner, source, clean) }
  })
}
