import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '#platform/database/database.ts'
import type { Log } from '#platform/observability/log.ts'
import * as store from './worker-store.ts'

/**
 * This process as one of several workers: a row with a heartbeat, and an advisory lock that PostgreSQL releases when
 * the process or its connection ends. Claims of a dead worker are released by the others.
 */
export interface WorkerLease {
  /** The worker's id while it may claim; undefined while others might consider it dead. */
  readonly id: () => number | undefined
  /** Releases the lock; the caller must have released its claims. */
  readonly close: () => Promise<void>
}

export interface LeaseOptions {
  readonly database: Database
  readonly log: Log
  /** Releases the claims of a dead worker. */
  readonly takeOver: (workerId: number) => Promise<unknown>
  /** Called when this worker may claim again. */
  readonly onHeld: () => void
}

const CHECK_MS = 300
const HEARTBEAT_MS = 2_000
/**
 * After a lost database connection, other workers wait this long for a reconnection before they consider the worker
 * dead.
 */
const RECONNECT_GRACE_MS = 1_000
/** Without a heartbeat for this long the worker claims nothing: well before others release its claims. */
const FRESH_MS = 6_000

export function holdLease(options: LeaseOptions): WorkerLease {
  const closing = new AbortController()
  const membership = openMembership(options)
  let suspects: ReadonlySet<number> = new Set()

  const releaseDeadWorkers = async (id: number): Promise<void> => {
    if (performance.now() < membership.reconnectedAt() + RECONNECT_GRACE_MS) return
    const { system } = options.database
    const missing = (await store.otherWorkers(system, id)).filter((it) => it.isFree || it.isSilent)
    // A lock that is free only briefly belongs to a worker that is connecting.
    const dead = missing.filter((it) => it.isSilent || suspects.has(it.id))
    suspects = new Set(missing.map((it) => it.id))
    for (const it of dead) {
      await options.takeOver(it.id)
      if (it.isFree) await store.removeWorker(system, it.id)
    }
  }
  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await membership.renew()
        const id = membership.id()
        if (id !== undefined) await releaseDeadWorkers(id)
      } catch (error) {
        options.log.warn({ err: error }, 'webhook worker lost the database')
      }
      await sleep(CHECK_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  const looping = loop()
  return {
    id: membership.id,
    async close() {
      closing.abort()
      await looping
      await membership.leave()
    },
  }
}

function openMembership({ database, onHeld }: LeaseOptions) {
  let id: number | undefined
  let session: pg.Client | undefined
  let served: number | undefined // its last session, by which process of the database
  let heartbeatAt = -Infinity
  let reconnectedAt = -Infinity

  const drop = (): void => {
    void session?.end().catch(() => {})
    session = undefined
  }
  const join = async (): Promise<pg.Client> => {
    const fresh = await database.session()
    fresh.once('end', () => session === fresh && drop())
    id ??= await store.register(database.system)
    served = await store.lock(fresh, id, served).catch((error: unknown) => {
      id = served = undefined
      void fresh.end().catch(() => {})
      throw error
    })
    return fresh
  }
  return {
    id: () => (session !== undefined && performance.now() - heartbeatAt < FRESH_MS ? id : undefined),
    reconnectedAt: () => reconnectedAt,
    async renew(): Promise<void> {
      const isNew = session === undefined
      const isReconnect = isNew && id !== undefined
      session ??= await join()
      if (isReconnect) reconnectedAt = performance.now()
      if (id === undefined || (!isNew && performance.now() - heartbeatAt < HEARTBEAT_MS)) return
      const isListed = await orTimeout(store.heartbeat(session, id)).catch((error: unknown) => {
        drop()
        throw error
      })
      if (!isListed) {
        id = undefined
        return drop()
      }
      heartbeatAt = performance.now()
      if (isNew) onHeld()
    },
    async leave(): Promise<void> {
      if (id !== undefined) await store.removeWorker(database.system, id).catch(() => {})
      await session?.end().catch(() => {})
    },
  }
}

/** A connection whose peer is gone never answers. */
async function orTimeout<T>(answer: Promise<T>): Promise<T> {
  const waiting = new AbortController()
  const late = sleep(FRESH_MS, undefined, { signal: waiting.signal }).then(() => {
    throw new Error('no answer from the database')
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    waiting.abort()
    late.catch(() => {})
  }
}
