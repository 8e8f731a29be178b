import type { Streams } from './cli.ts'
import type { Config } from './config.ts'
import { describeFailure, DONE, ended } from './failure.ts'
import { startDeliveryProcesses } from './startup/delivery-processes.ts'
import { collectSoon } from './startup/heap-growth.ts'
import { openInstallation, type Installation } from './startup/installation.ts'
import { askedToStop } from './startup/shutdown.ts'
import { engine } from '#features/webhooks/delivery/engine.ts'
import type { Feature } from '#platform/feature.ts'
import { announceNode } from '#platform/jobs/cluster-members.ts'
import { firstJob } from '#platform/jobs/first-job.ts'
import { openLog, type Log } from '#platform/observability/log.ts'
import { isFounded } from '#platform/secrets/installation-key.ts'

/** What sends deliveries, and nothing else of its feature. */
const sending: Feature = { name: 'webhooks', tables: {}, engine }

/** Something that runs until it is stopped, which finishes its running work. */
interface Running {
  readonly stop: () => Promise<unknown>
}

/**
 * A process that only works: it sends deliveries at once, and loads the features when the first job is due. Returns the
 * exit code.
 */
export async function runWorker(config: Config, { out, err }: Streams): Promise<number> {
  try {
    await work(config, out)
    return DONE
  } catch (error) {
    const failure = describeFailure(error)
    await err(ended(failure.text))
    return failure.exitCode
  }
}

async function work(config: Config, print: Streams['out']): Promise<void> {
  collectSoon()
  const log = openLog(config.logLevel)
  const stopping = askedToStop()
  const installation = await openInstallation(config, log, stopping, [sending])
  installation.postgres?.supervise(log)
  const { runtime } = installation
  const running: Running[] = []
  try {
    await beFounded(installation)
    running.push(engine.start(runtime))
    running.push(await announceNode(runtime.system, config.roles))
    if (config.roles.includes('worker')) running.push(startQueueLater(installation, log))
    if (config.roles.includes('worker') && config.deliveryProcesses > 0)
      running.push(startDeliveryProcesses(config.deliveryProcesses, config.port, log))
    await print(`Rollcall works as ${config.roles.join(' and ')}.\n`)
    log.info({ reason: await stopping }, 'stopping')
  } finally {
    for (const it of running.toReversed())
      await it.stop().catch((error: unknown) => log.error({ err: error }, 'stopping'))
    await installation.close()
  }
}

/** The first process of an installation makes its first tenant, whatever its role is. */
async function beFounded({ runtime, withFeatures }: Installation): Promise<void> {
  if (await isFounded(runtime.system)) return
  const [{ features }, { prepareFirstStart }] = await Promise.all([
    import('./app.ts'),
    import('./startup/first-start.ts'),
  ])
  await prepareFirstStart(withFeatures(features).system)
}

/** The queue, once there is a first job for it. */
function startQueueLater({ runtime, withFeatures }: Installation, log: Log): Running {
  const stopping = new AbortController()
  const start = async (): Promise<Running | undefined> => {
    if (!(await firstJob(runtime, stopping.signal))) return undefined
    const [{ features }, { startQueue }] = await Promise.all([
      import('./app.ts'),
      import('#platform/jobs/queue.ts'),
    ])
    const jobs = features.flatMap((it) => it.jobs ?? [])
    return stopping.signal.aborted ? undefined : startQueue(withFeatures(features), jobs)
  }
  const started = start().catch((error: unknown) => {
    log.error({ err: error }, 'the features do not load')
    process.exit(1)
  })
  return {
    async stop() {
      stopping.abort()
      await (await started)?.stop()
    },
  }
}
