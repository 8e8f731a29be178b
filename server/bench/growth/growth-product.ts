import { readFileSync } from 'node:fs'
import pg from 'pg'
import { submit } from '#features/sources/sources.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import { API_PATH } from '#platform/http/pipeline.ts'
import { startProduct, type RunningServer } from '../processes.ts'
import { generated } from '../reports/report-types.ts'
import { startReceiver, type Receiver } from '../webhooks/webhook-installation.ts'
import { observationOf } from '../seed/seeded-assets.ts'
import { costBeside, type GrowthCost } from './growth-costs.ts'
import type { GrowthScene } from './growth-scene.ts'

const READS = 200
const BYTES_PER_MB = 2 ** 20
const EVENTS = 2_000
const LOOK_MS = 20
const DELIVERED_MS_MAX = 120_000
const QUIET_MS = 3_000
const REPORTS = [
  { type: 'inventory_summary', format: 'csv' },
  { type: 'inventory_summary', format: 'pdf' },
] as const

/** What takes the server as a process: its start, memory, reports, deliveries. */
export async function measureProduct(scene: GrowthScene): Promise<GrowthCost[]> {
  const begunAt = performance.now()
  const product = await startProduct(scene.scratch.environment)
  const receiver = await startReceiver()
  try {
    const start = {
      name: 'start, by the clock',
      kind: 'held',
      unit: 's',
      cost: (performance.now() - begunAt) / 1_000,
    } as const
    await readPages(product, scene.apiKey)
    const memory = {
      name: 'memory after 200 pages',
      kind: 'held',
      unit: 'MB',
      cost: megabytesOf(product.pid),
    } as const
    // jobs that the seeding left are done first
    await quiet(scene, product)
    const reports = await measureReports(scene, product)
    const deliveries = await measureDeliveries(scene, product, receiver)
    return [start, memory, ...reports, deliveries, await diskOf(scene)]
  } finally {
    await receiver.stop()
    await product.stop()
  }
}

async function readPages({ address }: RunningServer, apiKey: string): Promise<void> {
  for (let n = 0; n < READS; n += 1) {
    const answer = await fetch(`${address}${API_PATH}/assets`, { headers: { 'x-api-key': apiKey } })
    if (!answer.ok) throw new Error(`assets: ${answer.status}`)
    await answer.text()
  }
}

/** Until database and server took next to no processor time for a while. */
async function quiet({ clock }: GrowthScene, { pid }: RunningServer): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    const used = await costBeside(clock, pid, () => sleep(QUIET_MS))
    if (used < QUIET_MS / 20) return
  }
}

async function measureReports(scene: GrowthScene, product: RunningServer): Promise<GrowthCost[]> {
  const found: GrowthCost[] = []
  for (const wanted of REPORTS) {
    const name = `report ${wanted.type} as ${wanted.format}`
    const cost = await costBeside(scene.clock, product.pid, async () => {
      const { status } = await generated(product, scene.apiKey, wanted)
      if (status !== 'available') throw new Error(`${name}: ${status}`)
    })
    scene.say(`${name}: ${cost.toFixed(0)} ms`)
    found.push({ name, kind: 'whole', unit: 'ms', cost })
  }
  return found
}

/** New assets are told to one endpoint; the intake itself is another process, its share of the database is measured apart. */
async function measureDeliveries(
  { ctx, clock, size, say }: GrowthScene,
  product: RunningServer,
  receiver: Receiver,
): Promise<GrowthCost> {
  const name = 'growth deliveries'
  await createEndpoint(ctx, { name, url: receiver.url, events: ['NEW_ASSET'], active: false })
  const take = (from: number) =>
    submit(
      ctx,
      { kind: 'agent', name },
      Array.from({ length: EVENTS / 2 }, (_, n) => observationOf(2 * size + from + n)),
    )
  const bare = await costBeside(clock, product.pid, () => take(0))
  await createEndpoint(ctx, { name: `${name} on`, url: receiver.url, events: ['NEW_ASSET'] })
  const told = await costBeside(clock, product.pid, async () => {
    await take(EVENTS / 2)
    await arrived(receiver, EVENTS / 2)
  })
  const cost = (told - bare) / (EVENTS / 2)
  say(`a delivery: ${cost.toFixed(2)} ms`)
  return { name: 'delivery of an event', kind: 'write', unit: 'ms', cost }
}

async function arrived(receiver: Receiver, wanted: number): Promise<void> {
  const end = performance.now() + DELIVERED_MS_MAX
  for (let count = 0; count < wanted; count += (await receiver.arrivals()).distinct) {
    if (performance.now() > end) throw new Error(`only ${count} of ${wanted} deliveries arrived`)
    await sleep(LOOK_MS)
  }
}

async function diskOf({ scratch }: GrowthScene): Promise<GrowthCost> {
  const client = new pg.Client(scratch.superuser)
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  await client.end()
  return {
    name: 'disk of the database',
    kind: 'held',
    unit: 'MB',
    cost: Number(rows[0]?.bytes) / BYTES_PER_MB,
  }
}

const megabytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
