import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { startFlow } from '#features/flows/flows.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { processFaults } from '../chaos/faults.ts'
import { becomesTrue, liveFlow, type FlowInstallation } from './flow-installation.ts'
import { oldestUnfinished } from './oldest-unfinished.ts'
import { startKeyReceiver, type KeyReceiver, type Node } from './flow-processes.ts'

export interface CrashOptions {
  readonly runs: number
  readonly kills: number
}

export interface CrashReport {
  readonly runs: number
  readonly kills: number
  readonly innerExpected: number
  readonly innerLost: number
  readonly innerDoubled: number
  readonly httpExpected: number
  readonly httpLost: number
  /** Requests beyond the first with the same idempotency key. */
  readonly httpDoubled: number
  /** Requests with a key that no step has. */
  readonly httpStrange: number
  /** Runs without an end when no run has moved for a minute; those that wait for their turn meanwhile are not stuck. */
  readonly stuck: number
  readonly failed: number
  /** Kills of a node that had begun a job. */
  readonly killedAtWork: number
  /** Of a run that is stuck; empty: none is. */
  readonly stuckState: string
  readonly seconds: number
}

const NODES = 3
const STARTED_AT_ONCE = 1_000
const OBSERVED_AT_ONCE = 500
const PAUSE_MS = 1_500
/** How long a node that was started gets to begin a job before it is killed all the same. */
const AT_WORK_MS_MAX = 20_000
const STUCK_AFTER_MS = 60_000
const LOOK_EVERY_MS = 500
const INNER_STEPS = 2
const HTTP_STEPS = [1, 3] as const

/** Runs of two steps inside of this server and two requests, while nodes are killed and the database crashes once. */
export async function crashRuns(place: FlowInstallation, options: CrashOptions): Promise<CrashReport> {
  const ctx = await place.newTenant('crashes')
  const receiver = await startKeyReceiver()
  try {
    const nodes = Array.from({ length: NODES }, () => place.startOne())
    const flowId = await prepare(ctx, options.runs, receiver.url)
    const begunAt = performance.now()
    const isIdle = async () => (await unfinished(ctx, flowId)) === 0
    const killedAtWork = await strike(place, nodes, { kills: options.kills, isIdle })
    await untilNothingMoves(ctx, flowId)
    const seconds = (performance.now() - begunAt) / 1_000
    const report = await reconcile(ctx, flowId, receiver)
    const stuckState = report.stuck > 0 ? await oldestUnfinished(ctx, flowId) : ''
    await Promise.all(nodes.map((node) => node.kill()))
    return { ...options, ...report, killedAtWork, stuckState, seconds }
  } finally {
    await receiver.stop()
  }
}

async function prepare(ctx: Ctx, runs: number, url: string): Promise<string> {
  await defineCustomField(ctx, { name: 'seen', kind: 'text' })
  const set = (n: number) => ({ action: 'set_field', with: { field: 'seen', value: `{{run.id}} ${n}` } })
  const request = { action: 'http_request', with: { url, body: '{}' } }
  const flowId = await liveFlow(ctx, 'crashes', {
    trigger: { kind: 'manual' },
    steps: [set(1), request, set(2), request],
  })
  for (let n = 0; n < runs; n += OBSERVED_AT_ONCE) {
    const observations = Array.from({ length: Math.min(OBSERVED_AT_ONCE, runs - n) }, (_, at) => {
      const name = `host-${n + at}`
      return { sourceKey: name, seenAt: ctx.now(), identifiers: [{ type: 'hostname' as const, value: name }] }
    })
    await submit(ctx, { kind: 'csv', name: 'list' }, observations)
  }
  const assets = await ctx.db.all(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} order by id limit ${runs}`)
  for (let n = 0; n < assets.length; n += STARTED_AT_ONCE) {
    const assetIds = assets.slice(n, n + STARTED_AT_ONCE).map(({ id }) => id)
    await startFlow(ctx, flowId, { assetIds })
  }
  return flowId
}

interface Strikes {
  readonly kills: number
  /** There is nothing left to do, so no node begins a job. */
  readonly isIdle: () => Promise<boolean>
}

/**
 * Kills one node after the other once it is at work, each at another moment, and starts one in its place; half-way the
 * database crashes. Answers how many were at work.
 */
async function strike(place: FlowInstallation, nodes: Node[], { kills, isIdle }: Strikes): Promise<number> {
  let atWork = 0
  for (let n = 0; n < kills; n++) {
    const at = n % nodes.length
    const node = nodes[at]
    await becomesTrue(async () => node?.isAtWork() === true || (await isIdle()), AT_WORK_MS_MAX)
    await sleep(PAUSE_MS * Math.random())
    if (n === Math.floor(kills / 2)) await crashDatabase(place)
    if (node?.isAtWork()) atWork += 1
    await node?.kill()
    nodes[at] = place.startOne()
  }
  return atWork
}

async function crashDatabase({ superuser, dataDir }: FlowInstallation): Promise<void> {
  const scene = { superuser, dataDir, workers: [], startOne: () => {}, frozenSeconds: 0 }
  await processFaults['database stop'](scene)
}

/** Until all have ended, or none has moved for a minute. */
async function untilNothingMoves(ctx: Ctx, flowId: string): Promise<void> {
  let done = await instructionsDone(ctx, flowId)
  const hasMoved = async () => {
    const now = await instructionsDone(ctx, flowId)
    const isMoving = now > done
    done = now
    return isMoving || (await unfinished(ctx, flowId)) === 0
  }
  while ((await becomesTrue(hasMoved, STUCK_AFTER_MS)) && (await unfinished(ctx, flowId)) > 0)
    await sleep(LOOK_EVERY_MS)
}

async function instructionsDone(ctx: Ctx, flowId: string): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select coalesce(sum(instructions_done), 0)::float8 as n from flow_runs
    where tenant_id = ${ctx.tenantId} and flow_id = ${flowId}`)
  return n
}

async function unfinished(ctx: Ctx, flowId: string): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*) as n from flow_runs
    where tenant_id = ${ctx.tenantId} and flow_id = ${flowId} and finished_at is null`)
  return n
}

async function reconcile(ctx: Ctx, flowId: string, receiver: KeyReceiver) {
  const runs = await ctx.db.all(sql<{ id: string; status: string }>`
    select id, status from flow_runs where tenant_id = ${ctx.tenantId} and flow_id = ${flowId}`)
  const bodies = await ctx.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${ctx.tenantId} and type = 'UPDATED_ASSET'`)
  const texts = bodies.map(({ body }) => body.toString())
  const effects = countOf(texts.flatMap((text) => /[0-9a-f-]{36} [12](?=")/.exec(text) ?? []))
  const wanted = runs.flatMap(({ id }) =>
    Array.from({ length: INNER_STEPS }, (_, n) => effects.get(`${id} ${n + 1}`) ?? 0),
  )
  const { keys } = await receiver.seen()
  const wantedKeys = new Set(runs.flatMap(({ id }) => HTTP_STEPS.map((step) => `${id}:${step}`)))
  return {
    innerExpected: wanted.length,
    innerLost: wanted.filter((n) => n === 0).length,
    innerDoubled: wanted.filter((n) => n > 1).length,
    httpExpected: wantedKeys.size,
    httpLost: [...wantedKeys].filter((key) => !keys.has(key)).length,
    httpDoubled: [...keys.values()].reduce((sum, n) => sum + n - 1, 0),
    httpStrange: [...keys.keys()].filter((key) => !wantedKeys.has(key)).length,
    stuck: await unfinished(ctx, flowId),
    failed: runs.filter(({ status }) => status === 'failed').length,
  }
}

function countOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}
