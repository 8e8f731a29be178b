import type { Ctx } from '#platform/context.ts'
import type { ClaimPromise } from './claimed-inserts/local-worker.ts'
import type { DuePoller } from './due-poller.ts'
import { saveResponsiveness } from './due-store.ts'
import type { FairSlots } from './slots/fair-slots.ts'
import { nextClaimNo, releaseLost, releaseOrphans, type Settled } from './outcome-store.ts'
import type { PromisedClaims } from './claimed-inserts/promised-claims.ts'
import { openThrottle } from './throttle.ts'

/** Periodic work: releases lost claims, and saves which endpoints answer quickly. */
export interface Upkeep {
  readonly run: (workerId: number) => Promise<void>
  /** The next run looks for lost claims. */
  readonly expectLostClaims: () => void
}

export interface UpkeepParts {
  readonly fairSlots: Pick<FairSlots, 'takeChanges'>
  readonly duePoller: Pick<DuePoller, 'mayBeDue'>
  readonly underWay: ReadonlyMap<number, unknown>
  readonly promised: Pick<PromisedClaims, 'open' | 'isOpen'>
}

/** Interval of the check for lost claims. */
const LOST_CLAIMS_MS = 5_000
const SAVE_RESPONSIVENESS_MS = 10_000

export function openUpkeep({ db, log }: Ctx, { fairSlots, duePoller, ...parts }: UpkeepParts): Upkeep {
  const lostClaims = openThrottle(LOST_CLAIMS_MS)
  const saving = openThrottle(SAVE_RESPONSIVENESS_MS)
  const findLost = openLostClaims(parts)

  const releaseUnknown = async (id: number): Promise<void> => {
    const settled = findLost(await nextClaimNo(db))
    const lost = await releaseLost(db, id, [...parts.underWay.keys()], settled)
    const count = lost + (await releaseOrphans(db))
    if (count === 0) return
    duePoller.mayBeDue()
    log.warn({ workerId: id, count }, 'claims of deliveries were lost and are released')
  }
  const saveChanges = async (): Promise<void> => {
    const changes = fairSlots.takeChanges()
    if (changes.size > 0) await saveResponsiveness(db, changes)
  }
  return {
    async run(id) {
      if (lostClaims.inMs() === 0) await lostClaims.run(() => releaseUnknown(id))
      if (saving.inMs() === 0) await saving.run(saveChanges)
    },
    expectLostClaims: lostClaims.reset,
  }
}

/**
 * Says which claims this process would know by now. A transaction that was promised claims before a number was drawn, and
 * is still open, may have made some before it. Where endpoints always have one that is open, it is those of the last
 * check that count.
 */
function openLostClaims({ promised }: Pick<UpkeepParts, 'promised'>) {
  let earlier: { readonly before: number; readonly promises: readonly ClaimPromise[] } | undefined
  const endpointsOf = (promises: readonly ClaimPromise[]): number[] => [
    ...new Set(promises.flatMap((it) => it.endpointSeqs)),
  ]
  return (next: number): Settled[] => {
    const promises = promised.open()
    const settled = [
      { before: next, otherThan: endpointsOf(promises) },
      ...(earlier
        ? [{ before: earlier.before, otherThan: endpointsOf(earlier.promises.filter(promised.isOpen)) }]
        : []),
    ]
    earlier = { before: next, promises }
    return settled
  }
}
