import { collect } from './startup/collector.ts'
import { describeConfig, type Config } from './config.ts'
import { greet, prepareFirstStart } from './startup/first-start.ts'
import type { Runtime } from './startup/runtime.ts'
import { announceNode } from '#platform/jobs/cluster-members.ts'
import { openLog } from '#platform/observability/log.ts'
import { conflict } from '#platform/errors.ts'
import { forgetIdempotencyKeys } from '#platform/http/idempotency.ts'
import { reasonOf } from '#platform/http/port-availability.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { startScheduler } from '#platform/jobs/scheduler.ts'
import { startDeliveryProcesses } from './startup/delivery-processes.ts'
import type { HttpServer } from './startup/http-server.ts'
import { collectSoon } from './startup/heap-growth.ts'
import { askedToStop } from './startup/shutdown.ts'
import { openInstallation, type Installation } from './startup/installation.ts'

/** Something that runs until it is stopped, which finishes its running work. */
interface Running {
  readonly stop: () => Promise<void>
}

/** Runs the roles of this process until it is asked to stop. */
export async function serve(config: Config, print: (text: string) => Promise<void>): Promise<void> {
  collectSoon()
  const log = openLog(config.logLevel)
  log.debug(describeConfig(config), 'settings')
  const stopping = askedToStop()
  // no error: processes of several roles may be given one environment
  if (config.fleetPort !== undefined && !config.roles.includes('api'))
    log.warn(
      { roles: config.roles },
      'FLEET_PORT is served by the role api: this process does not listen there',
    )
  if (config.roles.includes('collector')) return collect(config, stopping, print)
  const installation = await openInstallation(config, log, stopping)
  installation.postgres?.supervise(log)
  const running: Running[] = []
  try {
    await open(config, installation, running, print)
    log.info({ reason: await stopping }, 'stopping')
  } finally {
    // the HTTP server first, so that no new requests arrive; then queue, engines and scheduler
    for (const it of running) await it.stop().catch((error: unknown) => log.error({ err: error }, 'stopping'))
    await installation.close()
  }
}

async function open(
  config: Config,
  { runtime, listensAt }: Installation,
  running: Running[],
  print: (text: string) => Promise<void>,
): Promise<void> {
  const { system } = runtime
  await prepareFirstStart(system)
  const node = await announceNode(system, config.roles)
  running.push(node)
  // a worker alone has no need of the HTTP server and GraphQL
  const http = config.roles.includes('api') ? await import('./startup/http-server.ts') : undefined
  const door =
    http && (await opened(config.host, config.port, 'PORT', () => http.openHttpServer(config, runtime)))
  const apart =
    door &&
    config.fleetPort !== undefined &&
    (await opened(config.host, config.fleetPort, 'FLEET_PORT', () =>
      http.openServerApart(config, runtime, door.metrics),
    ))
  if (apart) running.push({ stop: apart.close })
  if (door) {
    // with PORT=0 the operating system has chosen
    listensAt(Number(new URL(door.address).port))
    running.push({ stop: door.close })
    await node.reachableAt(config.publicUrl ?? door.address)
  }
  if (config.roles.includes('worker')) running.push(startQueue(runtime, jobsOf(runtime)))
  if (config.roles.some((it) => it === 'worker' || it === 'deliveries'))
    running.push(...enginesOf(runtime).map((engine) => engine.start(runtime)))
  if (config.roles.includes('worker') && config.deliveryProcesses > 0) {
    const port = door ? Number(new URL(door.address).port) : config.port
    running.push(startDeliveryProcesses(config.deliveryProcesses, port, system.log))
  }
  if (config.roles.includes('scheduler')) running.push(startScheduler(runtime, periodicJobsOf(runtime)))
  if (apart) await print(`osquery of Fleet is answered at ${apart.address}\n`)
  if (door) await greet(system, config.publicUrl ?? door.address, print)
  else await print(`Rollcall works as ${config.roles.join(' and ')}.\n`)
}

/** Says which setting to change when the port cannot be had. */
async function opened<T extends HttpServer>(
  host: string,
  port: number,
  setting: 'PORT' | 'FLEET_PORT',
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const reason = reasonOf(error as NodeJS.ErrnoException)
    if (!reason) throw error
    throw conflict(`cannot listen on ${host}:${port} (${reason}); set HOST and ${setting} to what is free`)
  }
}

const jobsOf = ({ features }: Runtime) => features.flatMap((it) => it.jobs ?? [])

const enginesOf = ({ features }: Runtime) => features.flatMap((it) => it.engine ?? [])

const periodicJobsOf = (runtime: Runtime) => [
  forgetIdempotencyKeys,
  ...runtime.features.flatMap((it) => it.every ?? []),
]
