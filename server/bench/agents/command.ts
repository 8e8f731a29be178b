import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { startProduct } from '../processes.ts'
import { percentile } from '../ratio.ts'
import { openScratch } from '../scratch-installation.ts'
import { TENANT_SLUG } from '../seed/seed.ts'
import { seedFleet, type FleetHost } from './agent-fleet.ts'
import type { AgentLoad, AgentsLoaded } from './agent-load.ts'
import { databaseSeconds, processSeconds } from './processor-time.ts'

const DEFAULTS = { hosts: 10_000, rate: 400, seconds: 60 } as const
const MOST = 100_000
const P95_MS_MAX = 50
/** Of other sources; the fleet comes beside them. */
const OTHER_ASSETS = 1_000

/** What came of one load. */
interface Taken {
  readonly reports: number
  readonly seconds: number
  readonly statuses: AgentsLoaded['statuses']
  readonly faults: readonly string[]
  /** Answered with 200, and not in the database afterwards. */
  readonly lost: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly serverSeconds: number
  readonly databaseSeconds: number
}

/** Reports without a change at a steady rate, and then all hosts at once. */
export async function benchAgents({ options }: CommandInput): Promise<CommandResult> {
  const sizes = { hosts: size('hosts'), rate: size('rate'), seconds: size('seconds') }
  function size(name: keyof typeof DEFAULTS): number {
    const given = options[name] === undefined ? DEFAULTS[name] : Number(options[name])
    if (!Number.isInteger(given) || given < 1 || given > MOST)
      throw invalid(name, `must be a whole number from 1 to ${MOST}`)
    return given
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const scratch = await openScratch({ size: OTHER_ASSETS, keepIn: undefined, say })
  try {
    const { system, contextFor } = scratch.runtime
    const ctx = contextFor((await getTenantBySlug(system, TENANT_SLUG)).id)
    say(`seeding ${sizes.hosts} agents`)
    const hosts = await seedFleet(ctx, sizes.hosts)
    const product = await startProduct(scratch.environment)
    const dataDir = scratch.environment['DATA_DIR'] ?? ''
    const place = { ctx, hosts, address: product.address, pid: product.pid, dataDir }
    try {
      await measure(place, { reports: 500, rate: 100, counterFrom: 1 })
      say(`${sizes.rate} reports a second for ${sizes.seconds} s`)
      const reports = sizes.rate * sizes.seconds
      const steady = await measure(place, { reports, rate: sizes.rate, counterFrom: 10 })
      say(`${sizes.hosts} hosts at once`)
      const together = await measure(place, { reports: sizes.hosts, rate: 0, counterFrom: 1_000_000 })
      const shortfalls = [...steadyShortfalls(steady), ...shortfallsOf('at once', together, [200, 503])]
      return {
        json: { sizes, steady, together, shortfalls },
        text: [
          textOf(`${sizes.rate} a second`, steady),
          textOf('all at once', together),
          shortfalls.length > 0 ? `Falls short: ${shortfalls.join('; ')}.` : 'Every goal is met.',
        ].join('\n'),
        ...(shortfalls.length > 0 && { isBad: true }),
      }
    } finally {
      await product.stop()
    }
  } finally {
    await scratch.close()
  }
}

interface Place {
  readonly ctx: Ctx
  readonly hosts: readonly FleetHost[]
  readonly address: string
  readonly pid: number
  readonly dataDir: string
}

async function measure(place: Place, load: Omit<AgentLoad, 'address' | 'hosts'>): Promise<Taken> {
  const { address, hosts, pid, dataDir, ctx } = place
  const child = fork(join(import.meta.dirname, 'agent-load.ts'), { serialization: 'advanced' })
  const before = { server: processSeconds(pid), database: databaseSeconds(dataDir) }
  child.send({ address, hosts, ...load } satisfies AgentLoad)
  const [{ milliseconds, ...loaded }] = (await once(child, 'message')) as [AgentsLoaded]
  const after = { server: processSeconds(pid), database: databaseSeconds(dataDir) }
  child.disconnect()
  const counted = await countersFrom(ctx, load.counterFrom)
  return {
    ...loaded,
    reports: load.reports,
    lost: Math.max(0, hostsIn(load, hosts.length) - counted - refusedIn(loaded.statuses)),
    p50Ms: percentile(milliseconds, 0.5),
    p95Ms: percentile(milliseconds, 0.95),
    p99Ms: percentile(milliseconds, 0.99),
    serverSeconds: after.server - before.server,
    databaseSeconds: after.database - before.database,
  }
}

/** Hosts that sent at least one report. */
const hostsIn = ({ reports }: Pick<AgentLoad, 'reports'>, hosts: number): number => Math.min(reports, hosts)

const refusedIn = (statuses: AgentsLoaded['statuses']): number =>
  Object.entries(statuses).reduce((sum, [status, n]) => sum + (status === '200' ? 0 : n), 0)

/** Hosts of which the database has a counter of this load, and a time of the report that is not older than its key. */
async function countersFrom(ctx: Ctx, from: number): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*) as n from agent_keys k
    join agents a on a.tenant_id = ${ctx.tenantId} and a.id = k.agent_id
    where k.tenant_id = ${ctx.tenantId} and k.counter >= ${from} and a.last_report_at is not null`)
  return n
}

function steadyShortfalls(steady: Taken): string[] {
  const slow = steady.p95Ms > P95_MS_MAX ? [`p95 ${Math.round(steady.p95Ms)} ms`] : []
  return [...shortfallsOf('at the steady rate', steady, [200]), ...slow]
}

function shortfallsOf(name: string, { lost, statuses }: Taken, allowed: readonly number[]): string[] {
  const others = Object.entries(statuses).filter(([status]) => !allowed.includes(Number(status)))
  return [
    ...(lost > 0 ? [`${lost} lost ${name}`] : []),
    ...others.map(([status, n]) => `${n} answered ${status} ${name}`),
  ]
}

const textOf = (name: string, it: Taken): string =>
  [
    `${it.reports} reports, ${name}: ${it.seconds.toFixed(1)} s, ${Math.round((it.statuses['200'] ?? 0) / it.seconds)} taken a second, ${it.lost} lost`,
    `  answers           ${JSON.stringify(it.statuses)}${it.faults.length > 0 ? `, such as ${it.faults[0]}` : ''}`,
    `  milliseconds      p50 ${Math.round(it.p50Ms)}, p95 ${Math.round(it.p95Ms)}, p99 ${Math.round(it.p99Ms)}`,
    `  processor         server ${it.serverSeconds.toFixed(1)} s, database ${it.databaseSeconds.toFixed(1)} s, together ${(((it.serverSeconds + it.databaseSeconds) * 1_000) / it.reports).toFixed(2)} ms a report`,
  ].join('\n')
