import { setTimeout as sleep } from 'node:timers/promises'
import { touch as touchSource } from '#features/sources/sources.ts'
import { atomicallyDespiteDeadlock, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { agentNames } from '../../agent.ts'
import * as store from './touch-store.ts'
import type { Touch } from './touch-store.ts'

/** How long the first report of a batch waits for others. */
const GATHER_MS = 20
const BATCH_MAX = 500
/** How many reports may wait in this process; each is a request that is held open. */
const WAITING_MAX = 5_000
/** How many of these may be of one tenant, without the batch that is being taken: one tenant cannot take all the room. */
const WAITING_OF_TENANT_MAX = WAITING_MAX / 2
const RETRY_AFTER_SECONDS = { min: 30, max: 900 }

/**
 * `changed`: the counter was taken, and the report has to be taken by itself. `refused`: the counter is not greater than
 * in a request before, or the key was revoked.
 */
export type TouchOutcome = 'unchanged' | 'changed' | 'refused'

/**
 * Reports that tell nothing new, gathered for each tenant: one transaction for many of them. Each is answered after the
 * commit that it is in.
 */
export interface TouchBatches extends AsyncDisposable {
  readonly touch: (ctx: Ctx, touch: Touch) => Promise<TouchOutcome>
  /** How long the first report of the latest batch had waited for it, in milliseconds. */
  readonly delayMs: () => number
}

interface Waiting {
  readonly ctx: Ctx
  readonly touch: Touch
  readonly since: number
  readonly resolve: (outcome: TouchOutcome) => void
  readonly reject: (error: unknown) => void
}

export function openTouchBatches({
  waitingMax = WAITING_MAX,
  waitingOfTenantMax = WAITING_OF_TENANT_MAX,
} = {}): TouchBatches {
  const queues = new Map<string, Waiting[]>()
  const working = new Set<Promise<void>>()
  let waiting = 0
  let delayMs = 0

  const work = async (tenantId: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      // those that came while the batch before was taken have waited already
      const gatherMs = GATHER_MS - (performance.now() - (queue[0]?.since ?? performance.now()))
      if (queue.length < BATCH_MAX && gatherMs > 0) await sleep(gatherMs)
      const batch = takeBatch(queue)
      delayMs = performance.now() - (batch[0]?.since ?? performance.now())
      await settle(batch)
      waiting -= batch.length
    }
    queues.delete(tenantId)
  }
  return {
    touch(ctx, touch) {
      const queue = queues.get(ctx.tenantId)
      if (waiting >= waitingMax || (queue?.length ?? 0) >= waitingOfTenantMax) throw busy()
      waiting += 1
      return new Promise((resolve, reject) => {
        const given = { ctx, touch, since: performance.now(), resolve, reject }
        if (queue) return void queue.push(given)
        const started = [given]
        queues.set(ctx.tenantId, started)
        const done = work(ctx.tenantId, started).finally(() => working.delete(done))
        working.add(done)
      })
    },
    delayMs: () => delayMs,
    async [Symbol.asyncDispose]() {
      await Promise.all(working)
    },
  }
}

/** One of each key: the next one is compared with the counter of the one before. */
function takeBatch(queue: Waiting[]): Waiting[] {
  const taken = new Map<string, Waiting>()
  const left: Waiting[] = []
  for (const it of queue.splice(0)) {
    const key = it.touch.keyId.toString('hex')
    if (taken.size < BATCH_MAX && !taken.has(key)) taken.set(key, it)
    else left.push(it)
  }
  queue.push(...left)
  return [...taken.values()]
}

async function settle(batch: readonly Waiting[]): Promise<void> {
  const [first] = batch
  if (!first) return
  try {
    const ctx = { ...first.ctx, actor: { ...first.ctx.actor, id: 'agents' } }
    const touches = batch.map(({ touch }) => touch)
    const outcomes = await touchAll(ctx, touches)
    for (const [n, { resolve }] of batch.entries()) resolve(outcomes[n] ?? 'changed')
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/** In one transaction; the reports are of different keys. */
function touchAll(ctx: Ctx, touches: readonly Touch[]): Promise<TouchOutcome[]> {
  return atomicallyDespiteDeadlock(ctx, async (inner) => {
    await store.lockAgents(inner, touches)
    const keys = await store.takeCounters(inner, touches)
    const isTaken = ({ keyId }: Touch): boolean => keys.has(keyId.toString('hex'))
    const unchanged = await unchangedAmong(inner, touches.filter(isTaken))
    return touches.map((it) => {
      if (!isTaken(it)) return 'refused'
      return unchanged.has(it.agentId) ? 'unchanged' : 'changed'
    })
  })
}

async function unchangedAmong(ctx: Ctx, touches: readonly Touch[]): Promise<ReadonlySet<string>> {
  if (touches.length === 0) return new Set()
  const agents = await store.noteUnchanged(ctx, touches)
  const seenAt = new Map(touches.map((it) => [it.agentId, it.seenAt]))
  const sightings = agents.map(({ id, sourceKey }) => ({ sourceKey, seenAt: seenAt.get(id) ?? ctx.now() }))
  const source = { kind: 'agent', key: 'agent', name: agentNames.agent }
  const seen = new Set(sightings.length > 0 ? await touchSource(ctx, source, sightings) : [])
  return new Set(agents.flatMap(({ id, sourceKey }) => (seen.has(sourceKey) ? id : [])))
}

/** Drawn at random, so that those who were refused together do not return together. */
function busy(): Refusal {
  const { min, max } = RETRY_AFTER_SECONDS
  return new Refusal(503, 'unavailable', 'too many reports arrive at the same time; send it again later', {
    retryAfterSeconds: min + Math.floor(Math.random() * (max - min)),
  })
}
