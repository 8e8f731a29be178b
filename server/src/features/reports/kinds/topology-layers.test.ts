import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { deriveLinks } from '#features/topology/topology.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { generated } from '../reports.fixture.ts'
import { speedText } from './topology.ts'

const app = sharedTestApp()
const mac = (n: number) => `3c:2a:f4:00:00:0${n}`

test.each([
  [null, null],
  [10_000_000_000, '10 Gbit/s'],
  [2_500_000_000, '2.5 Gbit/s'],
  [100_000_000, '100 Mbit/s'],
  [56_000, '56 kbit/s'],
  [300, '300 bit/s'],
])('a speed of %s is %s', (bits, text) => {
  expect(speedText(bits)).toBe(text)
})

test('issue 13: links have the speed of their port; VLANs and subnets are those that switches and routers tell', async () => {
  const ctx = await app().newTenant()
  const host = (n: number, name: string, facts: object) => ({
    sourceKey: name,
    seenAt: ctx.now(),
    assetType: 'device' as const,
    name,
    deviceType: 'switch',
    identifiers: [
      { type: 'serial' as const, value: `FOC000${n}` },
      { type: 'chassis_id' as const, value: mac(n) },
      { type: 'ip' as const, value: `10.0.20.${n}` },
    ],
    facts: facts as never,
  })
  await submit(ctx, { kind: 'snmp', name: 'poll' }, [
    host(1, 'core', {
      neighbours: [
        {
          by: 'lldp',
          localInterface: 'Te1/1',
          remoteChassis: mac(2),
          remoteInterface: 'Gi0/1',
          remoteName: 'edge',
        },
      ],
      interfaces: [
        { name: 'Te1/1', bitsPerSecond: 10_000_000_000 },
        { name: 'Te1/2', bitsPerSecond: 'much' },
        { name: 'Vlan20', addresses: ['10.0.20.254/24', { ip: '10.0.21.254', prefix: 24 }, 7] },
      ],
      vlans: [{ id: 20, name: 'office' }, { id: 'x' }, 4],
    }),
    host(2, 'edge', {
      stations: [{ mac: mac(1), vlan: 20, localInterface: 'Gi0/3' }],
      interfaces: [{ name: 'Gi0/3', bitsPerSecond: 0 }],
      vlans: [{ id: 20, name: 'OFFICE' }],
    }),
  ])
  await deriveLinks(ctx)
  const xml = (await generated(ctx, { name: 't', type: 'topology', format: 'xml' })).file.toString()
  const rowsIn = (section: string): string[] => {
    const [, body = ''] = new RegExp(`<section name="${section}".*?>(.*?)</section>`, 's').exec(xml) ?? []
    return [...body.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<cell of="(\w+)">(.*?)<\/cell>/gs)]
        .map(([, name, text]) => `${name}=${text}`)
        .join(' '),
    )
  }
  expect(rowsIn('links').map((it) => it.replace(/ evidence.*/, ''))).toEqual([
    'a=core a_port=Te1/1 b=edge b_port=Gi0/1 kind=lldp speed=10 Gbit/s',
    'a=edge a_port=Gi0/3 b=core kind=fdb vlan=20',
  ])
  expect(rowsIn('vlans')).toEqual(['vlan=20 name=OFFICE, office switches=2 which=core, edge devices=1'])
  expect(rowsIn('subnets').map((it) => it.replace(/ routers=.*? (?=devices)/, ' '))).toEqual([
    'subnet=10.0.20.0/24 vlan=20 devices=2',
    'subnet=10.0.21.0/24 vlan=20 devices=0',
  ])
})
