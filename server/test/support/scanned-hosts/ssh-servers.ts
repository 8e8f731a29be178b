import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Real servers for one account of this machine that may do nothing special. Needs root, which makes the account. */
export interface SshLab {
  readonly folder: string
  readonly username: string
  readonly password: string
  /** Paths of private keys that the account accepts. */
  readonly keys: {
    readonly ed25519: string
    readonly rsa: string
    readonly ecdsa: string
    readonly encrypted: string
  }
  readonly sshd: (settings?: readonly string[], hostKeys?: readonly string[]) => Promise<SshServer>
  readonly dropbear: () => Promise<SshServer>
  /** A new host key of OpenSSH's, for `sshd`. */
  readonly hostKey: (type: string) => Promise<string>
  /** A file that everybody may execute. */
  readonly script: (text: string) => Promise<string>
  readonly close: () => Promise<void>
}

export interface SshServer {
  readonly port: number
  /** What it has written to its log. */
  readonly log: () => string
  readonly stop: () => Promise<void>
}

export const PASSPHRASE = 'a phrase for the key'

const run = promisify(execFile)
const READY_MS = 30_000
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }

export async function openSshLab(): Promise<SshLab> {
  const folder = await mkdtemp(join(tmpdir(), 'ssh-'))
  await chmod(folder, 0o755)
  await mkdir('/run/sshd', { recursive: true })
  const id = randomBytes(4).toString('hex')
  const username = `scan-${id}`
  const home = join(folder, 'home')
  const password = `Password ${id}`
  await mkdir(home)
  await retried(() =>
    run('useradd', ['--no-create-home', '--home-dir', home, '--shell', '/bin/bash', username], { env }),
  )
  execFileSync('chpasswd', { input: `${username}:${password}\n`, env })
  await run('chown', [username, home], { env })
  const keys = await userKeys(folder)
  const servers: SshServer[] = []
  const started = async (server: Promise<SshServer>): Promise<SshServer> => {
    servers.push(await server)
    return server
  }
  const hostKey = (type: string) =>
    makeKey(join(folder, `host-${type}-${randomBytes(3).toString('hex')}`), type)
  return {
    folder,
    username,
    password,
    keys,
    hostKey,
    sshd: async (settings = [], hostKeys) =>
      started(
        startSshd(folder, username, settings, hostKeys ?? [await hostKey('ed25519'), await hostKey('rsa')]),
      ),
    dropbear: () => started(startDropbear(folder, home, username)),
    async script(text) {
      const path = join(folder, `script-${randomBytes(3).toString('hex')}`)
      await writeFile(path, text, { mode: 0o755 })
      return path
    },
    async close() {
      for (const server of servers) await server.stop()
      await retried(() => run('userdel', ['--force', username], { env }))
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** The account files have a lock for which their tools do not wait long. */
async function retried(attempt: () => Promise<unknown>): Promise<void> {
  for (let left = 20; ; left--) {
    try {
      await attempt()
      return
    } catch (error) {
      if (left === 0) throw error
      await sleep(250)
    }
  }
}

async function makeKey(path: string, type: string, ...more: readonly string[]): Promise<string> {
  await run('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', path, ...more], { env })
  return path
}

async function userKeys(folder: string): Promise<SshLab['keys']> {
  const path = (name: string) => join(folder, `id-${name}`)
  const encrypted = path('encrypted')
  await run('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', PASSPHRASE, '-f', encrypted], {
    env,
  })
  const keys = {
    ed25519: await makeKey(path('ed25519'), 'ed25519'),
    rsa: await makeKey(path('rsa'), 'rsa', '-b', '2048'),
    ecdsa: await makeKey(path('ecdsa'), 'ecdsa'),
    encrypted,
  }
  const shown = await Promise.all(Object.values(keys).map((key) => readFile(`${key}.pub`, 'utf8')))
  await writeFile(join(folder, 'authorized'), shown.join(''), { mode: 0o644 })
  return keys
}

async function startSshd(
  folder: string,
  username: string,
  settings: readonly string[],
  hostKeys: readonly string[],
): Promise<SshServer> {
  const port = await freePort()
  const config = join(folder, `sshd-${port}`)
  const lines = [
    ...settings,
    `Port ${port}`,
    ...(settings.some((line) => line.startsWith('ListenAddress')) ? [] : ['ListenAddress 127.0.0.1']),
    ...hostKeys.map((key) => `HostKey ${key}`),
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    `AllowUsers ${username}`,
    'StrictModes no',
    'PidFile none',
    'LogLevel VERBOSE',
    'PrintMotd no',
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  return started(
    spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'], env }),
    port,
  )
}

async function startDropbear(folder: string, home: string, username: string): Promise<SshServer> {
  const port = await freePort()
  const key = join(folder, `dropbear-${port}`)
  await run('dropbearkey', ['-t', 'ed25519', '-f', key], { env })
  await mkdir(join(home, '.ssh'), { recursive: true, mode: 0o700 })
  await run('cp', [join(folder, 'authorized'), join(home, '.ssh/authorized_keys')], { env })
  await run('chown', ['-R', username, join(home, '.ssh')], { env })
  const args = ['-F', '-E', '-r', key, '-p', `127.0.0.1:${port}`, '-P', `${key}.pid`]
  return started(spawn('dropbear', args, { stdio: ['ignore', 'ignore', 'pipe'], env }), port)
}

async function started(child: ChildProcess, port: number): Promise<SshServer> {
  const chunks: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const log = (): string => Buffer.concat(chunks).toString()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const deadline = Date.now() + READY_MS
  while (!(await isListening(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`server did not start: ${log()}`)
    await sleep(20)
  }
  return {
    port,
    log,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** By the kernel's table: a connection would be in the server's log. */
async function isListening(port: number): Promise<boolean> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return new RegExp(`: (0100007F|00000000):${hex} 00000000:0000 0A`).test(
    await readFile('/proc/net/tcp', 'utf8'),
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
