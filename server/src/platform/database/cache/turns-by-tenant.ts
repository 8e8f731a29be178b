import { busy } from '../../errors.ts'

/** Limits how many pieces of work run at once, fairly between tenants. */
export type TurnsByTenant = <T>(turn: Turn<T>) => Promise<T>

export interface Turn<T> {
  readonly tenantId: string
  /** Called before the work begins: whether anybody still waits for it. */
  readonly isWanted: () => boolean
  readonly work: () => Promise<T>
}

export interface TurnLimits {
  readonly atOnce: number
  readonly atOnceOfTenant: number
  /** Of one tenant. */
  readonly waiting: number
}

/**
 * Each tenant's works begin in the order in which they came; of several tenants, one after the other has the next turn.
 * Throws 503 where too many wait, and for work that nobody wants any more when its turn comes.
 */
export function turnsByTenant(limits: TurnLimits): TurnsByTenant {
  /** The tenant that has the next turn first. */
  const queues = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let free = limits.atOnce

  function beginNext(): void {
    for (const [tenantId, queue] of queues) {
      if (free === 0) return
      if ((running.get(tenantId) ?? 0) >= limits.atOnceOfTenant) continue
      // behind the others, where this loop finds it again
      queues.delete(tenantId)
      const begin = queue.shift()
      if (queue.length > 0) queues.set(tenantId, queue)
      begin?.()
    }
  }

  function count(tenantId: string, by: 1 | -1): void {
    free -= by
    const now = (running.get(tenantId) ?? 0) + by
    if (now > 0) running.set(tenantId, now)
    else running.delete(tenantId)
  }

  return async ({ tenantId, isWanted, work }) => {
    const queue = queues.get(tenantId) ?? []
    if (queue.length >= limits.waiting) throw busy()
    await new Promise<void>((resolve, reject) => {
      queue.push(() => {
        if (!isWanted()) return reject(busy())
        count(tenantId, 1)
        resolve()
      })
      queues.set(tenantId, queue)
      beginNext()
    })
    try {
      return await work()
    } finally {
      count(tenantId, -1)
      beginNext()
    }
  }
}
