import { inScope } from '#features/assets/assets.ts'
import type { Observation } from '#features/assets/observation.ts'
import type { Source, SubmitResult } from '#features/sources/source.ts'
import { submit } from '#features/sources/sources.ts'
import { atomicallyDespiteDeadlock, type Ctx } from '#platform/context.ts'
import * as store from '../store.ts'

export interface TakenSeen {
  /** As they were taken, each of its network. */
  readonly clean: readonly Observation[]
  readonly taken: SubmitResult
}

/** Somebody ended the scan, or another attempt took it over: what was seen last is not taken. */
export class ScanEnded extends Error {}

export interface Seen {
  readonly source: Source
  readonly observations: readonly Observation[]
  /** Of what the scan saw before. */
  readonly assetCount: number
}

/**
 * What a scan saw is of the network that its target is of when it is written, which is held until the commit: whoever gives
 * the target another network during a scan means what was found already too, and the job that moves it there
 * (moved-targets.ts) begins after this commit, or this sees the new network. Nothing is taken once the scan has ended.
 */
export function takeSeen(
  ctx: Ctx,
  scan: store.Attempt,
  { source, observations, assetCount }: Seen,
): Promise<TakenSeen> {
  return atomicallyDespiteDeadlock(ctx, async (inner) => {
    const now = scan.targetId === null ? undefined : await store.heldScope(inner, scan.targetId)
    // before anything that a reaction to the end of a scan may hold as well
    if (!(await store.holdRunning(inner, scan))) throw new ScanEnded('the scan has ended')
    const clean = observations.map((it) => inScope(it, now ?? scan.scope))
    const taken = await submit(inner, source, clean)
    await store.countSeen(inner, scan, assetCount + taken.observed)
    return { clean, taken }
  })
}
