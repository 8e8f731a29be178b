import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { inMemoryAccess } from '#test/support/app/in-memory-credentials.ts'
import { libvirtd, LIBVIRT_NEEDS, type Libvirtd } from '#test/support/scanned-hosts/libvirtd.ts'
import { needs } from '#test/support/needs.ts'
import type { Credential, SshKey, TlsClient } from './credential-access.ts'
import { hypervisorWithin } from './hypervisor.ts'
import type { HypervisorLimits } from './hypervisor/access-method.ts'
import type { RawAnswer } from './probe.ts'

const NODE = `<node>
  <cpu><mhz>2400</mhz><model>x86_64</model><active>8</active><nodes>1</nodes><sockets>1</sockets><cores>4</cores><threads>2</threads></cpu>
  <memory>33554432</memory>
  <domain type='test'><name>web</name><uuid>01234567-89ab-cdef-0123-456789abcdef</uuid><title>Web</title><description>of the &lt;web&gt; team</description>
    <memory unit='MiB'>1536</memory><vcpu>2</vcpu><os><type arch='x86_64'>hvm</type></os>
    <devices><disk type='file' device='disk'><source file='/images/web.qcow2'/><target dev='vda' bus='virtio'/></disk>
    <interface type='network'><mac address='52:54:00:11:22:33'/><source network='default'/></interface></devices></domain>
  <domain type='test'><name>db</name><uuid>11234567-89ab-cdef-0123-456789abcdef</uuid>
    <memory>1048576</memory><vcpu>4</vcpu><os><type arch='x86_64'>hvm</type></os>
    <devices><interface type='bridge'><mac address='52:54:00:11:22:34'/><source bridge='br0'/></interface>
    <interface type='bridge'><mac address='52:54:00:11:22:35'/><source bridge='br1'/></interface></devices></domain>
  <network><name>default</name><bridge name='virbr0'/><ip address='192.168.122.1' netmask='255.255.255.0'><dhcp><range start='192.168.122.128' end='192.168.122.253'/></dhcp></ip></network>
</node>`

let there: Libvirtd

async function scan(
  credentials: readonly Credential[],
  more: Partial<HypervisorLimits> = {},
  access = inMemoryAccess(...credentials),
) {
  const limits = {
    connectMs: 20_000,
    answerMs: 20_000,
    bodyBytesMax: 1e6,
    totalMs: 50_000,
    uris: [there.uri],
  }
  const raw: RawAnswer[] = []
  const onRaw = (answer: RawAnswer): void => void raw.push(answer)
  const options = { signal: new AbortController().signal, now: () => new Date(0), access, onRaw }
  const seen: Observation[] = []
  let failure = ''
  try {
    const probe = hypervisorWithin({ ...limits, ...more })
    for await (const each of probe.run({ kind: 'host', host: '127.0.0.1' }, options)) seen.push(each)
  } catch (error) {
    failure = String(error)
  }
  return { seen, raw, failure, outcomes: access.uses.map(({ outcome }) => outcome) }
}

