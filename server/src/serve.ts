import { describeConfig, type Config } from './config.ts'
import { greet, prepareFirstStart } from './startup/first-start.ts'
import type { Household } from './startup/runtime.ts'
import { announceNode } from '#platform/jobs/cluster-members.ts'
import { openLog } from '#platform/observability/log.ts'
import { conflict } from '#platform/errors.ts'
import { forgetIdempotencyKeys } from '#platform/http/idempotency.ts'
import { reasonOf } from '#platform/http/port-availability.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { startScheduler } from '#platform/jobs/scheduler.ts'
import { openFrontDoor, type FrontDoor } from './startup/http-server.ts'
import { askedToStop } from './startup/shutdown.ts'
import { openSite, type Site } from './startup/installation.ts'

/** Something that runs until it is stopped, which finishes what is in hand. */
interface Running {
  readonly stop: () => Promise<void>
}

/** Runs the roles of this process until it is asked to stop. */
export async function serve(config: Config, print: (text: string) => Promise<void>): Promise<void> {
  const log = openLog(config.logLevel)
  log.debug(describeConfig(config), 'settings')
  const stopping = askedToStop()
  const site = await openSite(config, log, stopping)
  site.postgres?.supervise(log)
  const running: Running[] = []
  try {
    await open(config, site, running, print)
    log.info({ reason: await stopping }, 'stopping')
  } finally {
    // the door first, so that nothing new comes in; then what works in the back
    for (const it of running) await it.stop().catch((error: unknown) => log.error({ err: error }, 'stopping'))
    await site.close()
  }
}

async function open(
  config: Config,
  { household, listensAt }: Site,
  running: Running[],
  print: (text: string) => Promise<void>,
): Promise<void> {
  const { system } = household
  await prepareFirstStart(system)
  const node = await announceNode(system, config.roles)
  running.push(node)
  const door = config.roles.includes('api') ? await openDoor(config, household) : undefined
  if (door) {
    // with PORT=0 the operating system has chosen
    listensAt(Number(new URL(door.address).port))
    running.push({ stop: door.close })
    await node.reachableAt(config.publicUrl ?? door.address)
  }
  if (config.roles.includes('worker')) running.push(...startWork(household))
  if (config.roles.includes('scheduler')) running.push(startScheduler(household, periodicJobsOf(household)))
  if (door) await greet(system, config.publicUrl ?? door.address, print)
  else await print(`Rollcall works as ${config.roles.join(' and ')}.\n`)
}

async function openDoor(config: Config, household: Household): Promise<FrontDoor> {
  const { host, port } = config
  try {
    return await openFrontDoor(config, household)
  } catch (error) {
    const reason = reasonOf(error as NodeJS.ErrnoException)
    if (!reason) throw error
    throw conflict(`cannot listen on ${host}:${port} (${reason}); set HOST and PORT to what is free`)
  }
}

function startWork(household: Household): Running[] {
  const workers = household.features.flatMap((it) => it.jobs ?? [])
  const engines = household.features.flatMap((it) => it.engine ?? [])
  return [startQueue(household, workers), ...engines.map((engine) => engine.start(household))]
}

const periodicJobsOf = (household: Household) => [
  forgetIdempotencyKeys,
  ...household.features.flatMap((it) => it.every ?? []),
]
