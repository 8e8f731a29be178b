import { readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'
import type { Worker } from './worker-processes.ts'
import type { FaultProxy } from './fault-proxy.ts'

/** What happens to a house, and how long work lay after it, in milliseconds; undefined when there was none to lie. */
export type FaultInjection<Target = FaultTarget> = (scene: Target) => Promise<number | undefined>

/** How long a network is broken, a disk full or a clock wrong. */
export interface Surroundings {
  readonly links: Readonly<Record<'database' | 'receiver', FaultProxy>>
  readonly brokenSeconds: number
  /** A file system of its own that holds the database and may be filled; absent: nobody here may mount one. */
  readonly disk?: string | undefined
}

export type FaultTarget = ProcessTarget & Surroundings

export interface ProcessTarget {
  readonly workers: Worker[]
  /** Starts one more. */
  readonly startOne: () => void
  readonly superuser: DatabaseAddress
  readonly dataDir: string
  readonly frozenSeconds: number
}

export const processFaults = {
  /** Until its neighbours have all that it had under way. */
  async 'kill -9'({ workers, startOne, superuser }) {
    const { worker, id } = await busyWorker(workers, superuser)
    worker.signal('SIGKILL')
    const killedAt = performance.now()
    await worker.gone
    if (id !== undefined) await until(() => hasNothing(superuser, id))
    startOne()
    return id === undefined ? undefined : performance.now() - killedAt
  },
  /** Until it has ended by itself. */
  async SIGTERM({ workers, startOne }) {
    const worker = randomWorker(workers)
    const askedAt = performance.now()
    startOne()
    worker.signal('SIGTERM')
    await worker.gone
    return performance.now() - askedAt
  },
  /** Until its neighbours have what it had, or it moves again. */
  async SIGSTOP({ workers, superuser, frozenSeconds }) {
    const { worker, id } = await busyWorker(workers, superuser)
    worker.signal('SIGSTOP')
    const frozenAt = performance.now()
    const isOver = () => performance.now() - frozenAt > frozenSeconds * 1_000
    if (id !== undefined) await until(async () => isOver() || (await hasNothing(superuser, id)))
    const recoveryMs = performance.now() - frozenAt
    await until(() => Promise.resolve(isOver()))
    worker.signal('SIGCONT')
    workers.push(worker)
    return id === undefined ? undefined : recoveryMs
  },
  /** Until it answers again. Immediate shutdown: like a crash, it is followed by recovery. */
  async 'database stop'({ superuser, dataDir }) {
    process.kill(await postmasterOf(dataDir), 'SIGQUIT')
    const stoppedAt = performance.now()
    await sleep(POLL_MS)
    await until(() => answers(superuser))
    return performance.now() - stoppedAt
  },
} satisfies Record<string, FaultInjection<ProcessTarget>>

const POLL_MS = 20
const PATIENCE_MS = 60_000
const BUSY_WITHIN_MS = 15_000
/** The class of the advisory lock that a living worker holds; the other half of the key is its id. */
const LOCK_CLASS = 7_261_006

/** Takes one out of the list: nothing else happens to it. */
function randomWorker(workers: Worker[]): Worker {
  const [worker] = workers.splice(Math.floor(Math.random() * workers.length), 1)
  if (!worker) throw new Error('no worker is left')
  return worker
}

/** Takes one out of the list that has something under way, and its id; any without id when none has for a while. */
async function busyWorker(
  workers: Worker[],
  superuser: DatabaseAddress,
): Promise<{ worker: Worker; id?: number }> {
  const deadline = performance.now() + BUSY_WITHIN_MS
  while (performance.now() < deadline) {
    const found = await busyOnes(workers, superuser)
    const one = found[Math.floor(Math.random() * found.length)]
    const worker = one && workers.find(({ name }) => name === one.name)
    if (worker) {
      workers.splice(workers.indexOf(worker), 1)
      return { worker, id: one.id }
    }
    await sleep(POLL_MS)
  }
  return { worker: randomWorker(workers) }
}

const busyOnes = (workers: readonly Worker[], superuser: DatabaseAddress) =>
  ask<{ name: string; id: number }>(
    superuser,
    `select a.application_name as name, l.objid::int as id from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.classid = ${LOCK_CLASS} and a.application_name = any($1)
       and exists (select from webhook_deliveries where status = 'r' and lease_by = l.objid::int)`,
    [workers.map(({ name }) => name)],
  )

async function hasNothing(superuser: DatabaseAddress, id: number): Promise<boolean> {
  const text = `select from webhook_deliveries where status = 'r' and lease_by = $1 limit 1`
  return (await ask(superuser, text, [id])).length === 0
}

export const answers = (superuser: DatabaseAddress): Promise<boolean> =>
  ask(superuser, 'select').then(
    () => true,
    () => false,
  )

export async function ask<R>(where: DatabaseAddress, text: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client(where)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text, values)).rows as R[]
  } finally {
    await client.end().catch(() => {})
  }
}

async function postmasterOf(dataDir: string): Promise<number> {
  const cluster = join(dataDir, 'postgres')
  const real = await readlink(cluster).then(
    (it) => join(it, 'postgres'),
    () => cluster,
  )
  return Number.parseInt(await readFile(join(real, 'postmaster.pid'), 'utf8'), 10)
}

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > deadline) throw new Error('it never came to an end')
    await sleep(POLL_MS)
  }
}
