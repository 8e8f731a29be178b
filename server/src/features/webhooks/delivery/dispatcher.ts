import type { Ctx } from '#platform/context.ts'
import { remembering } from '#platform/secrets/seal.ts'
import type { Claimed } from './claim-store.ts'
import { finish, putBack } from './outcome-store.ts'
import { deliver, type Schedule } from './deliver.ts'
import { openFairSlots, PROBE_MS, type FairSlots } from './slots/fair-slots.ts'
import { openDuePoller, type DuePoller } from './due-poller.ts'
import { openOutcomeWriter } from './outcome-writer.ts'
import { openUpkeep } from './upkeep.ts'
import type { LocalWorker } from './claimed-inserts/local-worker.ts'
import { openPromisedClaims } from './claimed-inserts/promised-claims.ts'
import { claimDue } from './claim-due.ts'

/** Claims due deliveries and sends them, within the available slots, as well as those that were inserted as claimed. */
export interface Dispatcher extends LocalWorker {
  /** Returns the milliseconds until there may be work, unless something is committed. */
  readonly runOnce: (workerId: number) => Promise<number>
  /** After a claim whose result may be lost: the next run releases claims of this worker that it does not know. */
  readonly expectLostClaims: () => void
  /** Something may be due at this tenant's endpoints; without a tenant, at any. */
  readonly mayBeDue: (tenantId?: string) => void
  /** Promises no more claims; resolves when all deliveries now in flight have ended and are written. */
  readonly drained: () => Promise<void>
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

/** Size of the cache of decrypted secrets: decrypting costs as much as sending. */
const SECRETS_MAX = 10_000
/** Room at an endpoint for so many is worth a claim while outcomes are being written. */
const WORTH_A_CLAIM = 24
/** With more outcomes that are not written, a claim waits for them: they are what arrives twice when the process dies. */
const UNWRITTEN_MAX = 48

export function openDispatcher({ system, slots, schedule, workerId, onFree }: DispatcherOptions): Dispatcher {
  const { db } = system
  const fairSlots = openFairSlots(slots)
  const duePoller = openDuePoller(db, fairSlots.isQuick)
  const lookAt = (endpointSeqs: readonly number[]): void => {
    duePoller.changed(endpointSeqs)
    onFree()
  }
  const sending = openSending(system, { fairSlots, duePoller, schedule, onFree })
  const promised = openPromisedClaims(slots, {
    fairSlots,
    workerId,
    hasBacklog: duePoller.isDue,
    send: sending.begin,
    putBack: (its) => putBack(db, its).then(() => lookAt(its.map((it) => it.endpointSeq))),
    onWaiting: lookAt,
    onLost: () => upkeep.expectLostClaims(),
  })
  const upkeep = openUpkeep(system, { fairSlots, duePoller, underWay: sending.underWay, promised })
  const runOnce = async (id: number): Promise<number> => {
    const due = await duePoller.findDue()
    const by = { workerId: id, atMost: slots - sending.underWay.size - promised.count() }
    const { claimed, endpointSeqs } = await claimDue(db, fairSlots, by, due)
    duePoller.changed(endpointSeqs)
    // A process that was suspended may have been declared dead: then others send its claims.
    if (workerId() !== id) {
      upkeep.expectLostClaims()
      return 0
    }
    sending.begin(claimed)
    // behind the claim, so that the first delivery of a new worker does not wait for it
    await upkeep.run(id)
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
    promise: promised.promise,
    async drained() {
      await promised.close()
      await Promise.all(sending.underWay.values())
    },
  }
}

interface SendingParts extends Pick<DispatcherOptions, 'schedule' | 'onFree'> {
  readonly fairSlots: Pick<FairSlots, 'begin' | 'end' | 'roomAt'>
  readonly duePoller: Pick<DuePoller, 'changed' | 'isDue'>
}

/** Deliveries from their claim until their outcome is written. */
function openSending(system: Ctx, { fairSlots, duePoller, schedule, onFree }: SendingParts) {
  const underWay = new Map<number, Promise<void>>()
  let unwritten = 0
  const sender = { ...system, seal: remembering(system.seal, SECRETS_MAX) }
  const outcomes = openOutcomeWriter(
    (batch) => finish(system.db, batch),
    (error) => system.log.warn({ err: error }, 'outcomes of deliveries wait for the database'),
  )

  const send = async (claimed: Claimed): Promise<void> => {
    fairSlots.begin(claimed.endpointSeq, claimed.id)
    const outcome = await deliver(sender, claimed, schedule)
    fairSlots.end(claimed.endpointSeq, claimed.id)
    const hasMore = duePoller.isDue(claimed.endpointSeq)
    unwritten++
    // what waits is claimed for once there is room for some, or once this is written
    const isWorthIt = unwritten <= UNWRITTEN_MAX && fairSlots.roomAt(claimed.endpointSeq) >= WORTH_A_CLAIM
    if (hasMore && isWorthIt) onFree()
    await outcomes.add(outcome, outcome.state === 'f' || claimed.isLimited || hasMore)
    unwritten--
    underWay.delete(claimed.id)
    if (outcome.state === 'f') duePoller.changed([claimed.endpointSeq])
    onFree()
  }
  return {
    underWay,
    begin: (claimed: readonly Claimed[]): void => {
      for (const it of claimed) underWay.set(it.id, send(it))
    },
  }
}
