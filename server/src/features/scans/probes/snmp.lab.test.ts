import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab } from '#test/support/network/network-lab.ts'

const SWITCH = '10.78.0.10'
const LONG = 180_000
/** Bridges keep LLDP to themselves unless they are told to pass it on (bit 14: the group address ending in 0e). */
const PASS_LLDP = String(1 << 14)

needs(
  'root',
  'ip',
  'snmpd',
  'lldpd',
  'lldpcli',
)('two machines that introduce themselves by LLDP', () => {
  let lab: NetworkLab

  beforeAll(async () => {
    lab = await networkLab({
      scanner: '10.78.0.1/24',
      machines: { switch: [SWITCH], peer: ['10.78.0.20'] },
    })
    await lab.run('scanner', 'ip', 'link', 'set', 'bridge', 'type', 'bridge', 'group_fwd_mask', PASS_LLDP)
    await chmod(lab.folder, 0o755) // lldpd gives up its rights before it comes here
    await startAgent(lab)
    await Promise.all([
      introduce(lab, 'peer'),
      introduce(lab, 'switch', '-x', '-X', join(lab.folder, 'agentx')),
    ])
    await until(async () => Object.keys((await neighbours(lab, 'switch')).lldp).length > 0)
  }, LONG)
  afterAll(() => lab?.close())

  test('are the two ends of an edge, as lldpcli tells it', { timeout: LONG }, async () => {
    let seen: Observation | undefined
    await until(async () => {
      seen = JSON.parse(await lab.run('scanner', process.execPath, script, SWITCH)) as Observation
      return seen.facts?.['neighbours'] !== undefined
    })
    const printed = await neighbours(lab, 'switch')
    const [name, chassis] = Object.entries(printed.lldp.interface.eth0.chassis)[0] ?? []
    expect(seen?.facts?.['neighbours']).toEqual([
      expect.objectContaining({
        by: 'lldp',
        localInterface: 'eth0',
        remoteName: name,
        remoteChassis: chassis?.id.value,
        remoteInterface: printed.lldp.interface.eth0.port.id.value,
        remoteAddresses: expect.arrayContaining(['10.78.0.20']),
      }),
    ])
    // the other one's address is no identifier of this one
    expect(seen?.identifiers.map((it) => it.value)).not.toContain('10.78.0.20')
  })
})

const script = join(import.meta.dirname, '../../../../test/support/network/snmp-in-namespace.ts')

interface Printed {
  readonly lldp: {
    readonly interface: {
      readonly eth0: {
        readonly chassis: Readonly<Record<string, { readonly id: { readonly value: string } }>>
        readonly port: { readonly id: { readonly value: string } }
      }
    }
  }
}

async function startAgent(lab: NetworkLab): Promise<void> {
  const file = join(lab.folder, 'snmpd.conf')
  await mkdir(join(lab.folder, 'snmp-state'))
  await writeFile(
    file,
    `rocommunity public\nmaster agentx\nagentXSocket ${lab.folder}/agentx\nagentXPerms 0777 0777\n`,
  )
  await lab.serve(
    'switch',
    ['udp 161'],
    [
      'env',
      `SNMP_PERSISTENT_DIR=${lab.folder}/snmp-state`,
      'MIBS=',
      'snmpd',
      '-f',
      '-Ln',
      '-C',
      '-c',
      file,
      '-I',
      '-smux',
    ],
  )
}

/** Its files with the process id and for its unprivileged half are at fixed places: the mount is private to it. */
async function introduce(lab: NetworkLab, machine: string, ...options: string[]): Promise<void> {
  const prepare = 'mount -t tmpfs none /run && mkdir -p /run/lldpd && exec lldpd "$@"'
  const args = ['-d', '-I', 'eth0', '-u', control(lab, machine), ...options]
  await lab.serve(machine, [], ['unshare', '-m', 'sh', '-c', prepare, 'sh', ...args])
  await until(() => neighbours(lab, machine).then(() => true))
  await lab.run(machine, 'lldpcli', '-u', control(lab, machine), 'configure', 'lldp', 'tx-interval', '1')
}

const control = (lab: NetworkLab, machine: string): string => join(lab.folder, `${machine}.socket`)

async function neighbours(lab: NetworkLab, machine: string): Promise<Printed> {
  const args = ['-u', control(lab, machine), '-f', 'json', 'show', 'neighbors']
  return JSON.parse(await lab.run(machine, 'lldpcli', ...args)) as Printed
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LONG / 2
  for (;;) {
    if (await isSo().catch(() => false)) return
    if (performance.now() > end) throw new Error('it did not come to that')
    await sleep(200)
  }
}
