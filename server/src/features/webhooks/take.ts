import type { Db } from '#platform/db.ts'
import { claim, claimWithinLimits, type Claimed, type ClaimFor, type Quota } from './claim-store.ts'
import type { Looked } from './due-store.ts'
import type { Lanes } from './lanes.ts'

/** Claims as much of what was found due as the lanes have room for. */
export async function takeDue(
  db: Db,
  lanes: Pick<Lanes, 'rooms'>,
  by: ClaimFor,
  found: readonly Looked[],
): Promise<Claimed[]> {
  const due = found.filter(({ dueInMs }) => dueInMs !== null && dueInMs <= 0)
  const rooms = by.atMost > 0 ? lanes.rooms(due) : []
  const bySeq = new Map(due.map((it) => [it.endpointSeq, it]))
  const quotas = rooms.map((it) => ({ ...it, since: bySeq.get(it.endpointSeq)?.since ?? null }))
  const isLimited = (it: Quota) => bySeq.get(it.endpointSeq)?.isLimited === true
  const free = quotas.filter((it) => !isLimited(it))
  const claimed = free.length > 0 ? await claim(db, by, free) : []
  const limited = quotas.filter(isLimited)
  const atMost = by.atMost - claimed.length
  if (limited.length === 0 || atMost === 0) return claimed
  return [...claimed, ...(await claimWithinLimits(db, { ...by, atMost }, limited))]
}
