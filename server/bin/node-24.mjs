import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'

// This file runs on whatever Node the machine has, before any other: plain JavaScript, nothing newer than Node 20.

const OLDEST = [24, 11]
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

const YOUNG_GENERATION = '--max-semi-space-size'

/**
 * How Node runs a server. Where memory is plenty it lets the young generation of the heap grow to 128 MiB, which the
 * process never gives back.
 */
export const SERVER_FLAGS = [`${YOUNG_GENERATION}=16`]

/** Whether this process was started with the flags of a server, or with others in their place. */
export const hasServerFlags = () =>
  [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')].some((it) =>
    it.startsWith(YOUNG_GENERATION),
  )

/** Whether the running Node can run the product: type stripping, argon2, the engines of the libraries. */
export function isNewEnough(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

/** The running Node where it is new enough, else the one that `npm ci` brought along; undefined when there is none. */
export function findNode() {
  if (isNewEnough()) return process.execPath
  try {
    const bundled = `node-${process.platform}-${process.arch}/package.json`
    return createRequire(import.meta.url)
      .resolve(bundled)
      .replace(/package\.json$/, 'bin/node')
  } catch {
    return undefined
  }
}

/** Runs a program in the foreground as if it were this process: same streams, signals handed on. Answers its exit code. */
export function runInForeground(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    // the fourth stream closes when this process dies, however it dies, and tells the child so
    const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], ...options })
    const handOn = (signal) => void child.kill(signal)
    for (const signal of SIGNALS) process.on(signal, handOn)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const name of SIGNALS) process.off(name, handOn)
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}
