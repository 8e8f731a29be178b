import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../config.ts'
import type { Log } from '#platform/observability/log.ts'

/** Processes beside this one that send deliveries, until they are stopped. */
export interface DeliveryProcesses {
  readonly stop: () => Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../../bin/rollcall.mjs', import.meta.url))
const AGAIN_AFTER_MS = 1_000

/** Each is started again when it ends by itself, and ends when this process does, however that ends. */
export function startDeliveryProcesses(count: number, port: number, log: Log): DeliveryProcesses {
  const running = new Set<ChildProcess>()
  const again = new Set<NodeJS.Timeout>()
  let isStopping = false

  const start = (): void => {
    const child = spawn(process.execPath, [...process.execArgv, PROGRAM, 'serve'], {
      // what this process listens at is no destination of theirs either
      env: childEnvironment({ ROLES: 'deliveries', DELIVERY_PROCESSES: '0', PORT: String(port) }),
      // the channel closes when this process is gone
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    running.add(child)
    const ended = (why: object): void => {
      if (!running.delete(child) || isStopping) return
      log.warn(why, 'a process for deliveries has ended; another is started')
      const timer = setTimeout(() => {
        again.delete(timer)
        start()
      }, AGAIN_AFTER_MS)
      again.add(timer)
    }
    // one that could not be started at all has no other end
    child.on('error', (error) => child.pid === undefined && ended({ err: error }))
    child.on('exit', (code, signal) => ended({ code, signal }))
  }
  for (let n = 0; n < count; n++) start()
  return {
    async stop() {
      isStopping = true
      again.forEach(clearTimeout)
      const ends = [...running].map((child) => once(child, 'exit'))
      for (const child of running) child.kill('SIGTERM')
      await Promise.all(ends)
    },
  }
}
