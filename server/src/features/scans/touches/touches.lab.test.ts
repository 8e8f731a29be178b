import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab } from '#test/support/network/network-lab.ts'
import { openSshLab, type SshLab } from '#test/support/scanned-hosts/ssh-servers.ts'
import { keyOf } from '../probes/ssh/access.fixture.ts'
import type { Touch } from '../probes/touches/touch-counter.ts'

const SCANNER = '10.83.0.1'
const [BUSY, QUIET] = ['10.83.0.10', '10.83.0.20']
const RANGE = '10.83.0.0/27'
const SCRIPT = join(import.meta.dirname, '../../../../test/support/network/touches-in-namespace.ts')
/** How far the ledger may be from what tcpdump sees. */
const SHARE = 0.02

const PAGES = `
const page = (_, answer) => answer.end('<title>A page</title>' + 'x'.repeat(6000))
require('node:http').createServer(page).listen(80)
require('node:http').createServer(page).listen(8080)`

needs(
  'root',
  'ip',
  'ss',
  'sshd',
  'tcpdump',
)('what a scan counts, beside tcpdump at the device', () => {
  let lab: NetworkLab
  let place: SshLab

  beforeAll(async () => {
    place = await openSshLab()
    lab = await networkLab({ scanner: `${SCANNER}/24`, machines: { busy: [BUSY], quiet: [QUIET] } })
    await chmod(lab.folder, 0o755)
    // no segmentation offload: a virtual link would pass on many segments as one packet, which no cable does
    for (const link of ['bridge', 'port0', 'port1'])
      await lab.run('scanner', 'ip', 'link', 'set', 'dev', link, 'gso_max_segs', '1')
    await startSshd()
    await lab.serve('busy', ['tcp 80', 'tcp 8080'], [process.execPath, '-e', PAGES])
  }, 120_000)
  afterAll(async () => {
    await lab?.close()
    await place?.close()
  })

  async function startSshd(): Promise<void> {
    const config = join(lab.folder, 'sshd')
    const lines = [
      `ListenAddress ${BUSY}`,
      `HostKey ${await place.hostKey('ed25519')}`,
      `AuthorizedKeysFile ${join(place.folder, 'authorized')}`,
      'StrictModes no',
      'PidFile none',
    ]
    await writeFile(config, `${lines.join('\n')}\n`)
    await lab.serve('busy', ['tcp 22'], ['/usr/sbin/sshd', '-D', '-e', '-f', config])
  }

  /** Packets from the scanner that arrive at the machine while `work` goes on, and what `work` gives. */
  async function watched<T>(machine: string, address: string, work: () => Promise<T>) {
    const filter = `ip and src host ${SCANNER} and dst host ${address}`
    const dump = spawn(
      'ip',
      ['netns', 'exec', lab.spaceOf(machine), 'tcpdump', '-n', '-l', '-i', 'eth0', filter],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let packets = ''
    dump.stdout.on('data', (lines: Buffer) => (packets += lines.toString()))
    while (!String((await once(dump.stderr, 'data'))[0]).includes('listening on'));
    const given = await work()
    await sleep(1_500) // the last acknowledgements, and tcpdump's own buffer
    dump.kill('SIGINT')
    await once(dump, 'close')
    return { given, seen: packets.split('\n').filter(Boolean).length, packets }
  }

  const sweep = async () =>
    JSON.parse(await lab.run('scanner', process.execPath, SCRIPT, 'sweep', RANGE)) as Touch[]

  async function logIn(): Promise<Touch[]> {
    const credential = join(lab.folder, 'credential')
    await writeFile(credential, JSON.stringify(keyOf(place, 22)), { mode: 0o600 })
    const command = `exec "$0" "${SCRIPT}" ssh ${BUSY} <"${credential}"`
    return JSON.parse(await lab.run('scanner', '/bin/sh', '-c', command, process.execPath)) as Touch[]
  }

  const isClose = (counted: number, seen: number) => Math.abs(counted - seen) <= seen * SHARE

  test('a sweep of a machine whose ports are closed', async () => {
    const { given, seen, packets } = await watched('quiet', QUIET, sweep)
    expect(given.map((it) => it.address).toSorted()).toEqual([SCANNER, BUSY, QUIET].toSorted())
    const touch = given.find((it) => it.address === QUIET)
    process.stdout.write(`sweep of closed ports: ${touch?.packets} counted, ${seen} seen by tcpdump\n`)
    expect(touch).toMatchObject({ logins: 0 })
    if (!touch || !isClose(touch.packets, seen))
      throw new Error(`${touch?.packets} counted, ${seen} seen:\n${packets}`)
    expect(touch.seconds).toBeGreaterThan(0)
  }, 60_000)

  test('a sweep and a login by ssh', async () => {
    const { given, seen, packets } = await watched('busy', BUSY, async () => [
      ...(await sweep()),
      ...(await logIn()),
    ])
    const [swept, login] = given.filter(({ address }) => address === BUSY)
    if (!swept || !login) throw new Error('two scans touched it')
    const touch = { packets: swept.packets + login.packets }
    process.stdout.write(
      `sweep ${swept.packets} and login ${login.packets} counted, ${seen} seen by tcpdump\n`,
    )
    expect(login).toMatchObject({ logins: 1, probes: 1, isEstimated: false })
    if (!isClose(touch.packets, seen)) throw new Error(`${touch.packets} counted, ${seen} seen:\n${packets}`)
  }, 60_000)
})
