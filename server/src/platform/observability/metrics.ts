import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Ctx } from '../context.ts'
import type { Database } from '../database/database.ts'
import type { CountedGauge } from '../feature.ts'

/** The metrics for Prometheus. Labels have few values: routes and methods as declared, never text of a request. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Counter<'method' | 'route' | 'status'>
  readonly seconds: Histogram<'method' | 'route'>
  readonly denials: Counter
  readonly deprecated: Counter<'method' | 'route' | 'key'>
}

const LATENCY_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function openMetrics(system: Ctx, database: Database, gauges: readonly CountedGauge[] = []): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  addJobs(registry, system)
  addPools(registry, database)
  for (const gauge of gauges) addCounted(registry, system, gauge)
  return {
    registry,
    requests: new Counter({
      name: 'rollcall_http_requests_total',
      help: 'Answered requests.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    seconds: new Histogram({
      name: 'rollcall_http_request_seconds',
      help: 'Time from the request to the end of its answer.',
      labelNames: ['method', 'route'],
      buckets: LATENCY_BUCKETS_SECONDS,
      registers,
    }),
    denials: new Counter({
      name: 'rollcall_rate_limit_denials_total',
      help: 'Requests refused because their caller was over its limit.',
      registers,
    }),
    deprecated: new Counter({
      name: 'rollcall_http_deprecated_requests_total',
      help: 'Requests to deprecated endpoints, by the prefix of the key that was sent.',
      labelNames: ['method', 'route', 'key'],
      registers,
    }),
  }
}

export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async ({ method, routeOptions, admitted }, reply) => {
    const route = routeOptions.url ?? 'none'
    metrics.requests.inc({ method, route, status: String(reply.statusCode) })
    metrics.seconds.observe({ method, route }, reply.elapsedTime / 1000)
    if (reply.statusCode === 429) metrics.denials.inc()
    const { prefix: key } = admitted?.confined?.holder ?? admitted?.holder ?? {}
    if (key !== undefined && routeOptions.config.route?.shape.deprecated)
      metrics.deprecated.inc({ method, route, key })
  })
}

/** Counted when asked for. */
function addJobs(registry: Registry, system: Ctx): void {
  new Gauge({
    name: 'rollcall_jobs',
    help: 'Jobs that are waiting, running, or given up.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const row = await system.db.one(sql<Record<'waiting' | 'running' | 'failed', number>>`
        select count(*) filter (where failed_at is not null) as failed,
          count(*) filter (where failed_at is null and leased_until > now()) as running,
          count(*) filter (where failed_at is null and coalesce(leased_until <= now(), true)) as waiting
        from jobs`)
      for (const [state, count] of Object.entries(row)) this.set({ state }, count)
    },
  })
}

function addCounted(registry: Registry, system: Ctx, { name, help, label, count }: CountedGauge): void {
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const counted = await count(system)
      if (typeof counted === 'number') return this.set(counted)
      this.reset() // what is gone is told no more
      for (const [value, number] of Object.entries(counted)) this.set({ [label ?? 'of']: value }, number)
    },
  })
}

function addPools(registry: Registry, database: Database): void {
  new Gauge({
    name: 'rollcall_database_connections',
    help: 'Connections to the database, and callers waiting for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const { name: pool, ...states } of database.pools())
        for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count)
    },
  })
}
