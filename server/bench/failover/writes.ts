import { setTimeout as sleep } from 'node:timers/promises'

/** What was sent and what came back. Times in milliseconds. */
export interface Written {
  /** How many answers had each status; `none` when the connection ended without one. */
  readonly statuses: Readonly<Record<string, number>>
  /** Answers that a caller cannot act on: neither 201 nor 503 with Retry-After. */
  readonly unexpected: number
  readonly slowestMs: number
  /** From the first request that was refused to the next that was taken. */
  readonly outages: readonly number[]
  /** Of requests that were answered with 201. */
  readonly createdIds: readonly string[]
  /** Of events whose commit was acknowledged. */
  readonly eventIds: readonly string[]
}

export interface WritesOptions {
  readonly request: { readonly url: string; readonly apiKey: string }
  /** Commits one event and answers its ids. */
  readonly emit: () => Promise<readonly string[]>
  readonly perSecond: number
  readonly say: (text: string) => void
}

export interface RunningWrites {
  readonly stop: () => Promise<Written>
}

interface Answer {
  readonly status: string
  readonly isExpected: boolean
  readonly createdId?: string
}

/** Sends at a steady rate, whether or not earlier requests have been answered. */
export function startWrites(options: WritesOptions): RunningWrites {
  const [statuses, outages]: [Record<string, number>, number[]] = [{}, []]
  const [createdIds, eventIds]: [string[], string[]] = [[], []]
  let [unexpected, slowestMs, isOver] = [0, 0, false]
  let refusedAt: number | undefined
  const request = async (): Promise<void> => {
    const begunAt = performance.now()
    const answer = await post(options.request)
    const endedAt = performance.now()
    slowestMs = Math.max(slowestMs, endedAt - begunAt)
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (!answer.isExpected) unexpected += 1
    if (answer.createdId) createdIds.push(answer.createdId)
    if (!answer.createdId) refusedAt ??= begunAt
    if (!answer.createdId || refusedAt === undefined || begunAt < refusedAt) return
    outages.push(endedAt - refusedAt)
    options.say(`writes again after ${((endedAt - refusedAt) / 1_000).toFixed(1)} s`)
    refusedAt = undefined
  }
  const event = async (): Promise<void> => {
    const ids = await options.emit().catch(() => [])
    eventIds.push(...ids)
  }
  const running = new Set<Promise<void>>()
  const loop = (async (): Promise<void> => {
    while (!isOver) {
      for (const write of [request(), event()]) {
        running.add(write)
        void write.finally(() => running.delete(write))
      }
      await sleep(1_000 / options.perSecond)
    }
  })()
  return {
    async stop() {
      isOver = true
      await loop
      await Promise.all(running)
      return { statuses, unexpected, slowestMs, outages, createdIds, eventIds }
    },
  }
}

async function post({ url, apiKey }: WritesOptions['request']): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'x-api-key': apiKey,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'failover', slug: crypto.randomUUID(), email: 'failover@example.org' }),
    })
    const body = (await response.json()) as { id?: string }
    const isRetryable = response.status === 503 && response.headers.has('retry-after')
    return {
      status: String(response.status),
      isExpected: response.status === 201 || isRetryable,
      ...(response.status === 201 && body.id && { createdId: body.id }),
    }
  } catch {
    return { status: 'none', isExpected: false }
  }
}
