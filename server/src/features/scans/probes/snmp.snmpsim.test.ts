import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { vendorKey } from '#features/assets/identity/identifiers.ts'
import type { Observation } from '#features/assets/observation.ts'
import { recognize, signalsOf } from '#features/recognition/recognition.ts'
import { needs } from '#test/support/needs.ts'
import { sharedData } from '#test/support/shared-data.ts'
import { answers, freePort } from '#test/support/scanned-hosts/snmpd.ts'
import type { SnmpUser } from './credential-access.ts'
import { community, look } from './snmp/agent.fixture.ts'

const run = promisify(execFile)
const LONG = 300_000
/** Debian's package brings recordings of real devices. */
const EXAMPLES = '/usr/share/doc/snmpsim/examples/data'

/** Devices of which the recordings lie in a folder, each under its name as community. */
interface Recorded {
  readonly port: number
  readonly ask: (community: string, ...args: string[]) => Promise<string>
  readonly close: () => Promise<void>
}

async function recorded(prepare: (folder: string) => Promise<void>, known: string): Promise<Recorded> {
  const folder = await mkdtemp(join(tmpdir(), 'snmpsim-'))
  const [data, cache] = [join(folder, 'data'), join(folder, 'cache')]
  await mkdir(data)
  await mkdir(cache)
  await prepare(data)
  for (const each of [folder, data, cache]) await chmod(each, 0o777)
  const port = await freePort()
  const who = process.getuid?.() === 0 ? ['--process-user=nobody', '--process-group=nogroup'] : []
  const v3 = [
    'user=simulator',
    'auth-key=auctoritas',
    'auth-proto=SHA',
    'priv-key=privatus',
    'priv-proto=AES256',
  ]
  const child = spawn(
    'snmpsimd',
    [
      `--data-dir=${data}`,
      `--cache-dir=${cache}`,
      `--agent-udpv4-endpoint=127.0.0.1:${port}`,
      ...who,
      ...v3.map((it) => `--v3-${it}`),
    ],
    { stdio: 'ignore' },
  )
  const exit = once(child, 'exit')
  const ask: Recorded['ask'] = async (name, ...args) =>
    (await run('snmpget', ['-v2c', '-c', name, '-t', '5', '-Oqv', '-m', '', `127.0.0.1:${port}`, ...args]))
      .stdout
  await answers(() => ask(known, '1.3.6.1.2.1.1.1.0'))
  return {
    port,
    ask,
    async close() {
      child.kill('SIGKILL')
      await exit
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

const values = (seen: Observation, type: string): string[] =>
  seen.identifiers.filter((it) => it.type === type).map((it) => it.value)

needs('snmpsimd', 'snmpget')('recorded devices of the simulator', () => {
  let devices: Recorded
  beforeAll(async () => {
    devices = await recorded(async (folder) => {
      const packed = [
        'cisco_16_switch.snmprec',
        'foreignformats/winxp1.snmpwalk',
        'foreignformats/linux.snmpwalk',
      ]
      for (const file of packed)
        await writeFile(join(folder, basename(file)), gunzipSync(await readFile(`${EXAMPLES}/${file}.gz`)))
    }, 'linux')
  }, LONG)
  afterAll(() => devices?.close())

  test('a switch of Cisco', { timeout: LONG }, async () => {
    const { seen } = await look([community(devices.port, '2c', 'cisco_16_switch')])
    expect(seen).toMatchObject({ os: 'Cisco IOS 12.2(55)SE10', vendor: 'Cisco', model: 'WS-C3750-48PS-S' })
    const serial = await devices.ask('cisco_16_switch', '1.3.6.1.2.1.47.1.1.1.1.11.3001')
    expect(values(seen, 'serial')).toEqual([serial.trim().replaceAll('"', '')])
    expect(values(seen, 'mac')).toHaveLength(55)
    expect(values(seen, 'ip')).toEqual(['127.0.0.1', '10.204.88.16'])
    // those of the stations and neighbours are facts, not its own
    expect(values(seen, 'mac')).not.toContain('68:99:cd:a5:9f:c1')
    expect(seen.facts).toMatchObject({
      neighbours: [
        {
          by: 'cdp',
          localInterface: 'Fa3/0/48',
          remoteName: 'C2960X.uac.local',
          remoteInterface: 'GigabitEthernet1/0/8',
          remotePlatform: 'cisco WS-C2960X-24PD-L',
          remoteAddresses: ['10.204.88.10'],
        },
      ],
      stations: [{ mac: '68:99:cd:a5:9f:88', localInterface: 'Fa3/0/48' }],
    })
    expect(seen.facts?.['vlans']).toContainEqual({ id: 60, name: 'vlan60' })
    expect(JSON.stringify(seen.facts).length).toBeLessThan(65_536)
    expect(recognize(signalsOf(seen))).toMatchObject({ deviceType: 'switch', vendor: 'Cisco' })
  })

  test('the same over SNMPv1, without what it cannot say', { timeout: LONG }, async () => {
    const second = await look([community(devices.port, '2c', 'winxp1')])
    const first = await look([community(devices.port, '1', 'winxp1')])
    const { askedBy: _, ...facts } = second.seen.facts ?? {}
    expect(first.seen.facts).toMatchObject(facts)
    expect(first.seen.software).toEqual(second.seen.software)
  })

  test('Windows, with its programs; its printers do not make it one', { timeout: LONG }, async () => {
    const { seen } = await look([community(devices.port, '2c', 'winxp1')])
    expect(seen).toMatchObject({ name: 'CRAY', os: 'Windows 5.1 build 2600' })
    expect(seen.software?.items).toHaveLength(156)
    expect(seen.software?.items).toContainEqual(expect.objectContaining({ name: '7-Zip', version: '9.20' }))
    expect(recognize(signalsOf(seen)).deviceType).not.toBe('printer')
  })

  test('a key of 256 bits, made longer the way of Reeder', { timeout: LONG }, async () => {
    const user: SnmpUser = {
      id: '3',
      name: 'reeder',
      kind: 'snmp_user',
      username: 'simulator',
      port: devices.port,
      auth: { protocol: 'sha', password: 'auctoritas' },
      privacy: { protocol: 'aes256r', password: 'privatus' },
      context: 'linux',
    }
    const { seen } = await look([user])
    expect(seen).toMatchObject({ os: 'Linux 2.6.37.6-smp', facts: { askedBy: 'SNMPv3' } })
    const other = { ...user, privacy: { protocol: 'aes256b', password: 'privatus' } } as const
    await expect(look([other])).rejects.toThrow('SNMP on 127.0.0.1 lets nobody in')
  })
})

/** What another tool reads from each recording. */
interface Expected {
  readonly expectations: {
    readonly identify: {
      readonly properties: {
        readonly vendor: string
        readonly model: string | null
        readonly serial_number: string | null
        readonly os_version: string
      }
    }
    readonly readCountInterfaces: { readonly count: number }
  }
}

sharedData('recognition/snmp-walks', 'recorded devices with answers', (path) => {
  needs('snmpsimd', 'snmpget')('of five makers', () => {
    let devices: Recorded
    beforeAll(async () => {
      devices = await recorded(async (folder) => {
        for (const file of await readdir(path))
          if (file.endsWith('.snmprec')) await copyFile(join(path, file), join(folder, file))
      }, 'routeros_CHR_2')
    }, LONG)
    afterAll(() => devices?.close())

    test.each(['arista_eos_device_1', 'comware_VSR1000', 'ios_7206VXR', 'routeros_CHR_1', 'routeros_CHR_2'])(
      '%s',
      { timeout: LONG },
      async (name) => {
        const answer = JSON.parse(await readFile(join(path, `${name}.testdata`), 'utf8')) as Expected
        const {
          vendor,
          model,
          serial_number: serial,
          os_version: version,
        } = answer.expectations.identify.properties
        const { seen } = await look([community(devices.port, '2c', name)])
        const read = recognize(signalsOf(seen))
        expect(vendorKey(seen.vendor ?? read.vendor)).toBe(vendorKey(vendor))
        expect(`${seen.model} ${read.model} ${JSON.stringify(seen.facts?.['snmpDescriptions'])}`).toContain(
          model ?? '',
        )
        expect(values(seen, 'serial')).toEqual(serial === null ? [] : [serial])
        expect(seen.os).toContain(version)
        expect(seen.facts?.['cuts']).toBeUndefined()
        expect(seen.facts?.['interfaces']).toHaveLength(answer.expectations.readCountInterfaces.count)
      },
    )
  })
})