needs(...LIBVIRT_NEEDS)('a host with libvirt', () => {
  beforeAll(async () => void (there = await libvirtd(NODE)))
  afterAll(() => there?.close())

  const tls = (more: Partial<TlsClient> = {}): TlsClient => ({
    kind: 'tls_client',
    id: '1',
    name: 'certificate',
    port: there.tlsPort,
    ...there.client,
    ...more,
  })
  const overSsh = (more: Partial<SshKey> = {}): SshKey => ({
    kind: 'ssh_key',
    id: '2',
    name: 'key',
    username: 'root',
    port: there.sshPort,
    privateKey: there.sshKey,
    ...more,
  })

  test.each(['tls', 'ssh'])('reports over %s what virsh prints', async (way) => {
    const { seen, raw, failure, outcomes } = await scan([way === 'tls' ? tls() : overSsh()])
    expect({ failure, outcomes }).toEqual({ failure: '', outcomes: ['accepted'] })
    const [host, ...guests] = seen
    const node = await table(there.virsh('nodeinfo'))
    expect(host).toMatchObject({
      assetType: 'hypervisor',
      name: (await there.virsh('hostname')).trim(),
      facts: {
        cpuCount: Number(node.get('CPU(s)')),
        cpuSockets: Number(node.get('CPU socket(s)')),
        cpuCores: Number(node.get('Core(s) per socket')),
        memoryMb: Number.parseInt(node.get('Memory size') ?? '', 10) / 1024,
        platform: 'libvirt TEST 0.0.2',
      },
    })
    const names = (await there.virsh('list', '--all', '--name')).split('\n').filter(Boolean)
    expect(new Set(guests.map(({ name }) => name))).toEqual(new Set(names))
    expect(new Set(raw.map(({ part }) => part))).toEqual(new Set(names.map((name) => `domain ${name}`)))
    for (const guest of guests) {
      const name = guest.name ?? ''
      const info = await table(there.virsh('dominfo', name))
      const cards = rows(await there.virsh('domiflist', name))
      const disks = rows(await there.virsh('domblklist', name))
      expect(valuesOf(guest, 'smbios_uuid')).toEqual([info.get('UUID')])
      expect(valuesOf(guest, 'mac')).toEqual(cards.map((row) => row.at(-1)))
      expect(valuesOf(guest, 'ip')).toEqual(addressesIn(await there.virsh('domifaddr', name)))
      expect(guest).toMatchObject({
        assetType: 'virtual_machine',
        facts: {
          powerState: info.get('State') === 'running' ? 'on' : 'off',
          cpuCount: Number(info.get('CPU(s)')),
          memoryMb: Number.parseInt(info.get('Max memory') ?? '', 10) / 1024,
          interfaces: cards.map((row) => ({ mac: row.at(-1), network: row[2] })),
          ...(disks.length > 0 && { disks: disks.map(([disk, file]) => ({ name: disk, file })) }),
        },
      })
    }
    expect(guests.find(({ name }) => name === 'web')?.facts).toMatchObject({
      title: 'Web',
      annotation: 'of the <web> team',
    })
  })

  test('is believed by the authority that the credential names', async () => {
    expect((await scan([tls({ authority: there.authority })])).failure).toBe('')
    const { failure, outcomes } = await scan([tls({ authority: there.stranger.certificate })])
    expect(failure).toMatch(/is not one that the credential's authority vouches for .* nothing was sent/)
    expect(outcomes).toEqual(['unanswered'])
  })

  test('refuses the certificate of another authority', async () => {
    const { failure, outcomes } = await scan([tls(there.stranger)])
    expect(failure).toMatch('does not accept the client certificate')
    expect(outcomes).toEqual(['refused'])
  })

  test('refuses another key, and is read by the next access method', async () => {
    const { failure, outcomes } = await scan([overSsh({ privateKey: there.strangersKey })])
    expect(failure).toMatch(/did not let root in/)
    expect(outcomes).toEqual(['refused'])
    const both = await scan([tls(there.stranger), overSsh()])
    expect(both).toMatchObject({ failure: '', outcomes: ['refused', 'accepted'] })
  })

  test('lets in an account without a shell, and passes on what that says', async () => {
    const { failure, outcomes } = await scan([overSsh({ username: 'nobody' })])
    expect(failure).toMatch('it begins with "This account is currently not available')
    expect(outcomes).toEqual(['accepted'])
  })

  test('has another certificate than before is shown nothing', async () => {
    const access = inMemoryAccess(tls(), overSsh())
    access.keys.set(`127.0.0.1 ${there.tlsPort} tls`, 'SHA256:another')
    expect((await scan([], {}, access)).failure).toMatch('TLS certificate of 127.0.0.1')
  })

  test('has no driver that may be read says which were tried', async () => {
    const { failure } = await scan([tls()], { uris: ['qemu:///system', 'test:///nowhere.xml'] })
    expect(failure).toMatch(
      /no hypervisor that may be read \(qemu:\/\/\/system: .*; test:\/\/\/nowhere.xml: /,
    )
  })

  test('a credential that cannot be read says so and not what it is', async () => {
    const { failure } = await scan([tls({ privateKey: 'SECRET-1' })])
    expect(failure).toMatch('private key cannot be read')
    expect(failure).not.toMatch('SECRET-1')
  })

  test('nothing may be shown to: says what would be', async () => {
    expect((await scan([])).failure).toMatch(
      /no credential may be shown to 127.0.0.1 .* libvirt over TLS on 16514/,
    )
  })
})

const valuesOf = (seen: Observation, type: string): string[] =>
  seen.identifiers.filter((it) => it.type === type).map(({ value }) => value)

/** `Name:   value` in lines. */
async function table(text: Promise<string>): Promise<ReadonlyMap<string, string>> {
  const lines = (await text).split('\n').flatMap((line): [string, string][] => {
    const [, name, value] = /^([^:]+):\s+(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
  return new Map(lines)
}

/** What stands below the rule. */
const rows = (text: string): string[][] =>
  text
    .split('\n')
    .slice(2)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/))

const addressesIn = (text: string): string[] =>
  rows(text).map((row) => (row.at(-1) ?? '').replace(/\/.*$/, ''))
