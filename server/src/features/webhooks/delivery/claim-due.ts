import type { Db } from '#platform/database/database.ts'
import { claim, claimWithinLimits, type Claimed, type ClaimFor, type Quota } from './claim-store.ts'
import type { FairSlots } from './slots/fair-slots.ts'
import type { Due } from './due-poller.ts'

/** Result of one claim. */
export interface ClaimResult {
  readonly claimed: readonly Claimed[]
  /** The endpoints to look at again: where it is not clear whether something is due still. */
  readonly endpointSeqs: readonly number[]
}

/**
 * Claims as many due deliveries as the fair slots allow; endpoints with max_in_flight or max_rate in a separate
 * statement.
 */
export async function claimDue(
  db: Db,
  fairSlots: Pick<FairSlots, 'grant'>,
  by: ClaimFor,
  due: readonly Due[],
): Promise<ClaimResult> {
  const grants = by.atMost > 0 && due.length > 0 ? fairSlots.grant(due) : []
  const bySeq = new Map(due.map((it) => [it.endpointSeq, it]))
  const quotas = grants.map((it) => ({ ...it, since: bySeq.get(it.endpointSeq)?.since ?? null }))
  const isLimited = (it: Quota) => bySeq.get(it.endpointSeq)?.isLimited === true
  const free = quotas.filter((it) => !isLimited(it))
  const claimed = free.length > 0 ? await claim(db, by, free) : []
  const counts = Map.groupBy(claimed, (it) => it.endpointSeq)
  const isUnclear = ({ endpointSeq, room }: Quota): boolean => {
    const its = bySeq.get(endpointSeq)
    const isFull = (counts.get(endpointSeq)?.length ?? 0) >= room
    // claimed for without a look it may have more where it gave all that was wanted; after a look that is known, and it
    // is claimed for again
    return its?.isUnseen === true ? isFull : !isFull || its?.isStale !== false
  }
  const endpointSeqs = quotas.filter(isUnclear).map((it) => it.endpointSeq)
  const limited = quotas.filter(isLimited)
  const atMost = by.atMost - claimed.length
  if (limited.length === 0 || atMost === 0) return { claimed, endpointSeqs }
  const more = await claimWithinLimits(db, { ...by, atMost }, limited)
  return { claimed: [...claimed, ...more], endpointSeqs }
}
