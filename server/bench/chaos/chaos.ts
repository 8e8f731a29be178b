/** Chaos: deliveries while workers are killed, frozen and stopped, and the database crashes; then the books are checked. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { emit } from '#features/events/events.ts'
import { createTenant } from '#features/tenancy/tenancy.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/startup/installation.ts'
import { isEmpty, reconcile, type Reconciliation } from './reconciliation.ts'
import { startReceiver, startWorker, type Worker } from './worker-processes.ts'
import { faultInjections, type FaultName } from './all-faults.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { ask, until, type FaultTarget } from './faults.ts'
import { untilWorkGoesOn } from './further-faults.ts'
import { openProgress, type Progress } from './progress.ts'
import { mountSmallDisk, unmountSmallDisk } from './small-disk.ts'

export interface ChaosOptions {
  readonly deliveries: number
  readonly workers: number
  /** What happens, in this order. */
  readonly plan: readonly FaultName[]
  /** Each after its share of the deliveries, instead of one right after the other. */
  readonly isSpread?: boolean
  /** Then any of these, for as long as something waits. */
  readonly again: readonly FaultName[]
  readonly frozenSeconds: number
  /** How long a network is broken, a disk full or a clock wrong. */
  readonly brokenSeconds: number
  /** Of the disk that can become full. */
  readonly diskMegabytes: number
  /** Seconds between attempts. */
  readonly waitSeconds: number
  /** After so long nothing more is committed, and the rest of the plan is left out. */
  readonly limitSeconds?: number
  /** From time to time, how far it is. */
  readonly tell?: (line: string) => void
}

export interface ChaosReport extends Reconciliation {
  readonly seconds: number
  /** Of the plan. */
  readonly struck: number
  /** How long work lay after each misfortune, in milliseconds. */
  readonly recoveryMs: Readonly<Record<FaultName, readonly number[]>>
}

