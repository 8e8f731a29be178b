import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Seen } from './receiver.ts'
import type { Orders } from './worker.ts'

/** A worker process that can be hurt. */
export interface Worker {
  /** The name of its sessions in the database. */
  readonly name: string
  readonly signal: (name: NodeJS.Signals) => void
  /** By so much its clock is off from now on. */
  readonly shiftClock: (ms: number) => void
  /** Resolves when it is gone. */
  readonly gone: Promise<unknown>
}

let started = 0

export function startWorker(orders: Orders): Worker {
  const name = `chaos worker ${++started}`
  const child = fork(join(import.meta.dirname, 'worker.ts'), [JSON.stringify(orders)], {
    env: { PATH: process.env['PATH'], PGAPPNAME: name },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    name,
    signal: (signal) => void child.kill(signal),
    shiftClock: (ms) => void (child.connected && child.send({ shiftClock: ms }, () => {})),
    gone: goneOf(child),
  }
}

export interface Receiver {
  readonly url: string
  readonly seen: () => Promise<Seen>
  readonly stop: () => Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'receiver.ts'), { serialization: 'advanced' })
  const gone = goneOf(child)
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    async seen() {
      child.send('tell')
      const [seen] = (await once(child, 'message')) as [Seen]
      return seen
    },
    async stop() {
      child.kill()
      await gone
    },
  }
}

const goneOf = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once('exit', resolve))
