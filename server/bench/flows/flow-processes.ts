import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Orders } from './flow-worker.ts'
import type { Seen } from './key-receiver.ts'

/** Another node, in a process of its own. */
export interface Node {
  /** Whether it has begun a job. */
  readonly isAtWork: () => boolean
  readonly kill: () => Promise<void>
}

/** What it logs goes to the end of the file `log`. */
export function startNode(orders: Orders, log: number): Node {
  const child = fork(join(import.meta.dirname, 'flow-worker.ts'), [JSON.stringify(orders)], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', log, 'ipc'],
  })
  let isAtWork = false
  child.once('message', () => (isAtWork = true))
  return { isAtWork: () => isAtWork, kill: () => killed(child) }
}

export interface KeyReceiver {
  readonly url: string
  readonly seen: () => Promise<Seen>
  readonly stop: () => Promise<void>
}

export async function startKeyReceiver(): Promise<KeyReceiver> {
  const child = fork(join(import.meta.dirname, 'key-receiver.ts'), { serialization: 'advanced' })
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    async seen() {
      child.send('tell')
      const [seen] = (await once(child, 'message')) as [Seen]
      return seen
    },
    stop: () => killed(child),
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
