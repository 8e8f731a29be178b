import type { Ctx } from '#platform/context.ts'
import { remembering } from '#platform/secrets/seal.ts'
import type { Claimed } from './claim-store.ts'
import { finish, release } from './outcome-store.ts'
import { deliver, type Schedule } from './deliver.ts'
import { saveResponsiveness } from './due-store.ts'
import { openFairSlots, PROBE_MS, type FairSlots } from './fair-slots.ts'
import { openDuePoller, type DuePoller } from './due-poller.ts'
import { openOutcomeWriter } from './outcome-writer.ts'
import { openThrottle } from './throttle.ts'
import { claimDue } from './claim-due.ts'

/** Claims due deliveries and sends them, within the available slots. */
export interface Dispatcher {
  /** Returns the milliseconds until there may be work, unless something is committed. */
  readonly runOnce: (workerId: number) => Promise<number>
  /** After a claim whose result may be lost: the next run releases claims of this worker that it does not know. */
  readonly expectLostClaims: () => void
  /** Something may be due at this tenant's endpoints; without a tenant, at any. */
  readonly mayBeDue: (tenantId?: string) => void
  /** Resolves when all deliveries now in flight have ended and are written. */
  readonly drained: () => Promise<unknown>
}

export interface DispatcherOptions {
  readonly system: Ctx
  /** Maximum number of concurrent deliveries. */
  readonly slots: number
  readonly schedule: Schedule
  /** The id under which this process may claim and send; undefined while it may not. */
  readonly workerId: () => number | undefined
  /** Called when a slot is free again. */
  readonly onFree: () => void
}

/** Interval of the check for lost claims. */
const LOST_CLAIMS_MS = 5_000
const SAVE_RESPONSIVENESS_MS = 10_000
/** Size of the cache of decrypted secrets: decrypting costs as much as sending. */
const SECRETS_MAX = 10_000

export function openDispatcher({ system, slots, schedule, workerId, onFree }: DispatcherOptions): Dispatcher {
  const { db, log } = system
  const sender = { ...system, seal: remembering(system.seal, SECRETS_MAX) }
  const [fairSlots, duePoller] = [openFairSlots(slots), openDuePoller(db)]
  const underWay = new Map<number, Promise<void>>()
  const upkeep = openUpkeep(system, { fairSlots, duePoller, underWay })
  const outcomes = openOutcomeWriter(
    (batch) => finish(db, batch),
    (error) => log.warn({ err: error }, 'outcomes of deliveries wait for the database'),
  )

  const begin = async (claimed: Claimed): Promise<void> => {
    fairSlots.begin(claimed.endpointSeq, claimed.id)
    const outcome = await deliver(sender, claimed, schedule)
    fairSlots.end(claimed.endpointSeq, claimed.id)
    await outcomes.add(outcome)
    underWay.delete(claimed.id)
    if (outcome.state === 'f') duePoller.changed([claimed.endpointSeq])
    onFree()
  }
  const runOnce = async (id: number): Promise<number> => {
    await upkeep.run(id)
    const due = await duePoller.findDue()
    const by = { workerId: id, atMost: slots - underWay.size }
    const { claimed, endpointSeqs } = await claimDue(db, fairSlots, by, due)
    duePoller.changed(endpointSeqs)
    // A process that was suspended may have been declared dead: then others send its claims.
    if (workerId() !== id) {
      upkeep.expectLostClaims()
      return 0
    }
    for (const it of claimed) underWay.set(it.id, begin(it))
    if (claimed.length > 0) return 0
    // The lane of new receivers frees slots over time, even without any answer.
    return due.length > 0 ? Math.min(PROBE_MS, duePoller.restMs()) : duePoller.restMs()
  }
  return {
    runOnce,
    expectLostClaims() {
      upkeep.expectLostClaims()
      duePoller.mayBeDue()
    },
    mayBeDue: duePoller.mayBeDue,
    drained: () => Promise.all(underWay.values()),
  }
}

interface UpkeepParts {
  readonly fairSlots: FairSlots
  readonly duePoller: DuePoller
  readonly underWay: ReadonlyMap<number, unknown>
}

/** Periodic work: releases lost claims, and saves which endpoints answer quickly. */
function openUpkeep({ db, log }: Ctx, { fairSlots, duePoller, underWay }: UpkeepParts) {
  const lostClaims = openThrottle(LOST_CLAIMS_MS)
  const saving = openThrottle(SAVE_RESPONSIVENESS_MS)

  const releaseLost = async (id: number): Promise<void> => {
    const count = await release(db, id, [...underWay.keys()])
    if (count === 0) return
    duePoller.mayBeDue()
    log.warn({ workerId: id, count }, 'claims of deliveries were lost and are released')
  }
  return {
    async run(id: number): Promise<void> {
      if (lostClaims.inMs() === 0) await lostClaims.run(() => releaseLost(id))
      if (saving.inMs() === 0) await saving.run(() => saveResponsiveness(db, fairSlots.takeChanges()))
    },
    expectLostClaims: lostClaims.reset,
  }
}
