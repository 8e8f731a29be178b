import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCredential } from '#features/credentials/credentials.ts'
import { createTarget } from '#features/scans/scans.ts'
import type { DeviceTouch } from '#features/scans/touches/device-touch.ts'
import { exportTouches, listTouches } from '#features/scans/touches/touches.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab } from '#test/support/network/network-lab.ts'
import type { DiscoveryOrders } from '#test/support/processes/discovery-child.ts'
import { openSshLab, type SshLab } from '#test/support/scanned-hosts/ssh-servers.ts'
import { createDiscovery, getRun, listHosts, startDiscovery } from './discoveries.ts'

const SCANNER = '10.84.0.1'
const RANGE = '10.84.0.0/26'
const MACHINES = { linux: '10.84.0.10', locked: '10.84.0.20', switch: '10.84.0.30', quiet: '10.84.0.40' }
/** How far the ledger may be from what tcpdump sees; at a device with few packets one packet is more. */
const SHARE = 0.02
const SCRIPT = join(import.meta.dirname, '../../../test/support/processes/discovery-child.ts')
const ALL = { limit: 100, offset: 0 }
const secretKey = randomBytes(32).toString('hex')

const PAGE = `require('node:http').createServer((_, answer) => answer.end('x'.repeat(6000))).listen(80)`

