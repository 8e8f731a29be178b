import { expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { listAssets } from '#features/assets/assets.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { ScanType } from '../scan-status.ts'

// What the probes tell of one machine, in the forms in which they tell it; tests of the probes show that they do.

const home = sharedTestApp()
const AT = new Date('2026-03-01T10:00:00Z')

type Seen = readonly [ScanType, Observation]

const seen = (type: ScanType, observation: Omit<Observation, 'seenAt'>, minute: number): Seen => [
  type,
  { ...observation, seenAt: new Date(AT.getTime() + minute * 60_000) },
]
const of = (pairs: Readonly<Record<string, string | readonly string[]>>): Observation['identifiers'] =>
  Object.entries(pairs).flatMap(([type, values]) =>
    [values].flat().map((value) => ({ type: type as Observation['identifiers'][number]['type'], value })),
  )

/** A guest of libvirt: its firmware tells the UUID in one byte order, its hypervisor in the other. */
const guest: readonly Seen[] = [
  seen(
    'sweep',
    {
      sourceKey: '10.0.0.21|52:54:00:ab:cd:01',
      identifiers: of({ ip: '10.0.0.21', mac: '52:54:00:ab:cd:01', hostname: 'db1' }),
    },
    0,
  ),
  seen(
    'ssh',
    {
      sourceKey: 'ssh|4c4c4544-0042-3510-8051-b4c04f564433',
      name: 'db1',
      identifiers: of({
        ip: ['10.0.0.21', 'fe80::5054:ff:feab:cd01'],
        mac: '52:54:00:ab:cd:01',
        hostname: 'db1',
        machine_id: '0123456789abcdef0123456789abcd21',
        smbios_uuid: '44454c4c-4200-1035-8051-b4c04f564433',
        serial: 'Default string',
        ssh_host_key: 'SHA256:0123456789012345678901234567890123456789012',
      }),
    },
    5,
  ),
  seen(
    'snmp',
    {
      sourceKey: '10.0.0.21|52:54:00:ab:cd:01',
      name: 'db1',
      identifiers: of({
        ip: ['10.0.0.21', '127.0.0.1'],
        mac: '52:54:00:ab:cd:01',
        hostname: 'db1',
        snmp_engine: '80001f8880e9630000d61ff449',
      }),
    },
    7,
  ),
  seen(
    'hypervisor',
    {
      sourceKey: 'libvirt|4c4c4544-0042-3510-8051-b4c04f564433',
      assetType: 'virtual_machine',
      name: 'database one',
      identifiers: of({
        mac: '52:54:00:AB:CD:01',
        smbios_uuid: '4c4c4544-0042-3510-8051-b4c04f564433',
        serial: 'Not Specified',
      }),
    },
    9,
  ),
]

/** A server of metal whose maker left the serials as they come, seen from another network: no MAC in the sweep. */
const metal: readonly Seen[] = [
  seen(
    'sweep',
    {
      sourceKey: '10.9.0.5|',
      identifiers: of({ ip: '10.9.0.5', ptr_name: 'backup7.corp.example' }),
    },
    0,
  ),
  seen(
    'ssh',
    {
      sourceKey: 'ssh|backup7',
      name: 'backup7',
      identifiers: of({
        ip: '10.9.0.5',
        mac: ['3c:ec:ef:00:00:71', '3c:ec:ef:00:00:72'],
        hostname: ['backup7', 'backup7.corp.example'],
        machine_id: 'fedcba9876543210fedcba9876543207',
        smbios_uuid: '03000200-0400-0500-0006-000700080009',
        serial: 'Default string',
      }),
    },
    3,
  ),
  seen(
    'snmp',
    {
      sourceKey: '10.9.0.5|3c:ec:ef:00:00:71',
      identifiers: of({
        ip: '10.9.0.5',
        mac: ['3c:ec:ef:00:00:71', '3c:ec:ef:00:00:72'],
        hostname: 'backup7',
        serial: 'To be filled by O.E.M.',
      }),
    },
    6,
  ),
  seen(
    'wmi',
    {
      sourceKey: 'wmi|backup7',
      identifiers: of({
        ip: '10.9.0.5',
        mac: '3C-EC-EF-00-00-71',
        hostname: 'BACKUP7.corp.example',
        smbios_uuid: '00020003-0004-0005-0006-000700080009',
        serial: 'System Serial Number',
      }),
    },
    9,
  ),
]

/** Another of the same make, which must stay another. */
const sibling: Seen = seen(
  'ssh',
  {
    sourceKey: 'ssh|backup8',
    name: 'backup8',
    identifiers: of({
      ip: '10.9.0.6',
      mac: '3c:ec:ef:00:00:81',
      hostname: 'backup8',
      machine_id: 'fedcba9876543210fedcba9876543208',
      smbios_uuid: '03000200-0400-0500-0006-000700080009',
      serial: 'Default string',
    }),
  },
  4,
)

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((it, at) => ordersOf(items.toSpliced(at, 1)).map((rest) => [it, ...rest]))
}

test.each([
  ['a guest, whose UUID is told in both byte orders', guest],
  ['a server whose serials say nothing, swept from afar', metal],
])('%s, is one asset after four scans, in whatever order they come', async (_, scans) => {
  const counts = new Map<string, number>()
  for (const order of ordersOf(scans)) {
    const ctx = await home().newTenant()
    for (const [type, observation] of order)
      await submit(ctx, { kind: type, name: `scan by ${type}` }, [observation])
    const { total } = await listAssets(ctx, { limit: 10, offset: 0 })
    counts.set(order.map(([type]) => type).join(' '), total)
  }
  expect(counts.size).toBe(24)
  expect([...counts].filter(([, total]) => total !== 1)).toEqual([])
})

test('two servers of one make, both with serials and UUIDs that say nothing, are two', async () => {
  const ctx = await home().newTenant()
  for (const [type, observation] of [...metal, sibling])
    await submit(ctx, { kind: type, name: `scan by ${type}` }, [observation])
  expect((await listAssets(ctx, { limit: 10, offset: 0 })).total).toBe(2)
})
