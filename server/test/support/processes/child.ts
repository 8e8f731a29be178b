import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Runs a script of this folder with its orders in a process of its own, which is killed when the test ends. */
export function startChild(
  script: string,
  orders: object,
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const path = new URL(script, import.meta.url).pathname
  const child = spawn(process.execPath, [path, JSON.stringify(orders)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  })
  onTestFinished(() => killChild(child))
  return child
}

/** Kills the process with SIGKILL and waits for its end. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
