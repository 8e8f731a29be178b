import type { Db } from '#platform/database/database.ts'
import { parkInactiveDeliveries, findDue, type EndpointDue, type DueScope } from './due-store.ts'
import { openThrottle } from './throttle.ts'

/**
 * Finds due deliveries. Results are cached, so only endpoints that may have changed are queried; every half second,
 * or less often if that query is slow, all of them.
 */
export interface DuePoller {
  /** The endpoints where a delivery is due. */
  readonly findDue: () => Promise<Due[]>
  /** Marks endpoints as changed: a delivery was claimed, or will be retried. */
  readonly changed: (endpointSeqs: Iterable<number>) => void
  /** Something may be due at this tenant's endpoints; without a tenant, at any. */
  readonly mayBeDue: (tenantId?: string) => void
  /** Whether something was found due there, and not claimed since. */
  readonly isDue: (endpointSeq: number) => boolean
  /** Milliseconds until the next known delivery is due, unless something is committed. */
  readonly restMs: () => number
}

export type Due = Omit<EndpointDue, 'dueInMs' | 'horizon'> & {
  readonly overdueMs: number
  /** The last look is so long ago that much was claimed since, before the place where the next claim begins. */
  readonly isStale: boolean
  /** Something was committed for its tenant, so it is claimed for without a look. */
  readonly isUnseen: boolean
}

type Known = Omit<EndpointDue, 'horizon'> & {
  /** On the clock of this process; undefined: nothing is pending. */
  readonly dueAt: number | undefined
  readonly lookedAt: number
}

/** Maximum delay of a delivery whose wake signal was lost. */
const POLL_MS = 500
/** Where a receiver may be claimed for without a look, the others of its tenant are looked at a little later. */
const LOOK_LATER_MS = 50
/** Where claims find as much as they want, a look is left out for so long. */
const FRESH_MS = 50
/** Interval of a query without cached values, because clocks may be set back. */
const SWEEP_MS = 5_000

/** `isQuick` says which endpoints are worth a claim without a look; `clock` returns monotonic milliseconds. */
export function openDuePoller(
  db: Db,
  isQuick: (endpointSeq: number) => boolean,
  clock: () => number = () => performance.now(),
): DuePoller {
  const known = openKnown(db, clock)
  let maybe = nothingMayBe()
  const sweeping = openThrottle(SWEEP_MS, clock)
  const pollingAll = openThrottle(POLL_MS, clock)

  const queryChanged = (): Promise<void> => {
    const { changed, tenants } = maybe
    maybe = nothingMayBe()
    return known.query(changed, tenants)
  }
  const queryAll = (): Promise<void> => {
    maybe = nothingMayBe()
    return known.queryAll()
  }
  const sweep = async (): Promise<void> => {
    await parkInactiveDeliveries(db)
    known.forget()
    await queryAll()
  }
  return {
    async findDue() {
      if (sweeping.inMs() === 0) await sweeping.run(sweep)
      else if (pollingAll.inMs() === 0) await pollingAll.run(queryAll)
      else if (maybe.changed.size > 0 || maybe.lookAt <= clock()) await queryChanged()
      const unseen = known.unseenAmong(maybe.unseen)
      maybe.unseen.clear()
      return [...known.due(), ...unseen]
    },
    changed(endpointSeqs) {
      for (const seq of endpointSeqs) maybe.changed.add(seq)
    },
    mayBeDue(tenantId) {
      if (tenantId === undefined) return pollingAll.reset()
      const its = known.free(tenantId).filter(isQuick)
      for (const seq of its) maybe.unseen.add(seq)
      maybe.lookAt = Math.min(maybe.lookAt, clock() + (its.length > 0 ? LOOK_LATER_MS : 0))
      maybe.tenants.add(tenantId)
    },
    isDue: (seq) => known.isDue(seq),
    restMs: () =>
      Math.min(POLL_MS, pollingAll.inMs(), known.nextInMs(), Math.max(0, Math.ceil(maybe.lookAt - clock()))),
  }
}

/** Where something may be due since the last look. */
const nothingMayBe = () => ({
  changed: new Set<number>(),
  tenants: new Set<string>(),
  /** Endpoints that are worth a claim without a look. */
  unseen: new Set<number>(),
  /** When the tenants are looked at. */
  lookAt: Infinity,
})

/** Cache of the last result for each endpoint. */
function openKnown(db: Db, clock: () => number) {
  let endpoints = new Map<number, Known>()
  let horizon: string | null = null

  const run = async (seqs: Iterable<number>, scope: Omit<DueScope, 'known'>): Promise<EndpointDue[]> => {
    const known = Array.from(seqs, (seq) => ({ endpointSeq: seq, since: endpoints.get(seq)?.since ?? null }))
    const found = await findDue(db, { known, ...scope }, horizon)
    horizon = found[0]?.horizon ?? horizon
    // Endpoints that are missing in the result are disabled or deleted.
    for (const { endpointSeq } of known) endpoints.delete(endpointSeq)
    return found
  }
  const remember = (found: readonly EndpointDue[]): void => {
    const now = clock()
    for (const { horizon: _, ...it } of found)
      endpoints.set(it.endpointSeq, {
        ...it,
        dueAt: it.dueInMs === null ? undefined : now + it.dueInMs,
        lookedAt: now,
      })
  }
  const isDue = (seq: number): boolean => (endpoints.get(seq)?.dueAt ?? Infinity) <= clock()
  return {
    async query(seqs: ReadonlySet<number>, tenantIds: ReadonlySet<string>): Promise<void> {
      const ofTenants = [...endpoints.values()].filter((it) => tenantIds.has(it.tenantId))
      const all = new Set([...seqs, ...ofTenants.map((it) => it.endpointSeq)])
      // an endpoint where something is due already is looked at anyway
      const { left = [], looked = [] } = Object.groupBy(all, (seq) =>
        !seqs.has(seq) && isDue(seq) ? 'left' : 'looked',
      )
      remember(await run(looked, { tenantIds: [...tenantIds], except: left, isWide: false }))
    },
    async queryAll(): Promise<void> {
      remember(await run([...endpoints.keys()], { tenantIds: [], except: [], isWide: true }))
    },
    forget: () => void (endpoints = new Map()),
    due: (now = clock()): Due[] => [...endpoints.values()].flatMap((it) => asDue(it, now)),
    /** Known endpoints of the tenant without limits, where nothing is known to be due. */
    free: (tenantId: string): number[] =>
      [...endpoints.values()]
        .filter((it) => it.tenantId === tenantId && !it.isLimited && !isDue(it.endpointSeq))
        .map((it) => it.endpointSeq),
    unseenAmong: (seqs: ReadonlySet<number>): Due[] =>
      [...endpoints.values()]
        .filter((it) => seqs.has(it.endpointSeq) && !isDue(it.endpointSeq))
        .map((it) => ({ ...it, overdueMs: 0, isStale: false, isUnseen: true })),
    isDue,
    nextInMs: () => nextInMs(endpoints.values(), clock()),
  }
}

/** Empty where nothing is due. */
const asDue = ({ dueAt = Infinity, lookedAt, ...it }: Known, now: number): Due[] =>
  dueAt <= now
    ? [{ ...it, overdueMs: now - dueAt, isStale: now - lookedAt >= FRESH_MS, isUnseen: false }]
    : []

/** Milliseconds until the next delivery becomes due. */
function nextInMs(endpoints: Iterable<Known>, now: number): number {
  let next = Infinity
  for (const { dueAt } of endpoints) if (dueAt !== undefined && dueAt > now) next = Math.min(next, dueAt)
  return Math.ceil(next - now)
}
