import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../../src/platform/database/address.ts'
import { databaseUrl } from '../database/fresh-database.ts'
import { quickFolder } from '../database/quick-folder.ts'

/** The product as its users meet it: a process with arguments, an environment, output and an exit code. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Server {
  readonly address: string
  /** What it has printed so far. */
  readonly out: () => string
  readonly pid: number
  /** Answers the exit code. */
  readonly signal: (name: NodeJS.Signals) => Promise<number>
}

export interface As {
  readonly uid?: number
  readonly gid?: number
  /** Runs instead of the product of these sources, such as that of a package. */
  readonly program?: readonly [string, ...string[]]
}

type Environment = Readonly<Record<string, string>>

const BIN = join(import.meta.dirname, '../../../bin/rollcall.mjs')
const TIMEOUT_MS = 30_000
/** A package is unpacked and installed before. */
const START_TIMEOUT_MS = 120_000
/** Processes of a database whose postmaster was killed may write for a moment more. */
const PATIENTLY = { maxRetries: 50, retryDelay: 100 }

/** A data directory of its own, gone with the test; its path has a space and a comma. */
export async function dataFolder(owner?: As): Promise<string> {
  const folder = await quickFolder('rollcall data, ')
  if (owner) await chmod(folder, 0o777)
  onTestFinished(() => rm(folder, { recursive: true, force: true, ...PATIENTLY }))
  return join(folder, 'data')
}

export async function rollcall(words: readonly string[], environment: Environment, as?: As): Promise<Ended> {
  const child = launch(words, environment, as)
  const [out, err] = [collect(child.stdout), collect(child.stderr)]
  const code = await ended(child)
  return { code, out: out(), err: err() }
}

/** For processes of one installation on a database that exists: a test app's. */
export const onDatabase = (where: DatabaseAddress, secretKey: string): Environment => ({
  DATABASE_URL: databaseUrl(where),
  SECRET_KEY: secretKey,
  DATA_DIR: join(tmpdir(), 'rollcall-none'),
})

/** Serves on a free port until the test ends. */
export const serve = (environment: Environment, as?: As): Promise<Server> =>
  startProcess({ PORT: '0', ...environment }, /Rollcall runs at (\S+)\n/, as)

/** Works, or only delivers, until the test ends. Its address is none. */
export const startWorker = (environment: Environment): Promise<Server> =>
  startProcess({ ROLES: 'worker', ...environment }, /Rollcall works as ()/)

/** Scans for the server that the environment names, until the test ends. `address` is that of the server. */
export const startCollector = (environment: Environment): Promise<Server> =>
  startProcess({ ROLES: 'collector', ...environment }, /Rollcall scans as collector \S+ for (\S+)\.\n/)

async function startProcess(environment: Environment, readyLine: RegExp, as?: As): Promise<Server> {
  const child = launch(['serve'], environment, as)
  const [out, err] = [collect(child.stdout), collect(child.stderr)]
  const end = ended(child)
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await end
  })
  const ready = await until(() => {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${out()}${err()}`)
    return readyLine.exec(out()) ?? undefined
  }, START_TIMEOUT_MS)
  return {
    address: ready[1] ?? '',
    out,
    pid: child.pid ?? 0,
    signal(name) {
      child.kill(name)
      return end
    },
  }
}

/** Polls until it answers something true. */
export async function until<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const found = await find()
    if (found) return found
    if (Date.now() > deadline) throw new Error('never came true')
    await sleep(20)
  }
}

function launch(words: readonly string[], environment: Environment, as?: As): ChildProcess {
  const { program = [process.execPath, BIN], ...user } = as ?? {}
  const [command, ...first] = program
  return spawn(command, [...first, ...words], {
    ...user,
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), LOG_LEVEL: 'fatal', ...environment },
  })
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 1)))
  })
}
