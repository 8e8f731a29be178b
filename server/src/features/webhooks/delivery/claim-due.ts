import type { Db } from '#platform/database/database.ts'
import { claim, claimWithinLimits, type Claimed, type ClaimFor, type Quota } from './claim-store.ts'
import type { Lanes } from './fair-slots.ts'
import type { Due } from './due-poller.ts'

export interface Taken {
  readonly claimed: readonly Claimed[]
  /** The endpoints at which deliveries were claimed, or found to be gone. */
  readonly endpointSeqs: readonly number[]
}

/** Claims as much of what is due as the lanes have room for. */
export async function takeDue(
  db: Db,
  lanes: Pick<Lanes, 'rooms'>,
  by: ClaimFor,
  due: readonly Due[],
): Promise<Taken> {
  const rooms = by.atMost > 0 && due.length > 0 ? lanes.rooms(due) : []
  const bySeq = new Map(due.map((it) => [it.endpointSeq, it]))
  const quotas = rooms.map((it) => ({ ...it, since: bySeq.get(it.endpointSeq)?.since ?? null }))
  const isLimited = (it: Quota) => bySeq.get(it.endpointSeq)?.isLimited === true
  const endpointSeqs = rooms.map((it) => it.endpointSeq)
  const free = quotas.filter((it) => !isLimited(it))
  const claimed = free.length > 0 ? await claim(db, by, free) : []
  const limited = quotas.filter(isLimited)
  const atMost = by.atMost - claimed.length
  if (limited.length === 0 || atMost === 0) return { claimed, endpointSeqs }
  const more = await claimWithinLimits(db, { ...by, atMost }, limited)
  return { claimed: [...claimed, ...more], endpointSeqs }
}
