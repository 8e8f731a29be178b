import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { concurrently } from '#features/scans/probes/sweep/concurrency.ts'
import { networkLab, type NetworkLab } from '../../test/support/network/network-lab.ts'
import { openSshLab } from '../../test/support/scanned-hosts/ssh-servers.ts'

export const RANGE = '10.96.0.0/22'
const SCANNER = '10.96.0.1/22'
const STARTED_AT_ONCE = 8

/** Machines of their own, each with a real sshd at port 22, spread over a range that is silent otherwise. */
export interface SshdNetwork {
  readonly hosts: readonly string[]
  /** The network namespace of the machine that scans. */
  readonly space: string
  readonly username: string
  readonly privateKey: string
  /** The file of the key. */
  readonly keyFile: string
  /** Connections from the scanning machine to port 22 at present. */
  readonly connections: () => Promise<number>
  readonly run: NetworkLab['run']
  readonly close: () => Promise<void>
}

export async function openSshdNetwork(count: number): Promise<SshdNetwork> {
  const place = await openSshLab()
  const hosts = Array.from({ length: count }, (_, at) => addressOf(2 + Math.floor((at * 1_000) / count)))
  const nameOf = (address: string): string => `m${hosts.indexOf(address)}`
  const machines = Object.fromEntries(hosts.map((it) => [nameOf(it), [it]]))
  const lab = await networkLab({ scanner: SCANNER, machines })
  const identities = hosts.map((it) => `/etc/netns/${lab.spaceOf(nameOf(it))}`)
  const close = async (): Promise<void> => {
    await lab.close()
    await place.close()
    for (const folder of identities) await rm(folder, { recursive: true, force: true })
  }
  try {
    await chmod(lab.folder, 0o755)
    const starting = concurrently(hosts, STARTED_AT_ONCE, async (address) => {
      const name = nameOf(address)
      // `ip netns exec` puts it in the place of /etc/machine-id
      await mkdir(`/etc/netns/${lab.spaceOf(name)}`, { recursive: true })
      await writeFile(`/etc/netns/${lab.spaceOf(name)}/machine-id`, `${randomUUID().replaceAll('-', '')}\n`)
      const config = join(lab.folder, name)
      await writeFile(config, configOf(place.folder, address, await place.hostKey('ed25519')))
      const start = `echo ${name} >/proc/sys/kernel/hostname; exec /usr/sbin/sshd -D -e -f ${config}`
      await lab.serve(name, ['tcp 22'], ['unshare', '--uts', '/bin/sh', '-c', start])
    })
    for await (const _ of starting);
  } catch (error) {
    await close()
    throw error
  }
  return {
    hosts,
    space: lab.spaceOf('scanner'),
    username: place.username,
    keyFile: place.keys.ed25519,
    privateKey: await readFile(place.keys.ed25519, 'utf8'),
    run: lab.run,
    close,
    async connections() {
      const found = await lab.run('scanner', 'ss', '-Htn', 'state', 'established', 'dport', '=', ':22')
      return found.split('\n').filter(Boolean).length
    },
  }
}

/** The address so many behind the first of the range. */
const addressOf = (offset: number): string => `10.96.${offset >> 8}.${offset & 0xff}`

const configOf = (folder: string, address: string, hostKey: string): string =>
  `${[
    `ListenAddress ${address}`,
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    'StrictModes no',
    'PidFile none',
    'LogLevel QUIET',
    'PrintMotd no',
  ].join('\n')}\n`
