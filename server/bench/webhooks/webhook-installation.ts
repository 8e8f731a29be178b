import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTenant } from '#features/tenancy/tenancy.ts'
import { startEngine } from '#features/webhooks/delivery/engine.ts'
import type { Ctx } from '#platform/context.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { startPostgres } from '#platform/embedded-postgres/embedded-postgres.ts'
import { settingsFor, thisMachine } from '#platform/embedded-postgres/settings.ts'
import { openLog } from '#platform/observability/log.ts'
import { SERVER_FLAGS } from '../processes.ts'
import { readConfig } from '../../src/config.ts'
import { prepareFirstStart } from '../../src/startup/first-start.ts'
import { openInstallation, type Installation } from '../../src/startup/installation.ts'
import { COUNTING_SETTINGS, prepareCounting } from './database-counts.ts'
import type { Arrivals } from './webhook-receiver.ts'

/** An installation of its own with one tenant, a worker and one process that receives. */
export interface Scene {
  readonly installation: Installation
  readonly ctx: Ctx
  /** The superuser's way into its database. */
  readonly database: DatabaseAddress
  /** Of the processes that commit events and deliver them. */
  readonly pids: readonly number[]
  /** One more, which the scene stops at its end. */
  readonly startWorker: () => WorkerProcess
  /** For paths of the receiver. */
  readonly receiverUrl: string
  /** What has arrived since the last call. */
  readonly arrivals: () => Promise<Arrivals>
  readonly close: () => Promise<void>
}

/**
 * The worker is a process of its own, or works where events are committed, as it does after `npm start`; or there is none
 * until one is started.
 */
export type WorkerPlace = 'apart' | 'together' | 'none'

export interface WorkerProcess {
  readonly pid: number
  readonly stop: () => Promise<void>
  /** At once, as by `kill -9`. */
  readonly kill: () => Promise<void>
}

export async function openScene(place: WorkerPlace = 'apart'): Promise<Scene> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rollcall-webhooks-'))
  await chmod(dataDir, 0o755) // as root, PostgreSQL runs as another user, who has to pass
  const environment = {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    ROLES: 'worker',
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    WEBHOOKS_PER_TENANT: '10000',
  }
  const opened: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const release of opened.toReversed()) await release()
  }
  try {
    const postgres = await startPostgres(dataDir, [...settingsFor(thisMachine()), ...COUNTING_SETTINGS])
    opened.push(postgres.release)
    const config = readConfig(environment)
    const installation = await openInstallation(config, openLog(config.logLevel))
    opened.push(installation.close)
    const database = { ...postgres.superuser, database: String(postgres.where.database) }
    await prepareCounting(database)
    await prepareFirstStart(installation.runtime.system)
    const tenant = await createTenant(installation.runtime.system, { slug: 'bench', name: 'Bench' })
    const receiver = await startReceiver()
    opened.push(receiver.stop)
    const pids = place === 'none' ? [] : [process.pid]
    const startOne = (): WorkerProcess => {
      const worker = startWorker(environment)
      opened.push(worker.stop)
      pids.push(worker.pid)
      return worker
    }
    if (place === 'apart') startOne()
    if (place === 'together') opened.push(startEngine(installation.runtime).stop)
    return {
      installation,
      database,
      pids,
      startWorker: startOne,
      ctx: installation.runtime.contextFor(tenant.id),
      receiverUrl: receiver.url,
      arrivals: receiver.arrivals,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function startWorker(environment: Readonly<Record<string, string>>): WorkerProcess {
  const child = fork(join(import.meta.dirname, '../../bin/rollcall.mjs'), ['serve'], {
    execArgv: [...SERVER_FLAGS, ...(process.env['WORKER_FLAGS']?.split(' ') ?? [])],
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return { pid: child.pid ?? 0, stop: () => stop(child), kill: () => stop(child, 'SIGKILL') }
}

export interface Receiver {
  readonly url: string
  /** What has arrived since the last call. */
  readonly arrivals: () => Promise<Arrivals>
  readonly stop: () => Promise<void>
}

/** A process of its own that answers webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const receiver = fork(join(import.meta.dirname, 'webhook-receiver.ts'), { serialization: 'advanced' })
  const [url] = (await once(receiver, 'message')) as [string]
  return {
    url,
    async arrivals() {
      receiver.send('report')
      const [arrivals] = (await once(receiver, 'message')) as [Arrivals]
      return arrivals
    },
    stop: () => stop(receiver),
  }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
