import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../../src/platform/database/address.ts'
import { freePort } from '../network/free-port.ts'
import type { SystemPostgres } from './system-postgres.ts'
import { until } from '../processes/rollcall-process.ts'

/** Debian's PgBouncer before a database, until the test ends. */
export async function pgbouncer(
  { port }: SystemPostgres,
  mode: 'transaction' | 'session',
): Promise<DatabaseAddress> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-pgbouncer-'))
  await chmod(folder, 0o755)
  const own = await freePort()
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${port} user=rollcall password=x`,
    '[pgbouncer]',
    'listen_addr=127.0.0.1',
    `listen_port=${own}`,
    'unix_socket_dir=',
    'auth_type=any',
    `pool_mode=${mode}`,
    'max_client_conn=200',
    'default_pool_size=40',
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, lines.join('\n'), { mode: 0o644 })
  const child = spawn('pgbouncer', ['-q', '-u', 'postgres', file], {
    stdio: 'ignore',
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  })
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  await until(() => accepts(own))
  return { host: '127.0.0.1', port: own, user: 'rollcall', password: 'x', database: 'rollcall' }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
