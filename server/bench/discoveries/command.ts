import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createCredential } from '#features/credentials/credentials.ts'
import { cancelRun, createDiscovery, getRun, startDiscovery } from '#features/discoveries/discoveries.ts'
import { isOver, type DiscoveryRun } from '#features/discoveries/discovery.ts'
import { createTarget } from '#features/scans/scans.ts'
import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { databaseSeconds, processSeconds } from '../agents/processor-time.ts'
import { startProduct, type RunningServer } from '../processes.ts'
import { openScratch } from '../scratch-installation.ts'
import { TENANT_SLUG } from '../seed/seed.ts'
import { nmapAndSsh, type PeerRun } from './peers.ts'
import { openSshdNetwork, RANGE, type SshdNetwork } from './sshd-network.ts'

const HOSTS = { usual: 200, most: 400 }
const AT_ONCE = 16
const CANCEL_MS_MAX = 5_000
const LOOK_MS = 100
/** Of other sources; what is found comes beside them. */
const OTHER_ASSETS = 1_000
const KIB_IN_MIB = 1_024

interface Place {
  readonly ctx: Ctx
  readonly network: SshdNetwork
  readonly discoveryId: string
  readonly dataDir: string
  readonly product: RunningServer
}

/** A sweep of 1,024 addresses with real sshd in namespaces and a login to each: whole, cancelled, and with its worker killed. */
export async function benchDiscoveries({ options }: CommandInput): Promise<CommandResult> {
  const hosts = options['hosts'] === undefined ? HOSTS.usual : Number(options['hosts'])
  if (!Number.isInteger(hosts) || hosts < 2 || hosts > HOSTS.most)
    throw invalid('hosts', `must be a whole number from 2 to ${HOSTS.most}`)
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const scratch = await openScratch({ size: OTHER_ASSETS, keepIn: undefined, say })
  try {
    say(`starting ${hosts} sshd`)
    const network = await openSshdNetwork(hosts)
    try {
      const { system, contextFor } = scratch.runtime
      const ctx = contextFor((await getTenantBySlug(system, TENANT_SLUG)).id)
      const discoveryId = await prepare(ctx, network)
      const environment = scratch.environment
      const start = () => startProduct(environment, network.space)
      const place = { ctx, network, discoveryId, dataDir: environment['DATA_DIR'] ?? '' }
      return report(hosts, await measure(place, start, say))
    } finally {
      await network.close()
    }
  } finally {
    await scratch.close()
  }
}

async function prepare(ctx: Ctx, { username, privateKey }: SshdNetwork): Promise<string> {
  const target = await createTarget(ctx, { name: 'lab', entries: [RANGE] })
  await createCredential(ctx, {
    name: 'Linux',
    kind: 'ssh_key',
    cidrs: [RANGE],
    targetIds: [],
    values: { username, privateKey },
  })
  const made = { name: 'nightly', targetId: target.id, types: ['ssh'], hostsAtOnce: AT_ONCE }
  return (await createDiscovery(ctx, made)).id
}

interface Figures {
  readonly whole: Whole
  readonly peer: PeerRun
  readonly cancelMs: number
  readonly killed: Killed
}

async function measure(
  place: Omit<Place, 'product'>,
  start: () => Promise<RunningServer>,
  say: (text: string) => void,
): Promise<Figures> {
  const product = await start()
  try {
    say('one whole discovery')
    const whole = await runWhole({ ...place, product })
    say('nmap and ssh')
    const peer = await nmapAndSsh(place.network, AT_ONCE)
    say('one that is cancelled')
    const cancelMs = await cancelOne({ ...place, product })
    say('one whose worker is killed')
    const killed = await killOne({ ...place, product }, start)
    return { whole, peer, cancelMs, killed }
  } finally {
    await product.stop()
  }
}

interface Whole {
  readonly run: DiscoveryRun
  readonly seconds: number
  /** Until the sweep was through. */
  readonly sweepSeconds: number
  readonly serverSeconds: number
  readonly databaseSeconds: number
  /** The most resident memory of the server at any time. */
  readonly peakMib: number
  /** That of the server before. */
  readonly restMib: number
}

async function runWhole({ ctx, discoveryId, dataDir, product: { pid } }: Place): Promise<Whole> {
  const restMib = memoryOf(pid, 'VmRSS')
  const before = { server: processSeconds(pid), database: databaseSeconds(dataDir) }
  const startedAt = performance.now()
  const { id } = await startDiscovery(ctx, discoveryId)
  let sweptAt = 0
  const run = await until(ctx, id, (it) => {
    if (sweptAt === 0 && it.addressesTotal > 0 && it.addressesDone === it.addressesTotal)
      sweptAt = performance.now()
    return isOver(it)
  })
  return {
    run,
    seconds: (performance.now() - startedAt) / 1_000,
    sweepSeconds: (sweptAt - startedAt) / 1_000,
    serverSeconds: processSeconds(pid) - before.server,
    databaseSeconds: databaseSeconds(dataDir) - before.database,
    peakMib: memoryOf(pid, 'VmHWM'),
    restMib,
  }
}

/** From the request to cancel until nothing is connected any more and each of its scans is finished. */
async function cancelOne({ ctx, discoveryId, network }: Place): Promise<number> {
  const { id } = await startDiscovery(ctx, discoveryId)
  await until(ctx, id, ({ hostsDone }) => hostsDone >= network.hosts.length / 10)
  const startedAt = performance.now()
  await cancelRun(ctx, id)
  while ((await network.connections()) > 0 || (await openScans(ctx, id)) > 0) await sleep(LOOK_MS)
  return performance.now() - startedAt
}