needs(
  'root',
  'ip',
  'ss',
  'sshd',
  'snmpd',
  'tcpdump',
)('the ledger of a whole discovery, beside tcpdump', () => {
  const home = sharedTestApp({ secretKey })
  let lab: NetworkLab
  let place: SshLab

  beforeAll(async () => {
    place = await openSshLab()
    const machines = Object.entries(MACHINES).map(([name, address]) => [name, [address]])
    lab = await networkLab({ scanner: `${SCANNER}/24`, machines: Object.fromEntries(machines) })
    await chmod(lab.folder, 0o755)
    // no segmentation offload: a virtual link would pass on many segments as one packet, which no cable does
    for (const link of ['bridge', ...machines.map((_, at) => `port${at}`)])
      await lab.run('scanner', 'ip', 'link', 'set', 'dev', link, 'gso_max_segs', '1')
    await startSshd('linux', join(place.folder, 'authorized'))
    await startSshd('locked', 'none')
    await lab.serve('linux', ['tcp 80'], [process.execPath, '-e', PAGE])
    await writeFile(join(lab.folder, 'snmpd.conf'), 'rocommunity public\n')
    const agent = [
      '-f',
      '-C',
      '-c',
      join(lab.folder, 'snmpd.conf'),
      '-I',
      '-smux',
      `udp:${MACHINES.switch}:161`,
    ]
    await lab.serve(
      'switch',
      ['udp 161'],
      ['env', `SNMP_PERSISTENT_DIR=${lab.folder}`, 'MIBS=', 'snmpd', ...agent],
    )
  }, 120_000)
  afterAll(async () => {
    await lab?.close()
    await place?.close()
  })

  async function startSshd(machine: keyof typeof MACHINES, authorized: string): Promise<void> {
    const config = join(lab.folder, machine)
    const lines = [
      `ListenAddress ${MACHINES[machine]}`,
      `HostKey ${await place.hostKey('ed25519')}`,
      `AuthorizedKeysFile ${authorized}`,
      'StrictModes no',
      'PidFile none',
    ]
    await writeFile(config, `${lines.join('\n')}\n`)
    await lab.serve(machine, ['tcp 22'], ['/usr/sbin/sshd', '-D', '-e', '-f', config])
  }

  async function prepared(ctx: Ctx): Promise<string> {
    const target = await createTarget(ctx, { name: 'lab', entries: [RANGE] })
    const bound = { cidrs: [RANGE], targetIds: [] }
    const privateKey = await readFile(place.keys.ed25519, 'utf8')
    await createCredential(ctx, {
      ...bound,
      name: 'Linux',
      kind: 'ssh_key',
      values: { username: place.username, privateKey },
    })
    await createCredential(ctx, {
      ...bound,
      name: 'Switches',
      kind: 'snmp_community',
      values: { community: 'public' },
    })
    const made = { name: 'nightly', targetId: target.id, types: ['ssh', 'snmp'] }
    return (await startDiscovery(ctx, (await createDiscovery(ctx, made)).id)).id
  }

  /** Packets of the scanner to each address while `work` goes on. */
  async function watched(work: () => Promise<unknown>): Promise<Map<string, string[]>> {
    const filter = `ip and src host ${SCANNER} and not dst net 224.0.0.0/4`
    const words = ['netns', 'exec', lab.spaceOf('scanner'), 'tcpdump', '-n', '-l', '-i', 'bridge', filter]
    const dump = spawn('ip', words, { stdio: ['ignore', 'pipe', 'pipe'] })
    let lines = ''
    dump.stdout.on('data', (bytes: Buffer) => (lines += bytes.toString()))
    while (!String((await once(dump.stderr, 'data'))[0]).includes('listening on'));
    await work()
    await sleep(1_500) // the last acknowledgements, and tcpdump's own buffer
    dump.kill('SIGINT')
    await once(dump, 'close')
    return Map.groupBy(
      lines.split('\n').filter(Boolean),
      (line) => / > (\d+\.\d+\.\d+\.\d+)/.exec(line)?.[1] ?? '',
    )
  }

  test('each device has what tcpdump saw, within 2 %, with probes, logins, seconds and the reason', async () => {
    const ctx = await home().newTenant()
    const runId = await prepared(ctx)
    const orders: DiscoveryOrders = { where: home().where, secretKey, tenantId: ctx.tenantId, runId }
    const seen = await watched(() => lab.run('scanner', process.execPath, SCRIPT, JSON.stringify(orders)))
    expect(await getRun(ctx, runId)).toMatchObject({
      status: 'completed',
      hostsFound: 5,
      loggedIn: 2,
      refused: 1,
    })
    const hosts = (await listHosts(ctx, runId, {}, ALL)).items
    const touches = (await listTouches(ctx, {}, ALL)).items
    const sum = (of: readonly DeviceTouch[], key: 'packets' | 'probes' | 'logins' | 'seconds') =>
      of.reduce((before, it) => before + it[key], 0)
    const differing: string[] = []
    const total = { counted: 0, seen: 0 }
    for (const [name, address] of Object.entries(MACHINES)) {
      const own = touches.filter((it) => it.address === address)
      const packets = sum(own, 'packets')
      const dumped = seen.get(address) ?? []
      process.stdout.write(`${name}: ${packets} packets counted, ${dumped.length} seen by tcpdump\n`)
      total.counted += packets
      total.seen += dumped.length
      if (Math.abs(packets - dumped.length) > Math.max(1, dumped.length * SHARE))
        differing.push(
          `${name}: ${packets} counted, ${dumped.length} seen\n${JSON.stringify(own)}\n${dumped.join('\n')}`,
        )
      expect(own.every(({ run, cause }) => run?.name === 'nightly' && cause === 'manual')).toBe(true)
      expect(sum(own, 'seconds')).toBeGreaterThan(0)
      const asset = hosts.find((it) => it.address === address)?.assetId ?? ''
      expect((await listTouches(ctx, { assetId: asset }, ALL)).items.length).toBe(own.length)
      const { content } = (await exportTouches(ctx, { assetId: asset })).file ?? {}
      if (typeof content !== 'string') throw new Error('the file is text')
      const rows = content.trim().split('\r\n').slice(1)
      expect(rows.reduce((before, row) => before + Number(row.split(',')[3]), 0)).toBe(packets)
    }
    expect(differing).toEqual([])
    expect(Math.abs(total.counted - total.seen)).toBeLessThanOrEqual(total.seen * SHARE)
    const loginsAt = (address: string) =>
      sum(
        touches.filter((it) => it.address === address),
        'logins',
      )
    expect(Object.values(MACHINES).map(loginsAt)).toEqual([1, 1, 1, 0])
  }, 180_000)
})
