import { setTimeout as sleep } from 'node:timers/promises'
import { createTenant } from '#features/tenancy/tenancy.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import type { Ctx } from '#platform/context.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import { percentile } from '../ratio.ts'
import { openScene, type Scene } from './webhook-installation.ts'
import { emitBatch, emitNoting } from './webhook-speed.ts'

/** First deliveries to new receivers of other tenants while thousands of receivers hang. */
interface Fairness {
  readonly hanging: number
  readonly tenants: number
  /** From the commit to the arrival, in milliseconds; of receivers that were new, one after the other. */
  readonly newMs: readonly number[]
  /** The same of one receiver that has answered quickly before. */
  readonly provenMs: readonly number[]
}

const NEWCOMERS = 20
const EVERY_MS = 500
/** Longer waits are counted as this long. */
const WAIT_MAX_MS = 120_000
const TOGETHER = 8
const FIRST_ANSWERS = 5
const POLL_MS = 5

const GOAL_MS = 1_000

export async function benchFairness(hanging: number, tenants: number): Promise<CommandResult> {
  const scene = await openScene()
  try {
    const { newMs, provenMs } = await measureFairness(scene, hanging, tenants)
    const inTime = newMs.filter((it) => it <= GOAL_MS).length
    const spread = (values: readonly number[]): string =>
      `p50 ${percentile(values, 0.5).toFixed(0)} ms, longest ${Math.max(...values).toFixed(0)} ms`
    return {
      json: { hanging, tenants, newMs, provenMs, goalMs: GOAL_MS, inTime },
      text: [
        `While ${hanging} receivers of ${tenants} tenants hang, from the commit to the arrival:`,
        `New receivers    ${spread(newMs)}; ${inTime} of ${newMs.length} within ${GOAL_MS} ms`,
        `Proven receiver  ${spread(provenMs)}`,
      ].join('\n'),
    }
  } finally {
    await scene.close()
  }
}

/** `hanging` receivers, shared evenly among so many tenants, get an event each; then the others come. */
async function measureFairness(scene: Scene, hanging: number, tenants: number): Promise<Fairness> {
  const proven = await newTenant(scene)
  await subscribeTo(scene, proven, '/timed/proven')
  for (let n = 0; n < FIRST_ANSWERS; n++) await timesToArrival(scene, [proven])
  const newcomers = await Promise.all(Array.from({ length: NEWCOMERS }, () => newTenant(scene)))
  await hang(scene, hanging, tenants)
  const newMs: number[] = []
  const provenMs: number[] = []
  for (const ctx of newcomers) {
    await sleep(EVERY_MS)
    await subscribeTo(scene, ctx, '/timed/new')
    const [first = WAIT_MAX_MS, known = WAIT_MAX_MS] = await timesToArrival(scene, [ctx, proven])
    newMs.push(first)
    provenMs.push(known)
  }
  return { hanging, tenants, newMs, provenMs }
}

async function hang(scene: Scene, hanging: number, tenants: number): Promise<void> {
  const contexts: Ctx[] = []
  for (let n = 0; n < tenants; n++) contexts.push(await newTenant(scene))
  const left = Array.from({ length: hanging }, (_, n) => contexts[n % tenants])
  const subscribeAll = async (): Promise<void> => {
    for (let ctx = left.pop(); ctx; ctx = left.pop()) await subscribeTo(scene, ctx, '/hung')
  }
  await Promise.all(Array.from({ length: TOGETHER }, subscribeAll))
  for (const ctx of contexts) await emitBatch(ctx, 1)
}

const subscribeTo = ({ receiverUrl }: Scene, ctx: Ctx, path: string) =>
  createEndpoint(ctx, { name: path, url: `${receiverUrl}${path}`, events: ['NEW_SOURCE'] })

async function newTenant({ installation }: Scene): Promise<Ctx> {
  const { system, contextFor } = installation.runtime
  return contextFor((await createTenant(system, { slug: `t-${crypto.randomUUID()}` })).id)
}

/** One event of each tenant at once; answers each one's milliseconds from the commit to its arrival. */
async function timesToArrival(scene: Scene, contexts: readonly Ctx[]): Promise<number[]> {
  const begunAt = performance.now()
  const committed = await Promise.all(
    contexts.map(async (ctx) => {
      const [id = ''] = await emitNoting(ctx)
      return { id, at: performance.timeOrigin + performance.now() }
    }),
  )
  const arrivedAt = new Map<string, number>()
  while (!committed.every(({ id }) => arrivedAt.has(id)) && performance.now() - begunAt < WAIT_MAX_MS) {
    await sleep(POLL_MS)
    for (const [id, at] of (await scene.arrivals()).timed) arrivedAt.set(id, at)
  }
  return committed.map(({ id, at }) => Math.min(WAIT_MAX_MS, (arrivedAt.get(id) ?? Infinity) - at))
}