interface Killed {
  readonly run: DiscoveryRun
  readonly seconds: number
  readonly doneBefore: number
  /** Hosts that were done before and were asked or written again: none may be. */
  readonly doneTwice: number
  /** Addresses with more than one login as a scan: none may be. */
  readonly twice: number
  /** Assets beyond one for each host. */
  readonly surplusAssets: number
}

async function killOne(place: Place, start: () => Promise<RunningServer>): Promise<Killed> {
  const { ctx, discoveryId, network } = place
  const startedAt = performance.now()
  const { id } = await startDiscovery(ctx, discoveryId)
  await until(ctx, id, ({ hostsDone }) => hostsDone >= network.hosts.length / 3)
  await place.product.kill()
  const before = await doneHosts(ctx, id)
  const next = await start()
  try {
    const run = await until(ctx, id, isOver)
    const after = await doneHosts(ctx, id)
    return {
      run,
      seconds: (performance.now() - startedAt) / 1_000,
      doneBefore: before.size,
      doneTwice: [...before].filter(([address, at]) => after.get(address) !== at).length,
      twice: await twiceScanned(ctx, id),
      surplusAssets: (await assetsFound(ctx, id)) - network.hosts.length,
    }
  } finally {
    await next.stop()
  }
}

async function until(ctx: Ctx, id: string, isDue: (run: DiscoveryRun) => boolean): Promise<DiscoveryRun> {
  for (;;) {
    const run = await getRun(ctx, id)
    if (isDue(run) || isOver(run)) return run
    await sleep(LOOK_MS)
  }
}

async function doneHosts(ctx: Ctx, runId: string): Promise<Map<string, string>> {
  const rows = await ctx.db.all(sql<{ address: string; at: string }>`
    select host(address) as address, done_at::text as at from discovery_hosts
    where tenant_id = ${ctx.tenantId} and run_id = ${runId} and state = 'done' and change is distinct from 'gone'`)
  return new Map(rows.map(({ address, at }) => [address, at]))
}

const counted = async (ctx: Ctx, query: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await ctx.db.one(query)).n

const openScans = (ctx: Ctx, runId: string): Promise<number> =>
  counted(
    ctx,
    sql<{ n: number }>`select count(*) as n from scans
      where tenant_id = ${ctx.tenantId} and run->>'id' = ${runId} and finished_at is null`,
  )

const twiceScanned = (ctx: Ctx, runId: string): Promise<number> =>
  counted(
    ctx,
    sql<{ n: number }>`select count(*) as n from (
      select target_address from scans where tenant_id = ${ctx.tenantId} and run->>'id' = ${runId}
      group by type, target_address having count(*) > 1) t`,
  )

const assetsFound = (ctx: Ctx, runId: string): Promise<number> =>
  counted(
    ctx,
    sql<{ n: number }>`select count(distinct asset_id) as n from discovery_hosts
      where tenant_id = ${ctx.tenantId} and run_id = ${runId} and outcome = 'logged_in'`,
  )

/** MiB, from /proc. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(found?.[1] ?? 0) / KIB_IN_MIB)
}

function report(hosts: number, { whole, peer, cancelMs, killed }: Figures): CommandResult {
  const ratio = whole.seconds / (peer.sweepSeconds + peer.loginSeconds)
  const shortfalls = [
    ...(whole.run.loggedIn === hosts ? [] : [`${hosts - whole.run.loggedIn} without a login`]),
    ...(cancelMs <= CANCEL_MS_MAX ? [] : [`cancelled only after ${Math.round(cancelMs)} ms`]),
    ...(killed.run.loggedIn === hosts ? [] : ['logins are missing after the kill']),
    ...(killed.doneTwice + killed.twice === 0 ? [] : ['hosts were asked twice after the kill']),
    ...(killed.surplusAssets === 0 ? [] : [`${killed.surplusAssets} assets beyond one for each host`]),
  ]
  const lines = [
    `${RANGE}, ${hosts} sshd, ${AT_ONCE} logins at once`,
    `discovery: ${whole.seconds.toFixed(1)} s (sweep through after ${whole.sweepSeconds.toFixed(1)}), ` +
      `${whole.run.loggedIn} logged in; server ${whole.serverSeconds.toFixed(1)} s and PostgreSQL ` +
      `${whole.databaseSeconds.toFixed(1)} s of processor time, ${whole.peakMib} MiB at most (${whole.restMib} before)`,
    `nmap -sn ${peer.sweepSeconds.toFixed(1)} s, ssh with the same questions ${peer.loginSeconds.toFixed(1)} s, ` +
      `${peer.loggedIn} logged in: the discovery takes ${ratio.toFixed(2)} of their time`,
    `cancelled: nothing connected ${Math.round(cancelMs)} ms later`,
    `killed after ${killed.doneBefore} hosts: ${killed.run.status}, ${killed.run.loggedIn} logged in after ` +
      `${killed.seconds.toFixed(1)} s in all, ${killed.doneTwice + killed.twice} asked twice, ` +
      `${killed.surplusAssets} assets too many`,
    shortfalls.length > 0 ? `Falls short: ${shortfalls.join('; ')}.` : 'Every goal is met.',
  ]
  return {
    json: { hosts, whole, peer, ratio, cancelMs, killed, shortfalls },
    text: lines.join('\n'),
    ...(shortfalls.length > 0 && { isBad: true }),
  }
}
