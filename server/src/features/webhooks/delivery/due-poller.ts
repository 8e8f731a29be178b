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

export type Due = Omit<EndpointDue, 'dueInMs' | 'horizon'> & { readonly overdueMs: number }

type Known = Omit<EndpointDue, 'horizon'> & {
  /** By the clock of this process; undefined: nothing is pending. */
  readonly dueAt: number | undefined
}

/** Maximum delay of a delivery whose wake signal was lost. */
const POLL_MS = 500
/** Interval of a query without cached values, because clocks may be set back. */
const SWEEP_MS = 5_000

/** `clock` returns monotonic milliseconds. */
export function openDuePoller(db: Db, clock: () => number = () => performance.now()): DuePoller {
  const known = openKnown(db, clock)
  let changed = new Set<number>()
  let tenants = new Set<string>()
  const sweeping = openThrottle(SWEEP_MS, clock)
  const pollingAll = openThrottle(POLL_MS, clock)

  const queryChanged = (): Promise<void> => {
    const [seqs, tenantIds] = [changed, tenants]
    changed = new Set()
    tenants = new Set()
    return known.query(seqs, tenantIds)
  }
  const queryAll = (): Promise<void> => {
    changed = new Set()
    tenants = new Set()
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
      else if (changed.size > 0 || tenants.size > 0) await queryChanged()
      return known.due()
    },
    changed(endpointSeqs) {
      for (const seq of endpointSeqs) changed.add(seq)
    },
    mayBeDue(tenantId) {
      if (tenantId === undefined) pollingAll.reset()
      else tenants.add(tenantId)
    },
    isDue: (seq) => known.isDue(seq),
    restMs: () => Math.min(POLL_MS, pollingAll.inMs(), known.nextInMs()),
  }
}

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
      endpoints.set(it.endpointSeq, { ...it, dueAt: it.dueInMs === null ? undefined : now + it.dueInMs })
  }
  const isDue = (seq: number): boolean => (endpoints.get(seq)?.dueAt ?? Infinity) <= clock()
  return {
    async query(seqs: ReadonlySet<number>, tenantIds: ReadonlySet<string>): Promise<void> {
      const ofTenants = [...endpoints.values()].filter((it) => tenantIds.has(it.tenantId))
      const all = new Set([...seqs, ...ofTenants.map((it) => it.endpointSeq)])
      // where something is due already, more of it changes nothing
      const { left = [], looked = [] } = Object.groupBy(all, (seq) =>
        !seqs.has(seq) && isDue(seq) ? 'left' : 'looked',
      )
      remember(await run(looked, { tenantIds: [...tenantIds], except: left, isWide: false }))
    },
    async queryAll(): Promise<void> {
      remember(await run([...endpoints.keys()], { tenantIds: [], except: [], isWide: true }))
    },
    forget: () => void (endpoints = new Map()),
    due(): Due[] {
      const now = clock()
      return [...endpoints.values()].flatMap(({ dueAt, ...it }) =>
        dueAt !== undefined && dueAt <= now ? [{ ...it, overdueMs: now - dueAt }] : [],
      )
    },
    isDue,
    /** Milliseconds until the next delivery becomes due. */
    nextInMs(): number {
      const now = clock()
      let next = Infinity
      for (const { dueAt } of endpoints.values())
        if (dueAt !== undefined && dueAt > now) next = Math.min(next, dueAt)
      return Math.ceil(next - now)
    },
  }
}