const BATCH = 500
const PAUSE_MS = 1_000
const POLL_MS = 200
/** How long nothing may come to an end while something waits. */
const STANDSTILL_MS = 120_000
/** What waits is counted so often, until it is the turn of the next misfortune. */
const TURN_MS = 1_000

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rollcall-chaos-'))
  await chmod(dataDir, 0o755) // as root, PostgreSQL runs as another user, who has to pass
  const isSmall = options.plan.includes('disk full') && (await mountSmallDisk(dataDir, options.diskMegabytes))
  const config = readConfig({
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  })
  const log = openLog('silent')
  const installation = await openInstallation(config, log)
  const receiver = await startReceiver()
  const hook = new URL(receiver.url)
  const toReceiver = await startFaultProxy({ host: hook.hostname, port: Number(hook.port) })
  hook.port = String(toReceiver.port)
  const all: Worker[] = []
  const closing: (() => void)[] = []
  if (!installation.postgres) throw new Error('it needs a database of its own')
  const socket = `${installation.postgres.where.host}/.s.PGSQL.${installation.postgres.where.port}`
  const toDatabase = await startFaultProxy({ path: socket })
  try {
    installation.postgres.supervise(log)
    const { where, superuser } = installation.postgres
    const { waitSeconds, frozenSeconds, brokenSeconds } = options
    const throughProxy = { ...where, host: '127.0.0.1', port: toDatabase.port }
    const workers: Worker[] = []
    const startOne = (): void => {
      const worker = startWorker({ where: throughProxy, secretKey: String(config.secretKey), waitSeconds })
      all.push(worker)
      workers.push(worker)
    }
    const { id } = await createTenant(installation.runtime.system, { slug: 'chaos', name: 'Chaos' })
    const ctx = installation.runtime.contextFor(id)
    await createEndpoint(ctx, { name: 'chaos', url: hook.href, events: ['NEW_SOURCE'] })
    for (let n = 0; n < options.workers; n++) startOne()
    const reconciliation = { ...superuser, database: String(where.database) }
    // what is measured is how work goes on, not how processes start
    await until(async () => (await countWorkers(reconciliation)) === options.workers)
    const begunAt = performance.now()
    const planned = Promise.withResolvers<void>()
    let isOver = false
    void planned.promise.then(() => (isOver = true))
    const progress = openProgress({
      limitSeconds: options.limitSeconds ?? Infinity,
      deliveries: options.deliveries,
      misfortunes: options.plan.length,
      waiting: () => waiting(ctx),
      tell: options.tell ?? (() => {}),
    })
    closing.push(progress.close)
    const feeding = feed(ctx, options.deliveries, { isPlanDone: () => isOver, progress })
    const recoveryMs = await strike(
      ctx,
      {
        workers,
        startOne,
        superuser: reconciliation,
        dataDir,
        frozenSeconds,
        brokenSeconds,
        links: { database: toDatabase, receiver: toReceiver },
        disk: isSmall ? dataDir : undefined,
      },
      { ...options, progress },
      planned.resolve,
    )
    await feeding
    await untilEmpty(ctx)
    const seconds = (performance.now() - begunAt) / 1_000
    return {
      ...(await reconcile(ctx, await receiver.seen())),
      seconds,
      recoveryMs,
      struck: progress.struck(),
    }
  } finally {
    for (const close of closing) close()
    for (const worker of all) worker.signal('SIGKILL')
    await Promise.all(all.map((worker) => worker.gone))
    await Promise.all([toDatabase.close(), toReceiver.close()])
    await receiver.stop()
    await installation.close()
    if (isSmall) await unmountSmallDisk(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function countWorkers(superuser: DatabaseAddress): Promise<number> {
  const [row] = await ask<{ count: number }>(superuser, 'select count(*)::int as count from webhook_workers')
  return row?.count ?? 0
}

/**
 * Commits events until there are enough, what a crash has left undone again; then only so many that there is work until
 * the plan is done, else a slow machine would have ever more to do.
 */
async function feed(
  ctx: Ctx,
  count: number,
  { isPlanDone, progress }: { readonly isPlanDone: () => boolean; readonly progress: Progress },
): Promise<void> {
  for (let committed = 0; (committed < count && !progress.isLate()) || !isPlanDone();) {
    if (committed >= count && (await waiting(ctx)) >= BATCH) {
      await sleep(POLL_MS)
      continue
    }
    const events = Array.from({ length: BATCH }, (_, n) => ({
      type: 'NEW_SOURCE' as const,
      payload: { source_id: String(committed + n) },
    }))
    const isDone = await atomically(ctx, (ctx) => emit(ctx, events)).then(
      () => true,
      () => false,
    )
    if (isDone) committed += events.length
    if (isDone) progress.noteCommitted(events.length)
    if (!isDone) await sleep(POLL_MS)
  }
}

/** One misfortune after the other: the plan, then others for as long as something waits. */
async function strike(
  ctx: Ctx,
  scene: FaultTarget,
  { progress, ...options }: Omit<ChaosOptions, 'tell'> & { readonly progress: Progress },
  onPlanDone: () => void,
): Promise<ChaosReport['recoveryMs']> {
  const recoveryMs = Object.fromEntries(
    Object.keys(faultInjections).map((name) => [name, [] as number[]]),
  ) as Record<FaultName, number[]>
  const { plan, again } = options
  const inject = async (name: FaultName): Promise<void> => {
    await sleep(PAUSE_MS * Math.random())
    const ms = await faultInjections[name](scene)
    if (ms !== undefined) recoveryMs[name].push(ms)
  }
  for (const [n, name] of plan.entries()) {
    if (options.isSpread) await untilEnded(ctx, (options.deliveries * (n + 1)) / (plan.length + 1), progress)
    if (progress.isLate()) break
    await inject(name)
    progress.noteStruck()
  }
  onPlanDone()
  // each only after something was delivered since the one before: on a slow machine they would come faster than work
  while (again.length > 0 && !progress.isLate() && !(await isEmpty(ctx))) {
    await untilWorkGoesOn(scene.superuser)
    await inject(again[Math.floor(Math.random() * again.length)] ?? 'kill -9')
  }
  return recoveryMs
}

async function untilEnded(ctx: Ctx, count: number, progress: Progress): Promise<void> {
  while (!progress.isLate() && progress.committed() - (await waiting(ctx)) < count) await sleep(TURN_MS)
}

async function untilEmpty(ctx: Ctx): Promise<void> {
  let [left, changedAt] = [Infinity, performance.now()]
  while (!(await isEmpty(ctx))) {
    const now = await waiting(ctx)
    if (now !== left) [left, changedAt] = [now, performance.now()]
    if (performance.now() - changedAt > STANDSTILL_MS) throw new Error('deliveries never came to an end')
    await sleep(POLL_MS)
  }
}

/** How many deliveries have not ended; without end while nobody can tell. */
const waiting = (ctx: Ctx): Promise<number> =>
  ctx.db
    .one(
      sql<{ count: number }>`
        select count(*) as count from webhook_deliveries where tenant_id = ${ctx.tenantId}`,
    )
    .then(
      ({ count }) => count,
      () => Infinity,
    )
