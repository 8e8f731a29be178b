import { moveToScope } from '#features/assets/assets.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import * as store from '../store.ts'
import { isWithin, spanOfAddress } from './address-span.ts'
import type { Target } from './target.ts'
import { readEntries } from './target-entries.ts'

/** A target that is of another network than before takes along what was found at its addresses. */

interface Move {
  readonly targetId: string
  /** What the target was before. */
  readonly from: string
  readonly entries: readonly string[]
  readonly exclusions: readonly string[]
}

export const moveObservationsJob = job<Move>('scans.moveObservations')

export async function moveObservationsLater(ctx: Ctx, before: Target): Promise<void> {
  const { id: targetId, scope: from, entries, exclusions } = before
  await enqueue(ctx, moveObservationsJob, { targetId, from, entries, exclusions })
}

/**
 * Moves it into the network that the target is of now, for it may have been given another one since. Addresses that another
 * target of the network it left has too stay there. Safe to repeat.
 */
export async function moveObservations(ctx: Ctx, move: Move, signal?: AbortSignal): Promise<void> {
  const { targetId, from } = move
  const own = readEntries(move).spans
  const others = (await store.targets(ctx))
    .filter(({ id, scope }) => id !== targetId && scope === from)
    .map((it) => readEntries(it).spans)
  const moves = (address: string): boolean => {
    const span = spanOfAddress(address)
    return span !== undefined && isWithin(span, own) && !others.some((spans) => isWithin(span, spans))
  }
  for (let after: string | undefined = ''; after !== undefined && !signal?.aborted;) {
    const behind: string = after
    after = await atomically(ctx, async (inner) => {
      // locked, so that the job of a later change of the target begins after this part
      const to = (await store.target(inner, targetId))?.scope
      return to === undefined || to === from ? undefined : moveToScope(inner, { from, to, moves }, behind)
    })
  }
}
