import { readdir } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { isLoopback } from '../http/client-address.ts'
import type { Ctx } from '../context.ts'
import { notFound } from '../errors.ts'
import { equalInConstantTime, sha256 } from '../secrets/random-keys.ts'
import type { Metrics } from './metrics.ts'
import { listNodes } from '../jobs/cluster-members.ts'

export interface HealthOptions {
  readonly system: Ctx
  /** The folder of the migrations that this version needs. */
  readonly migrations: string
  readonly metrics: Metrics
  /** Shown by those who may read the metrics from afar. */
  readonly metricsToken?: string | undefined
}

export interface Readiness {
  readonly isReady: boolean
  /** `ok`, or what is wrong. */
  readonly checks: Readonly<Record<'database' | 'migrations' | 'worker', string>>
}

/** For operators: no credential, no rate limit, nothing about any tenant. */
export function addHealth(app: FastifyInstance, options: HealthOptions): void {
  const config = { isOutside: true } as const
  app.get('/healthz', { config }, () => ({ status: 'ok' }))
  app.get('/readyz', { config }, async (_, reply) => {
    const { isReady, checks } = await readiness(options.system, options.migrations)
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable', checks })
  })
  app.get('/metrics', { config }, async (request, reply) => {
    if (!isFromThisMachine(request) && !showsToken(request, options.metricsToken)) throw notFound('endpoint')
    return reply.type(options.metrics.registry.contentType).send(await options.metrics.registry.metrics())
  })
}

/** A reverse proxy on the same machine forwards for other clients; its forwarding headers show it. */
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && isLoopback(socket.remoteAddress ?? '')
}

function showsToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  const shown = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return token !== undefined && shown !== undefined && equalInConstantTime(sha256(shown), sha256(token))
}

async function readiness(system: Ctx, folder: string): Promise<Readiness> {
  const migrations = await pendingMigrations(system, folder).then(
    (pending) => (pending.length === 0 ? 'ok' : `pending: ${pending.join(', ')}`),
    (error: unknown) => {
      system.log.warn({ err: error }, 'not ready')
      return undefined
    },
  )
  if (migrations === undefined) {
    const checks = { database: 'unreachable', migrations: 'unknown', worker: 'unknown' }
    return { isReady: false, checks }
  }
  const nodes = await listNodes(system)
  const worker = nodes.some(({ roles }) => roles.includes('worker')) ? 'ok' : 'none is running'
  return {
    isReady: migrations === 'ok' && worker === 'ok',
    checks: { database: 'ok', migrations, worker },
  }
}

async function pendingMigrations(system: Ctx, folder: string): Promise<string[]> {
  const applied = await system.db.all(sql<{ name: string }>`select name from migrations`)
  const names = new Set(applied.map(({ name }) => name))
  return (await readdir(folder)).filter((name) => name.endsWith('.sql') && !names.has(name))
}
