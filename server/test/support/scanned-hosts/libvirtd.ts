import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Mount namespaces keep its sockets apart from those of the machine. */
export const LIBVIRT_NEEDS = [
  'root',
  'libvirtd',
  'virsh',
  'virt-ssh-helper',
  'sshd',
  'openssl',
  'unshare',
] as const

export interface Libvirtd {
  readonly tlsPort: number
  readonly sshPort: number
  /** Of the daemon's test driver: a host with the guests that `node` describes. */
  readonly uri: string
  /** PEM: the authority, what clients show, and the same of an authority that the daemon does not know. */
  readonly authority: string
  readonly client: Identity
  readonly stranger: Identity
  /** Lets `root` in over ssh. */
  readonly sshKey: string
  /** Lets nobody in. */
  readonly strangersKey: string
  /** What virsh prints, asked on the machine itself. */
  readonly virsh: (...words: readonly string[]) => Promise<string>
  readonly close: () => Promise<void>
}

export interface Identity {
  readonly certificate: string
  readonly privateKey: string
}

const run = promisify(execFile)
const READY_MS = 30_000

/** libvirtd with TLS, and sshd beside it. `node` is a file of the test driver: a host, its guests and networks. */
export async function libvirtd(node: string): Promise<Libvirtd> {
  const folder = await mkdtemp(join(tmpdir(), 'libvirt-'))
  // the daemon writes state beside its sockets, and reads from elsewhere than the one who asks
  await chmod(folder, 0o755)
  const certificate = await makeCertificates(folder)
  const [tlsPort, sshPort] = [await freePort(), await freePort()]
  const nodeFile = join(folder, 'node.xml')
  await writeFile(nodeFile, node)
  await writeFile(join(folder, 'libvirtd.conf'), daemonSettings(folder, tlsPort))
  await writeFile(join(folder, 'sshd_config'), await sshSettings(folder, sshPort))
  await mkdir(join(folder, 'drivers'))
  const child = spawn('unshare', ['--mount', '/bin/sh', '-c', START, folder], {
    stdio: 'ignore',
    detached: true,
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LIBVIRT_DRIVER_DIR: join(folder, 'drivers') },
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const inside = async (...words: readonly string[]): Promise<string> =>
    (await run('nsenter', ['--target', String(child.pid), '--mount', '--', ...words])).stdout
  const uri = `test://${nodeFile}`
  await until(async () => {
    await inside('virsh', '--readonly', '--connect', `test+unix://${nodeFile}`, 'version')
    if (!existsSync(join(folder, 'sshd.pid'))) throw new Error('sshd is not up yet')
  })
  return {
    ...certificate,
    sshKey: await readFile(join(folder, 'user'), 'utf8'),
    strangersKey: await readFile(join(folder, 'strange'), 'utf8'),
    tlsPort,
    sshPort,
    uri,
    virsh: (...words) => inside('virsh', '--readonly', '--connect', `test+unix://${nodeFile}`, ...words),
    async close() {
      if (child.pid !== undefined) process.kill(-child.pid)
      await exited
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** One process group, which ends as one. */
const START = `
  set -e
  mkdir -p /run/libvirt /run/sshd
  mount -t tmpfs none /run/libvirt
  /usr/sbin/sshd -D -f "$0/sshd_config" &
  libvirtd --listen --config "$0/libvirtd.conf" --pid-file "$0/libvirtd.pid" &
  wait`

const daemonSettings = (folder: string, port: number): string => `
listen_tls = 1
listen_tcp = 0
listen_addr = "127.0.0.1"
tls_port = "${port}"
auth_tls = "none"
auth_unix_ro = "none"
auth_unix_rw = "none"
ca_file = "${folder}/ca.pem"
cert_file = "${folder}/server.pem"
key_file = "${folder}/server.key"
log_outputs = "2:file:${folder}/libvirtd.log"
`

async function sshSettings(folder: string, port: number): Promise<string> {
  for (const name of ['host', 'user', 'strange'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  return `
Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host
PidFile ${folder}/sshd.pid
AuthorizedKeysFile ${folder}/user.pub
PermitRootLogin prohibit-password
PasswordAuthentication no
StrictModes no
UsePAM no
`
}

async function makeCertificates(
  folder: string,
): Promise<Pick<Libvirtd, 'authority' | 'client' | 'stranger'>> {
  const openssl = (words: string): Promise<unknown> => run('openssl', words.split(' '), { cwd: folder })
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8')
  const key = '-newkey rsa:2048 -nodes'
  const signed = async (name: string, by: string, purpose: string): Promise<Identity> => {
    await writeFile(
      join(folder, `${name}.ext`),
      `subjectAltName=IP:127.0.0.1\nextendedKeyUsage=${purpose}\nkeyUsage=digitalSignature,keyEncipherment\n`,
    )
    await openssl(`req ${key} -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`)
    await openssl(
      `x509 -req -in ${name}.csr -CA ${by}.pem -CAkey ${by}.key -days 9 -out ${name}.pem -extfile ${name}.ext`,
    )
    return { certificate: await read(`${name}.pem`), privateKey: await read(`${name}.key`) }
  }
  for (const name of ['ca', 'other-ca'])
    await openssl(`req -x509 ${key} -keyout ${name}.key -out ${name}.pem -days 9 -subj /CN=${name}`)
  await signed('server', 'ca', 'serverAuth')
  return {
    authority: await read('ca.pem'),
    client: await signed('client', 'ca', 'clientAuth'),
    stranger: await signed('stranger', 'other-ca', 'clientAuth'),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function until(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + READY_MS
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await sleep(100)
    }
  }
}
