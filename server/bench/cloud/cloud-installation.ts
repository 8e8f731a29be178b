import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connectCloud } from '#features/cloud/cloud.ts'
import { createTenant } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { openLog } from '#platform/observability/log.ts'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/startup/installation.ts'
import { openHttpServer } from '../../src/startup/http-server.ts'
import { SERVER_FLAGS } from '../processes.ts'
import type { EstateMessage, EstateOrders } from './azure-estate.ts'

/** An installation with a database of its own; workers are processes that can be killed. */
export interface CloudInstallation {
  readonly newTenant: (slug: string) => Promise<Ctx>
  readonly startWorker: () => CloudWorker
  /** Opens the HTTP server in this process; answers its address. */
  readonly serve: () => Promise<string>
  readonly logFile: string
  readonly close: () => Promise<void>
}

export interface CloudWorker {
  /** Resident memory in megabytes. */
  readonly memory: () => Promise<number>
  readonly kill: () => Promise<void>
}

export async function openCloudInstallation(): Promise<CloudInstallation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rollcall-cloud-'))
  await chmod(dataDir, 0o755) // as root, PostgreSQL runs as another user, who has to pass
  const environment = {
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    PORT: '0',
    LOG_LEVEL: 'warn',
    ROLES: 'worker',
  }
  const config = readConfig(environment)
  const installation = await openInstallation(config, openLog('silent'))
  if (!installation.postgres) throw new Error('it needs a database of its own')
  const { runtime } = installation
  const logFile = join(tmpdir(), `rollcall-cloud-${process.pid}.log`)
  const log = openSync(logFile, 'w')
  const closing: (() => Promise<void>)[] = []
  return {
    newTenant: async (slug) =>
      runtime.contextFor((await createTenant(runtime.system, { slug, name: slug })).id),
    logFile,
    startWorker() {
      const worker = start('../../bin/rollcall.mjs', ['serve'], { log, environment })
      closing.push(worker.kill)
      return { kill: worker.kill, memory: () => memoryOf(worker.pid) }
    },
    async serve() {
      const http = await openHttpServer({ ...config, rateLimitPerMinute: 1_000_000 }, runtime)
      closing.push(http.close)
      return http.address
    },
    async close() {
      for (const close of closing.toReversed()) await close()
      await installation.close()
      closeSync(log)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface Estate {
  readonly address: string
  /** Called for each page of machines. */
  readonly onMachinePage: (listener: (page: number) => void) => void
  readonly close: () => Promise<void>
}

export async function startEstate(orders: EstateOrders): Promise<Estate> {
  const { child, kill } = start('./azure-estate.ts', [JSON.stringify(orders)], { log: 'inherit' })
  const [{ address }] = (await once(child, 'message')) as [{ address: string }]
  return {
    address,
    onMachinePage: (listener) =>
      child.on('message', (it: EstateMessage) => 'machinePage' in it && listener(it.machinePage)),
    close: kill,
  }
}

export const connectEstate = (ctx: Ctx, { address }: Estate, name: string) =>
  connectCloud(
    ctx,
    {
      name,
      provider: 'Azure',
      signIn: 'client_secret',
      values: {
        directory: 'd.example',
        clientId: '11111111-2222-4333-8444-555555555555',
        clientSecret: 'secret',
        loginAddress: address,
        apiAddress: address,
      },
    },
    { isTested: true },
  )

/** Waits until nothing of the tenant's clouds is due or under way; answers the seconds it took. */
export async function untilRead(ctx: Ctx, withinMs: number, meanwhile = async () => {}): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < withinMs) {
    const { waiting } = await ctx.db.one(sql<{ waiting: number }>`
      select count(*) as waiting from jobs where tenant_id = ${ctx.tenantId} and name like 'cloud.%'
        and (run_at <= clock_timestamp() or leased_until is not null)`)
    if (waiting === 0) return (performance.now() - began) / 1_000
    await meanwhile()
    await sleep(250)
  }
  throw new Error('the clouds were not read in time')
}

interface Surroundings {
  readonly log: number | 'inherit'
  readonly environment?: Readonly<Record<string, string>>
}

function start(file: string, words: readonly string[], { log, environment }: Surroundings) {
  const child = fork(join(import.meta.dirname, file), words, {
    execArgv: SERVER_FLAGS,
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', log, 'ipc'],
  })
  return {
    child,
    pid: child.pid ?? 0,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024)
}
