/** Failover: what callers and receivers of webhooks notice while somebody else makes the database fail. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '#features/api-keys/api-keys.ts'
import { createTenant } from '#features/tenancy/tenancy.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import { openLog } from '#platform/observability/log.ts'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/startup/installation.ts'
import { startProduct } from '../processes.ts'
import { startReceiver } from '../webhooks/webhook-installation.ts'
import { emitNoting } from '../webhooks/webhook-speed.ts'
import { reconcile, type Reconciled } from './reconcile.ts'
import { startWrites, type Written } from './writes.ts'

export interface FailoverOptions {
  /** Of an empty database, with one or several hosts or a proxy before them. */
  readonly databaseUrl: string
  readonly seconds: number
  readonly say: (text: string) => void
}

/** Requests and events a second, one of each at a time. */
const WRITES_PER_SECOND = 20
const DUPLICATES_SHARE_MAX = 0.005
const REQUEST_MS_MAX = 10_000

/**
 * Writes for so many seconds, by REST and as events with deliveries, then compares what was acknowledged with what
 * the database holds and the receiver got. The faults are made from outside, for example with `patronictl`.
 */
export async function benchFailover(options: FailoverOptions): Promise<CommandResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rollcall-failover-'))
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: options.databaseUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '1000000',
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  }
  const opened: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })]
  try {
    const config = readConfig(environment)
    const installation = await openInstallation(config, openLog('silent'))
    opened.push(installation.close)
    const { system, contextFor } = installation.runtime
    const ctx = contextFor(
      (await createTenant(system, { slug: `failover-${Date.now()}`, name: 'Failover' })).id,
    )
    const receiver = await startReceiver()
    opened.push(receiver.stop)
    await createEndpoint(ctx, { name: 'failover', url: `${receiver.url}/timed`, events: ['NEW_SOURCE'] })
    const { secret } = await createKey(ctx, { name: 'Failover', scopes: ['admin'] })
    const product = await startProduct(environment)
    opened.push(product.stop)
    options.say(`writing for ${options.seconds} s`)
    const request = { url: `${product.address}/api/v1/partners`, apiKey: secret }
    const writes = startWrites({
      request,
      emit: () => emitNoting(ctx),
      perSecond: WRITES_PER_SECOND,
      say: options.say,
    })
    await sleep(options.seconds * 1_000)
    const written = await writes.stop()
    return resultOf(written, await reconcile(ctx, written, receiver.arrivals))
  } finally {
    for (const release of opened.toReversed()) await release()
  }
}

function resultOf(written: Written, books: Reconciled): CommandResult {
  const { statuses, outages, slowestMs } = written
  const shortfalls = [
    ...(books.lostRequests + books.lostEvents > 0 ? ['something acknowledged is lost'] : []),
    ...(books.duplicates > books.delivered * DUPLICATES_SHARE_MAX ? ['too many deliveries twice'] : []),
    ...(written.unexpected > 0
      ? [`${written.unexpected} answers that are neither 201 nor 503 with Retry-After`]
      : []),
    ...(slowestMs > REQUEST_MS_MAX ? [`a request took longer than ${REQUEST_MS_MAX / 1_000} s`] : []),
  ]
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
  return {
    json: {
      ...written,
      createdIds: written.createdIds.length,
      eventIds: written.eventIds.length,
      ...books,
      shortfalls,
    },
    text: [
      `Answers             ${counts.join(', ')}; slowest ${Math.round(slowestMs)} ms`,
      `Without a write     ${outages.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(', ') || 'never'}`,
      `Acknowledged        ${written.createdIds.length} requests, ${books.lostRequests} lost; ${written.eventIds.length} events, ${books.lostEvents} lost`,
      `Delivered           ${books.delivered}, ${books.duplicates} twice (${((100 * books.duplicates) / Math.max(1, books.delivered)).toFixed(2)} %)`,
      '',
      shortfalls.length > 0 ? `Falls short: ${shortfalls.join('; ')}.` : 'Every goal is met.',
    ].join('\n'),
    ...(shortfalls.length > 0 && { isBad: true }),
  }
}
