import type { Ctx } from '#platform/context.ts'
import { remembering } from '#platform/secrets/seal.ts'
import type { Claimed } from './claim-store.ts'
import { finish, release } from './outcome-store.ts'
import { deliver, type Schedule } from './deliver.ts'
import { notePulses } from './due-store.ts'
import { openLanes, PROBE_MS, type Lanes } from './fair-slots.ts'
import { openLookout, type Lookout } from './due-poller.ts'
import { openOutcomes } from './outcome-writer.ts'
import { openSeldom } from './throttle.ts'
import { takeDue } from './claim-due.ts'

/** Claims what is due and has it delivered, as far as slots and lanes allow. */
export interface Dispatch {
  /** Answers how long there is nothing to do, in milliseconds, unless something new comes. */
  readonly round: (workerId: number) => Promise<number>
  /** After a claim whose answer may be lost: the next round gives back what is claimed and not known here. */
  readonly doubt: () => void
  /** Something may be due at this tenant's endpoints; without a tenant, at any. */
  readonly stirred: (tenantId?: string) => void
  /** When everything that is under way now has ended and is written. */
  readonly settled: () => Promise<unknown>
}

export interface DispatchOptions {
  readonly system: Ctx
  /** Deliveries under way at once. */
  readonly slots: number
  readonly schedule: Schedule
  /** The id under which this process may claim and send at this moment. */
  readonly workerId: () => number | undefined
  /** Called when a slot is free again. */
  readonly onFree: () => void
}

/** How often it doubts without a reason. */
const DOUBT_MS = 5_000
const NOTE_MS = 10_000
/** Opening one costs as much as sending it. */
const SECRETS_MAX = 10_000

export function openDispatch({ system, slots, schedule, workerId, onFree }: DispatchOptions): Dispatch {
  const { db, log } = system
  const sender = { ...system, seal: remembering(system.seal, SECRETS_MAX) }
  const [lanes, lookout] = [openLanes(slots), openLookout(db)]
  const underWay = new Map<number, Promise<void>>()
  const upkeep = openUpkeep(system, { lanes, lookout, underWay })
  const outcomes = openOutcomes(
    (batch) => finish(db, batch),
    (error) => log.warn({ err: error }, 'outcomes of deliveries wait for the database'),
  )

  const begin = async (claimed: Claimed): Promise<void> => {
    lanes.begin(claimed.endpointSeq, claimed.id)
    const outcome = await deliver(sender, claimed, schedule)
    lanes.end(claimed.endpointSeq, claimed.id)
    await outcomes.add(outcome)
    underWay.delete(claimed.id)
    if (outcome.state === 'f') lookout.changed([claimed.endpointSeq])
    onFree()
  }
  const round = async (id: number): Promise<number> => {
    await upkeep.run(id)
    const due = await lookout.look()
    const by = { workerId: id, atMost: slots - underWay.size }
    const { claimed, endpointSeqs } = await takeDue(db, lanes, by, due)
    lookout.changed(endpointSeqs)
    // A process that was frozen meanwhile has been given up: others send what it has claimed.
    if (workerId() !== id) {
      upkeep.doubt()
      return 0
    }
    for (const it of claimed) underWay.set(it.id, begin(it))
    if (claimed.length > 0) return 0
    // The lane of new receivers has more room a moment later, even if none of them has answered.
    return due.length > 0 ? Math.min(PROBE_MS, lookout.restMs()) : lookout.restMs()
  }
  return {
    round,
    doubt() {
      upkeep.doubt()
      lookout.stirred()
    },
    stirred: lookout.stirred,
    settled: () => Promise.all(underWay.values()),
  }
}

interface Kept {
  readonly lanes: Lanes
  readonly lookout: Lookout
  readonly underWay: ReadonlyMap<number, unknown>
}

/** What is done now and then beside delivering: claims that got lost are given back, and who is quick is noted. */
function openUpkeep({ db, log }: Ctx, { lanes, lookout, underWay }: Kept) {
  const doubting = openSeldom(DOUBT_MS)
  const noting = openSeldom(NOTE_MS)

  const giveBackUnknown = async (id: number): Promise<void> => {
    const count = await release(db, id, [...underWay.keys()])
    if (count === 0) return
    lookout.stirred()
    log.warn({ workerId: id, count }, 'claims of deliveries got lost and are given back')
  }
  return {
    async run(id: number): Promise<void> {
      if (doubting.inMs() === 0) await doubting.run(() => giveBackUnknown(id))
      if (noting.inMs() === 0) await noting.run(() => notePulses(db, lanes.news()))
    },
    doubt: doubting.reset,
  }
}
