import { execFile } from 'node:child_process'
import { chown, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../../src/platform/embedded-postgres/embedded-postgres.ts'

const run = promisify(execFile)
const PORT = 5432

/**
 * The PostgreSQL whose programs are in `binaries`, of any version, in an empty folder, as the embedded one would run
 * there: sorted by code point, an owner who is no superuser, and a socket alone.
 */
export async function startSystemPostgres(
  binaries: string,
  folder: string,
  settings: readonly string[],
): Promise<Pick<EmbeddedPostgres, 'superuser' | 'where' | 'release'>> {
  const data = join(folder, 'data')
  const user = await postgresUser()
  await mkdir(data, { mode: 0o700 })
  if (user) for (const path of [folder, data]) await chown(path, user.uid, user.gid)
  const call = (program: string, ...args: string[]) =>
    run(join(binaries, program), ['-D', data, ...args], { ...user, cwd: folder, env: { LC_ALL: 'C.UTF-8' } })
  await call('initdb', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '-N')
  const options = [`port=${PORT}`, 'listen_addresses=', `unix_socket_directories=${folder}`, ...settings]
  const given = options.map((it) => `-c ${it}`).join(' ')
  await call('pg_ctl', '-w', '-l', join(folder, 'log'), '-o', given, 'start')
  const superuser = { host: folder, port: PORT, user: 'postgres', password: '', database: 'postgres' }
  const client = new pg.Client(superuser)
  await client.connect()
  await client.query('create role rollcall login createrole')
  await client.query('create database rollcall owner rollcall')
  await client.end()
  return {
    superuser,
    where: { ...superuser, user: 'rollcall', database: 'rollcall' },
    release: async () => void (await call('pg_ctl', '-w', '-m', 'fast', 'stop')),
  }
}

/** PostgreSQL does not run as root. */
async function postgresUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const found = ['postgres', 'nobody'].map((name) => lines.find((line) => line[0] === name)).find(Boolean)
  if (!found) throw new Error('there is neither a user postgres nor nobody')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}
