import { setTimeout as sleep } from 'node:timers/promises'
import { emit } from '#features/events/events.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { openNet } from '#platform/egress/net.ts'
import type { Scene } from './webhook-installation.ts'

/** Events of one transaction, as a scan makes them. */
const BATCH = 500
/** Events on their way at once; enough that no side waits for the next batch. */
const AHEAD = 5_000
const POLL_MS = 20
/** Requests of the plain client at once: as many as the engine has for one endpoint that answers quickly. */
const CONCURRENCY = 64

export interface Rate {
  readonly perSecond: number
  /** Arrivals beyond one of each event. */
  readonly duplicates: number
}

/** Commits events as fast as they are delivered, for so many seconds, and waits for the last of them. */
export async function deliverFor(scene: Scene, seconds: number): Promise<Rate> {
  await scene.arrivals()
  const begunAt = performance.now()
  let [emitted, arrived, duplicates] = [0, 0, 0]
  const isTime = () => performance.now() - begunAt < seconds * 1_000
  while (isTime() || arrived < emitted) {
    while (isTime() && emitted - arrived < AHEAD) emitted += await emitBatch(scene.ctx, BATCH)
    await sleep(POLL_MS)
    const { count, distinct } = await scene.arrivals()
    arrived += distinct
    duplicates += count - distinct
  }
  return { perSecond: (arrived * 1_000) / (performance.now() - begunAt), duplicates }
}

/** The same client that the engine uses, with bodies and headers alike, to the same receiver: no event, no database. */
export async function postFor(scene: Scene, seconds: number): Promise<Rate> {
  const net = openNet({ allowPrivate: ['127.0.0.0/8'] })
  const url = new URL(`${scene.receiverUrl}/plain`)
  const body = Buffer.from(JSON.stringify({ ...payload(0), tenant_id: scene.ctx.tenantId }))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Rollcall',
    'x-service-event': 'NEW_SOURCE',
    'x-service-event-id': scene.ctx.tenantId,
    'x-service-timestamp': new Date().toISOString(),
    'x-service-signature': '0'.repeat(64),
  }
  const begunAt = performance.now()
  let posted = 0
  const post = async (): Promise<void> => {
    while (performance.now() - begunAt < seconds * 1_000) {
      const { status } = await net.post({ url, headers, body, budgetMs: 10_000 })
      if (status === 200) posted += 1
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, post))
  const perSecond = (posted * 1_000) / (performance.now() - begunAt)
  await net.close()
  return { perSecond, duplicates: 0 }
}

/** What comes one by one, or some at a time. */
export interface Pace {
  /** Commits. */
  readonly perSecond: number
  readonly bodyBytes?: number
  /** Events of one commit; one unless given. */
  readonly batch?: number
}

/** So many commits a second, one after the other; answers each event's milliseconds from its commit to its arrival. */
export async function latencies(scene: Scene, seconds: number, pace: Pace): Promise<number[]> {
  const { perSecond, bodyBytes, batch = 1 } = pace
  await scene.arrivals()
  const committedAt = new Map<string, number>()
  const begunAt = performance.now()
  for (let n = 0; n < seconds * perSecond; n++) {
    await sleep(Math.max(0, begunAt + ((n + Math.random()) * 1_000) / perSecond - performance.now()))
    const ids = await emitNoting(scene.ctx, bodyBytes, batch)
    for (const id of ids) committedAt.set(id, performance.timeOrigin + performance.now())
  }
  await sleep(1_000)
  const { timed } = await scene.arrivals()
  const arrivedAt = new Map(timed.toReversed())
  return [...committedAt].map(([id, at]) => (arrivedAt.get(id) ?? Infinity) - at)
}

export async function subscribe({ ctx, receiverUrl }: Scene, path: string): Promise<string> {
  const { endpoint } = await createEndpoint(ctx, {
    name: path,
    url: `${receiverUrl}${path}`,
    events: ['NEW_SOURCE'],
  })
  return endpoint.id
}

/** Of a body, unless another size is measured. */
const BODY_BYTES = 150
/** What a body has beside the name of the source. */
const OTHER_BYTES = 125

const payload = (n: number, bodyBytes = BODY_BYTES) => ({
  source_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  name: `source ${n}`.padEnd(bodyBytes - OTHER_BYTES, '.'),
})

export async function emitBatch(ctx: Ctx, count: number, bodyBytes = BODY_BYTES): Promise<number> {
  await atomically(ctx, (ctx) =>
    emit(
      ctx,
      Array.from({ length: count }, (_, n) => ({
        type: 'NEW_SOURCE' as const,
        payload: payload(n, bodyBytes),
      })),
    ),
  )
  return count
}

/** One commit of `count` events; answers their ids, which the reactions are told within the transaction. */
export async function emitNoting(ctx: Ctx, bodyBytes = BODY_BYTES, count = 1): Promise<string[]> {
  const ids: string[] = []
  const noting: Ctx = {
    ...ctx,
    reactions: {
      ...ctx.reactions,
      to: (inner, happenings) => {
        ids.push(...happenings.map((it) => it.eventId))
        return ctx.reactions.to(inner, happenings)
      },
    },
  }
  await emitBatch(noting, count, bodyBytes)
  return ids
}
