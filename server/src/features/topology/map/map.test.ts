import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { setAttribute } from '#features/assets/editing/attribute-edits.ts'
import { seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { deriveLinks } from '../topology.ts'
import { topologyMap } from './map.ts'

const shared = sharedTestApp()
const mac = (n: number) => `3c:2a:f4:00:00:0${n}`

test('a map of both layers is made of what a switch and a router reported', async () => {
  const ctx = await shared().newTenant()
  await submit(ctx, { kind: 'snmp', name: 'poll' }, [
    seen('core', { serial: 'FOC0001', chassis_id: mac(1) }, {
      name: 'core',
      facts: {
        neighbours: [{ by: 'lldp', localInterface: 'Te1/1', remoteChassis: mac(2), remoteName: 'edge-1' }],
        interfaces: [{ name: 'Vlan20', addresses: ['10.2.0.1/24'] }],
        nearby: [{ mac: mac(3), address: '10.2.0.7', localInterface: 'Vlan20' }],
      },
    } as never),
    seen('edge', { serial: 'FOC0002', chassis_id: mac(2) }, {
      name: 'edge',
      facts: {
        stations: [
          { mac: mac(3), vlan: 20, localInterface: 'Gi0/3' },
          { mac: mac(4), vlan: 20, localInterface: 'Gi0/4' },
        ],
      },
    } as never),
    seen('pc', { serial: 'PC1', mac: mac(3), ip: '10.2.0.7' }, {
      name: 'pc',
      attributes: { ip_address: '10.2.0.7' },
    } as never),
    seen('printer', { serial: 'PR1', mac: mac(4) }, { name: 'printer' }),
  ])
  for (const { id: assetId, name } of (await listAssets(ctx, { limit: 9, offset: 0 })).items)
    if (name === 'core' || name === 'edge')
      await setAttribute(ctx, {
        assetId,
        attribute: 'deviceType',
        value: name === 'core' ? 'router' : 'switch',
        reason: '',
      })
  await deriveLinks(ctx)
  const links = await topologyMap(ctx, 'links')
  expect(links.nodes.map(({ name, leaves }) => [name, leaves])).toEqual([
    ['core', 0],
    ['edge', 2],
  ])
  expect(links.links).toEqual([{ a: 0, b: 1, kinds: ['lldp'] }])
  const routing = await topologyMap(ctx, 'routing')
  expect(routing.nodes.map(({ name, type }) => [name, type])).toEqual([
    ['10.2.0.0/24', 'subnet'],
    ['core', 'router'],
  ])
  expect(routing.links).toEqual([{ a: 0, b: 1, kinds: ['address', 'arp'] }])
})
