import { describe, expect, test } from 'vitest'
import { connectedMap, networksOf, routedMap, type Connection } from './topology-map.ts'

const types: Readonly<Record<string, string>> = {
  core: 'switch',
  edge: 'switch',
  far: 'switch',
  fw: 'firewall',
}
const connection = (a: string, b: string | null, more: Partial<Connection> = {}): Connection => ({
  aId: a,
  aName: a,
  aType: types[a] ?? 'server',
  aSite: 'Oslo',
  bId: b,
  bName: b ?? 'aa:bb',
  bType: b === null ? null : (types[b] ?? 'server'),
  bSite: b === null ? null : 'Oslo',
  kinds: ['lldp'],
  ...more,
})
const drawn = (map: ReturnType<typeof connectedMap>) => ({
  nodes: map.nodes.map(({ name, leaves }) => `${name} ${leaves}`),
  links: map.links.map(({ a, b, kinds }) => `${map.nodes[a]?.name} ${map.nodes[b]?.name} ${kinds.join()}`),
  devices: map.devices,
})

describe('what is connected', () => {
  test('what has one neighbour and passes nothing on is counted there', () => {
    const map = connectedMap([
      connection('core', 'edge'),
      connection('edge', 'core', { kinds: ['cdp'] }),
      connection('edge', 'pc-1', { kinds: ['fdb'] }),
      connection('edge', 'pc-2', { kinds: ['fdb'] }),
      connection('core', 'far'),
      connection('core', null),
      connection('core', 'host', { kinds: ['fdb'] }),
      connection('vm', 'host', { kinds: ['vm_on_host'] }),
    ])
    expect(drawn(map)).toEqual({
      nodes: ['core 1', 'edge 2', 'far 0', 'host 1'],
      links: ['core edge cdp,lldp', 'core far lldp', 'core host fdb'],
      devices: 8,
    })
  })

  test('two things that hang on nothing else are both drawn, and none is connected with itself', () => {
    const map = connectedMap([connection('a', 'b'), connection('a', 'a')])
    expect(drawn(map)).toMatchObject({ nodes: ['a 0', 'b 0'], links: ['a b lldp'] })
  })

  test('the order of links does not matter', () => {
    const links = [connection('core', 'edge'), connection('edge', 'pc'), connection('fw', 'core')]
    expect(connectedMap(links.toReversed())).toEqual(connectedMap(links))
  })
})

describe('what routes', () => {
  const fw = { assetId: 'fw', name: 'fw', type: 'firewall', site: null }

  test('networks by addresses, and by whom a port has seen', () => {
    const map = routedMap(
      [
        { ...fw, port: 'Vlan20', addresses: ['10.2.0.1/16', '127.0.0.1/8', 'x/99'] },
        { ...fw, port: 'wan', addresses: [{ ip: '2001:db8::1', prefix: 64 }] },
      ],
      [
        { ...fw, port: 'Vlan20', devices: 4 },
        { ...fw, port: 'Vlan30', devices: 7 },
      ],
      new Map([['10.2.0.0/16', 9]]),
    )
    expect(drawn(map)).toEqual({
      nodes: ['10.2.0.0/16 9', '2001:db8::/64 0', 'Vlan30 of fw 7', 'fw 0'],
      links: ['10.2.0.0/16 fw address,arp', '2001:db8::/64 fw address', 'Vlan30 of fw fw arp'],
      devices: 16,
    })
  })

  test.each([
    [['10.1.2.3/24'], ['10.1.2.0/24']],
    [['10.1.2.3/32', '10.1.2.3/0', 'fe80::1/64', '169.254.3.4/16', '10.1.2/24', 7, null], []],
    [[{ ip: '10.1.2.3', prefix: 8 }, { ip: 'x', prefix: 8 }, { ip: '10.1.2.3' }], ['10.0.0.0/8']],
    ['10.1.2.3/24', []],
  ])('%j is in %j', (told, networks) => {
    expect(networksOf(told)).toEqual(networks)
  })
})
