import type { Db } from '#platform/db.ts'
import { clearAway, look, type Looked } from './due-store.ts'
import { openSeldom } from './seldom.ts'

/** Looks for deliveries that are due, each time from where the last look ended. */
export interface Lookout {
  readonly look: () => Promise<Looked[]>
  /** How long it would find nothing new, in milliseconds, unless something is committed. */
  readonly restMs: (found: readonly Looked[]) => number
}

/** The truth when no wake-up comes. */
const POLL_MS = 500
/** How often everything is looked at from the beginning, whatever is remembered: clocks may be set back. */
const SWEEP_MS = 5_000

export function openLookout(db: Db): Lookout {
  let since = new Map<number, string | null>()
  /** Those that had something since the last sweep. */
  let busy = new Set<number>()
  let horizon: string | null = null
  let isAllSeen = false
  const sweeping = openSeldom(SWEEP_MS)
  const widely = openSeldom(0)

  const lookAt = async (isWide: boolean): Promise<Looked[]> => {
    const seqs = isWide ? [...since.keys()] : [...busy]
    const known = seqs.map((endpointSeq) => ({ endpointSeq, since: since.get(endpointSeq) ?? null }))
    const found = await look(db, known, { isWide, horizon })
    if (isWide) since = new Map()
    for (const it of found) since.set(it.endpointSeq, it.since)
    for (const it of found) if (it.dueInMs !== null) busy.add(it.endpointSeq)
    horizon = found[0]?.horizon ?? horizon
    isAllSeen = isWide
    return found
  }
  const sweep = async (): Promise<Looked[]> => {
    await clearAway(db)
    since = new Map()
    busy = new Set()
    return lookAt(true)
  }
  return {
    async look() {
      if (sweeping.inMs() === 0) return sweeping.run(sweep)
      if (widely.inMs() === 0) return widely.run(() => lookAt(true))
      isAllSeen = false
      return busy.size > 0 ? lookAt(false) : []
    },
    restMs(found) {
      const waits = found.flatMap(({ dueInMs }) =>
        dueInMs !== null && dueInMs > 0 ? [Math.ceil(dueInMs)] : [],
      )
      return Math.min(POLL_MS, ...waits, isAllSeen ? POLL_MS : widely.inMs())
    },
  }
}
