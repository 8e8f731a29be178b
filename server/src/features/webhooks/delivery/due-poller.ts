import type { Db } from '#platform/database/database.ts'
import { clearAway, look, type Looked, type Scope } from './due-store.ts'
import { openSeldom } from './throttle.ts'

/**
 * Knows which deliveries are due. What was seen once stays known, so the database is asked only about endpoints where
 * something may have changed; every half second, or as often as that takes a twentieth of the time, about all.
 */
export interface Lookout {
  /** The endpoints where a delivery is due. */
  readonly look: () => Promise<Due[]>
  /** These endpoints may have changed: a delivery was claimed, or is to be tried again. */
  readonly changed: (endpointSeqs: Iterable<number>) => void
  /** Something may be due at this tenant's endpoints; without a tenant, at any. */
  readonly stirred: (tenantId?: string) => void
  /** How long nothing new is known to become due, in milliseconds, unless something is committed. */
  readonly restMs: () => number
}

export type Due = Omit<Looked, 'dueInMs' | 'horizon'> & { readonly overdueMs: number }

type Known = Omit<Looked, 'horizon'> & {
  /** By the clock of this process; undefined: nothing waits. */
  readonly dueAt: number | undefined
}

/** How late a commit is found whose wake-up was lost. */
const POLL_MS = 500
/** How often everything is looked at from the beginning, whatever is remembered: clocks may be set back. */
const SWEEP_MS = 5_000

/** `clock` counts milliseconds and never goes back. */
export function openLookout(db: Db, clock: () => number = () => performance.now()): Lookout {
  const known = openKnown(db, clock)
  let changed = new Set<number>()
  let tenants = new Set<string>()
  const sweeping = openSeldom(SWEEP_MS, clock)
  const widely = openSeldom(POLL_MS, clock)

  const lookAtChanged = (): Promise<void> => {
    const [seqs, tenantIds] = [changed, tenants]
    changed = new Set()
    tenants = new Set()
    return known.lookAt(seqs, tenantIds)
  }
  const lookAtAll = (): Promise<void> => {
    changed = new Set()
    tenants = new Set()
    return known.lookAtAll()
  }
  const sweep = async (): Promise<void> => {
    await clearAway(db)
    known.forget()
    await lookAtAll()
  }
  return {
    async look() {
      if (sweeping.inMs() === 0) await sweeping.run(sweep)
      else if (widely.inMs() === 0) await widely.run(lookAtAll)
      else if (changed.size > 0 || tenants.size > 0) await lookAtChanged()
      return known.due()
    },
    changed(endpointSeqs) {
      for (const seq of endpointSeqs) changed.add(seq)
    },
    stirred(tenantId) {
      if (tenantId === undefined) widely.reset()
      else tenants.add(tenantId)
    },
    restMs: () => Math.min(POLL_MS, widely.inMs(), known.nextInMs()),
  }
}

/** What was seen of each endpoint, at the last look that it was part of. */
function openKnown(db: Db, clock: () => number) {
  let endpoints = new Map<number, Known>()
  let horizon: string | null = null

  const run = async (seqs: Iterable<number>, scope: Omit<Scope, 'known'>): Promise<Looked[]> => {
    const known = Array.from(seqs, (seq) => ({ endpointSeq: seq, since: endpoints.get(seq)?.since ?? null }))
    const found = await look(db, { known, ...scope }, horizon)
    horizon = found[0]?.horizon ?? horizon
    // One that is not found any more is disabled or deleted.
    for (const { endpointSeq } of known) endpoints.delete(endpointSeq)
    return found
  }
  const remember = (found: readonly Looked[]): void => {
    const now = clock()
    for (const { horizon: _, ...it } of found)
      endpoints.set(it.endpointSeq, { ...it, dueAt: it.dueInMs === null ? undefined : now + it.dueInMs })
  }
  return {
    async lookAt(seqs: ReadonlySet<number>, tenantIds: ReadonlySet<string>): Promise<void> {
      const ofTenants = [...endpoints.values()].filter((it) => tenantIds.has(it.tenantId))
      const all = new Set([...seqs, ...ofTenants.map((it) => it.endpointSeq)])
      remember(await run(all, { tenantIds: [...tenantIds], isWide: false }))
    },
    async lookAtAll(): Promise<void> {
      remember(await run([...endpoints.keys()], { tenantIds: [], isWide: true }))
    },
    forget: () => void (endpoints = new Map()),
    due(): Due[] {
      const now = clock()
      return [...endpoints.values()].flatMap(({ dueAt, ...it }) =>
        dueAt !== undefined && dueAt <= now ? [{ ...it, overdueMs: now - dueAt }] : [],
      )
    },
    /** Until the next one is due that is not due yet. */
    nextInMs(): number {
      const now = clock()
      let next = Infinity
      for (const { dueAt } of endpoints.values())
        if (dueAt !== undefined && dueAt > now) next = Math.min(next, dueAt)
      return Math.ceil(next - now)
    },
  }
}
