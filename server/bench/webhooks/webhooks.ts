import pg from 'pg'
import { deleteEndpoint } from '#features/webhooks/webhooks.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import { percentile } from '../ratio.ts'
import { openScene, type Scene } from './webhook-installation.ts'
import { deliverFor, latencies, postFor, subscribe, type Rate } from './webhook-speed.ts'

/** Durable deliveries, from the commit of an event to its outcome in the database, beside bare POSTs of the same client. */
export interface WebhookFigures {
  readonly perSecond: number
  readonly plainPerSecond: number
  readonly ratio: number
  /** While a transaction that sees the state before is open. */
  readonly perSecondUnderSnapshot: number
  readonly snapshotSeconds: number
  readonly duplicates: number
  /** From the commit to the arrival, with nothing else to do. */
  readonly idleMs: Spread
  /** Of a healthy endpoint beside fifty that never answer and want the same events. */
  readonly besideHungMs: Spread
}

interface Spread {
  readonly p50: number
  readonly p99: number
}

const GOALS = { perSecond: 8_000, ratio: 0.4, underSnapshot: 0.5, idleP50Ms: 10, besideHungP99Ms: 100 }
const IDLE_PER_SECOND = 20
const HEALTHY_PER_SECOND = 200
const HUNG = 50
const TURNS = 3

export async function benchWebhooks(seconds: number, snapshotSeconds: number): Promise<CommandResult> {
  const scene = await openScene()
  try {
    const figures = await measure(scene, seconds, snapshotSeconds)
    const shortfalls = shortfallsOf(figures)
    return {
      json: { ...figures, goals: GOALS, shortfalls },
      text: textOf(figures, shortfalls),
      ...(figures.duplicates > 0 && { isBad: true }),
    }
  } finally {
    await scene.close()
  }
}

async function measure(scene: Scene, seconds: number, snapshotSeconds: number): Promise<WebhookFigures> {
  await subscribe(scene, '/timed')
  await deliverFor(scene, 1)
  const idleMs = spreadOf(await latencies(scene, seconds, { perSecond: IDLE_PER_SECOND }))
  const besideHungMs = await besideHung(scene, seconds)
  const [plain, durable]: [Rate[], Rate[]] = [[], []]
  for (let turn = 0; turn < TURNS; turn++) {
    plain.push(await postFor(scene, seconds / TURNS))
    durable.push(await deliverFor(scene, seconds / TURNS))
  }
  const [perSecond, plainPerSecond] = [mean(durable), mean(plain)]
  const underSnapshot = await withSnapshot(scene, () => deliverFor(scene, snapshotSeconds))
  return {
    perSecond,
    plainPerSecond,
    ratio: perSecond / plainPerSecond,
    perSecondUnderSnapshot: underSnapshot.perSecond,
    snapshotSeconds,
    duplicates: [...durable, underSnapshot].reduce((sum, it) => sum + it.duplicates, 0),
    idleMs,
    besideHungMs,
  }
}

async function besideHung(scene: Scene, seconds: number): Promise<Spread> {
  const hung: string[] = []
  for (let n = 0; n < HUNG; n++) hung.push(await subscribe(scene, '/hung'))
  const spread = spreadOf(await latencies(scene, seconds, { perSecond: HEALTHY_PER_SECOND }))
  for (const id of hung) await deleteEndpoint(scene.ctx, id)
  return spread
}

/** As a long report or a backup holds one: nothing that ends meanwhile can be vacuumed away. */
async function withSnapshot<T>({ installation }: Scene, work: () => Promise<T>): Promise<T> {
  const { superuser, where } = installation.postgres ?? {}
  const client = new pg.Client({ ...superuser, database: String(where?.database) })
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select count(*) from webhook_deliveries')
  try {
    return await work()
  } finally {
    await client.end()
  }
}

const mean = (rates: readonly Rate[]): number =>
  rates.reduce((sum, it) => sum + it.perSecond, 0) / rates.length

const spreadOf = (values: readonly number[]): Spread => ({
  p50: percentile(values, 0.5),
  p99: percentile(values, 0.99),
})

function shortfallsOf(it: WebhookFigures): string[] {
  return [
    ...(it.perSecond < GOALS.perSecond ? [`fewer than ${GOALS.perSecond} deliveries a second`] : []),
    ...(it.ratio < GOALS.ratio ? [`less than ${GOALS.ratio} of the bare client`] : []),
    ...(it.perSecondUnderSnapshot < GOALS.underSnapshot * it.perSecond
      ? ['less than half under a snapshot']
      : []),
    ...(it.idleMs.p50 > GOALS.idleP50Ms ? [`idle p50 above ${GOALS.idleP50Ms} ms`] : []),
    ...(it.besideHungMs.p99 > GOALS.besideHungP99Ms
      ? [`p99 beside hung ones above ${GOALS.besideHungP99Ms} ms`]
      : []),
    ...(it.duplicates > 0 ? [`${it.duplicates} duplicates`] : []),
  ]
}

function textOf(it: WebhookFigures, shortfalls: readonly string[]): string {
  const whole = (value: number): string => Math.round(value).toLocaleString('en')
  const spread = ({ p50, p99 }: Spread): string => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  return [
    `Durable deliveries   ${whole(it.perSecond)} a second; bare POSTs of the same client ${whole(it.plainPerSecond)}; ratio ${it.ratio.toFixed(2)}`,
    `Under a snapshot     ${whole(it.perSecondUnderSnapshot)} a second, open for ${it.snapshotSeconds} s; ${(it.perSecondUnderSnapshot / it.perSecond).toFixed(2)} of the rate without`,
    `Idle, to the arrival ${spread(it.idleMs)}`,
    `Beside ${HUNG} that hang ${spread(it.besideHungMs)}, at ${HEALTHY_PER_SECOND} a second`,
    '',
    shortfalls.length > 0 ? `Falls short: ${shortfalls.join('; ')}.` : 'Every goal is met.',
  ].join('\n')
}
