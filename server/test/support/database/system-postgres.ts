import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, chown, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../../src/platform/database/address.ts'
import { freePort } from '../network/free-port.ts'
import { quickFolder } from './quick-folder.ts'

/** The oldest version that the documents name, as Debian 12 installs it. */
export const OLDEST = '/usr/lib/postgresql/15/bin'

/** A PostgreSQL of the operating system, on loopback, which a test may ill-treat. */
export interface SystemPostgres {
  readonly port: number
  /** The database `rollcall`, as its owner; in a URL, `x` is the password. */
  readonly where: DatabaseAddress
  readonly ask: (statement: string) => Promise<unknown[]>
  /** SIGKILL to the postmaster; its children notice. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  /** SIGSTOP or SIGCONT to the postmaster and every process of it. */
  readonly signal: (name: 'SIGSTOP' | 'SIGCONT') => Promise<void>
  /** A standby that follows it. */
  readonly standby: () => Promise<SystemPostgres>
  readonly promote: () => Promise<void>
}

const run = promisify(execFile)
const SETTINGS = ['fsync=off', 'max_connections=100', 'wal_level=replica', 'jit=off', 'max_wal_senders=4']

/** A fresh one with an empty database, gone with the test. */
export async function systemPostgres(binaries = OLDEST): Promise<SystemPostgres> {
  const folder = await folderOf()
  await asPostgres(folder, join(binaries, 'initdb'), [
    '-D',
    join(folder, 'data'),
    '-A',
    'trust',
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-N',
  ])
  const server = await serverIn(binaries, folder)
  await server.start()
  await server.ask(`create role rollcall login createrole password 'x'`)
  await server.ask(`create database rollcall owner rollcall`)
  return server
}

async function folderOf(): Promise<string> {
  const folder = await quickFolder('rollcall-postgres-')
  const { uid, gid } = await postgresUser()
  await chown(folder, uid, gid)
  await chmod(folder, 0o700)
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }))
  return folder
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((it) => it.startsWith('postgres:'))
  const [, , uid, gid] = (line ?? '').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

async function asPostgres(folder: string, program: string, args: readonly string[]): Promise<void> {
  await run(program, [...args], { ...(await postgresUser()), cwd: folder, env: { LC_ALL: 'C.UTF-8' } })
}

async function serverIn(binaries: string, folder: string): Promise<SystemPostgres> {
  const data = join(folder, 'data')
  const port = await freePort()
  const options = [
    `port=${port}`,
    `listen_addresses=127.0.0.1`,
    `unix_socket_directories=${folder}`,
    ...SETTINGS,
  ]
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    options.map((it) => it.replace(/=(.*)/, ` = '$1'\n`)).join(''),
  )
  const control = (...words: string[]) =>
    asPostgres(folder, join(binaries, 'pg_ctl'), [
      '-D',
      data,
      '-l',
      join(folder, 'log'),
      '-w',
      '-t',
      '60',
      ...words,
    ])
  const postmaster = async (): Promise<number> =>
    Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const server: SystemPostgres = {
    port,
    where: { host: '127.0.0.1', port, user: 'rollcall', password: 'x', database: 'rollcall' },
    async ask(statement) {
      const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
      await client.connect()
      try {
        return (await client.query(statement)).rows
      } finally {
        await client.end()
      }
    },
    async kill() {
      process.kill(await postmaster(), 'SIGKILL')
    },
    start: () => control('start'),
    async signal(name) {
      const parent = await postmaster()
      for (const pid of [parent, ...(await childrenOf(parent))]) process.kill(pid, name)
    },
    async standby() {
      const other = await folderOf()
      const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
      await asPostgres(other, join(binaries, 'pg_basebackup'), [
        ...from,
        '-D',
        join(other, 'data'),
        '-R',
        '-X',
        'stream',
        '-c',
        'fast',
      ])
      const standby = await serverIn(binaries, other)
      await standby.start()
      return standby
    },
    promote: () => control('promote'),
  }
  onTestFinished(async () => {
    if (!existsSync(join(data, 'postmaster.pid'))) return
    await server.signal('SIGCONT').catch(() => {})
    await control('stop', '-m', 'immediate').catch(() => {})
  })
  return server
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((it) => /^\d+$/.test(it)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === parent ? [pid] : []
    }),
  )
  return found.flat()
}
