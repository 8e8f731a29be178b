import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { concurrently } from '#features/scans/probes/sweep/concurrency.ts'
import { networkLab, type NetworkLab } from '../../test/support/network/network-lab.ts'
import { openSshLab } from '../../test/support/scanned-hosts/ssh-servers.ts'

const run = promisify(execFile)
const STARTED_AT_ONCE = 8
/** Machines stand at every fourth address, as people fill networks: of a small range from its beginning, of a large one in some networks. */
const ADDRESSES_BETWEEN = 4
const LARGE_PREFIX = 20
const FILLED_NETWORKS = 12

export interface ServiceMachine {
  readonly address: string
  /** nginx at 80 and 443; else sshd. */
  readonly isWeb: boolean
}

export interface ServiceNetwork {
  readonly lab: NetworkLab
  readonly range: string
  readonly machines: readonly ServiceMachine[]
  readonly close: () => Promise<void>
}

/** Machines of their own with a real sshd, every second one with a real nginx and TLS instead, in a range that is silent otherwise. */
export async function openServiceNetwork(
  count: number,
  prefix: number,
  isShellsAlone: boolean,
): Promise<ServiceNetwork> {
  const place = await openSshLab()
  const machines = Array.from({ length: count }, (_, at) => ({
    address: prefix > LARGE_PREFIX ? addressOf(2 + at * ADDRESSES_BETWEEN) : scatteredAddress(at, prefix),
    isWeb: !isShellsAlone && at % 2 === 1,
  }))
  const nameOf = (address: string): string => `m${machines.findIndex((it) => it.address === address)}`
  const lab = await networkLab({
    scanner: `10.97.0.1/${prefix}`,
    machines: Object.fromEntries(machines.map(({ address }) => [nameOf(address), [address]])),
  })
  const close = async (): Promise<void> => {
    await lab.close()
    await place.close()
  }
  try {
    await chmod(lab.folder, 0o755)
    await makeCertificate(lab.folder)
    const hostKey = await place.hostKey('ed25519')
    for await (const _ of concurrently(machines, STARTED_AT_ONCE, async ({ address, isWeb }) => {
      const name = nameOf(address)
      await (isWeb ? startWeb(lab, name) : startShell(lab, name, hostKey))
    }));
  } catch (error) {
    await close()
    throw error
  }
  return { lab, range: `10.97.0.0/${prefix}`, machines, close }
}

/** In one network of 256 addresses after the other, of those that are filled. */
function scatteredAddress(at: number, prefix: number): string {
  const stride = Math.floor(2 ** (24 - prefix) / FILLED_NETWORKS)
  const network = (at % FILLED_NETWORKS) * stride + stride - 1
  return addressOf(network * 256 + 1 + Math.floor(at / FILLED_NETWORKS) * ADDRESSES_BETWEEN)
}

const addressOf = (offset: number): string => `10.97.${offset >> 8}.${offset & 0xff}`

async function makeCertificate(folder: string): Promise<void> {
  const subject = ['-subj', '/CN=bench.example.test', '-days', '2']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    ...files,
    ...subject,
  ])
}

async function startWeb(lab: NetworkLab, name: string): Promise<void> {
  const folder = join(lab.folder, `${name}-web`)
  await mkdir(folder)
  await chmod(folder, 0o777)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (it) => `${it}_temp_path ${folder};`,
  )
  const listen = `listen 80; listen 443 ssl; ssl_certificate ${lab.folder}/cert.pem; ssl_certificate_key ${lab.folder}/key.pem;`
  const page = `default_type text/html; return 200 "<html><title>Router</title></html>";`
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/log; events { worker_connections 64; }
     http { access_log off; ${temporary.join(' ')} server { ${listen} location / { ${page} } } }`,
  )
  await lab.serve(
    name,
    ['tcp 80', 'tcp 443'],
    ['nginx', '-e', `${folder}/log`, '-c', join(folder, 'nginx.conf')],
  )
}

async function startShell(lab: NetworkLab, name: string, hostKey: string): Promise<void> {
  const config = join(lab.folder, `${name}-sshd`)
  await writeFile(config, `HostKey ${hostKey}\nPidFile none\nLogLevel QUIET\nStrictModes no\n`)
  await lab.serve(name, ['tcp 22'], ['/usr/sbin/sshd', '-D', '-e', '-f', config])
}
