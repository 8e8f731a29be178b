import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import type { Load, Loaded } from './requests/load-client.ts'
import type { RawDuty } from './requests/bare-handler.ts'

/** As `rollcall serve` has Node run it, which it cannot do itself under a parent that talks with it. */
export const SERVER_FLAGS = ['--max-semi-space-size=16']

/** A server in a process of its own. */
export interface RunningServer {
  readonly address: string
  /** Of its process. */
  readonly pid: number
  readonly stop: () => Promise<void>
  /** At once, as by `kill -9`. */
  readonly kill: () => Promise<void>
}

/** The product as in production; with `space`, in that network namespace. */
export async function startProduct(
  environment: Readonly<Record<string, string>>,
  space?: string,
): Promise<RunningServer> {
  const inside = space === undefined ? [] : ['ip', 'netns', 'exec', space]
  const program = join(import.meta.dirname, '../bin/rollcall.mjs')
  const words = [...inside, process.execPath, ...SERVER_FLAGS, program, 'serve']
  const child = spawn(words[0] ?? '', words.slice(1), {
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  for await (const line of lines) {
    const address = /^Rollcall runs at (\S+)$/.exec(line)?.[1]
    if (!address) continue
    child.stdout?.resume()
    return { address, pid: child.pid ?? 0, stop: () => stop(child), kill: () => stop(child, 'SIGKILL') }
  }
  throw new Error('the server did not start')
}

export async function startRaw(duty: RawDuty): Promise<RunningServer> {
  const child = fork(join(import.meta.dirname, 'requests/bare-handler.ts'), { serialization: 'advanced' })
  child.send(duty)
  const [address] = (await once(child, 'message')) as [string]
  return { address, pid: child.pid ?? 0, stop: () => stop(child), kill: () => stop(child, 'SIGKILL') }
}

/** The one that asks, in a process of its own too. */
export interface Client {
  readonly load: (load: Load) => Promise<Loaded>
  readonly stop: () => Promise<void>
}

export function startClient(): Client {
  const child = fork(join(import.meta.dirname, 'requests/load-client.ts'), { serialization: 'advanced' })
  return {
    async load(load) {
      child.send(load)
      const [answer] = (await once(child, 'message')) as [Loaded]
      return answer
    },
    stop: () => stop(child),
  }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
