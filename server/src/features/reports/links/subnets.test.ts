import { expect, test } from 'vitest'
import { networkOf, Subnets, type InterfaceAddress } from './subnets.ts'

test.each([
  ['10.1.2.3', 24, '10.1.2.0/24'],
  ['10.1.2.3', 8, '10.0.0.0/8'],
  ['192.168.255.130', 25, '192.168.255.128/25'],
  ['2001:db8:0:1::5', 64, '2001:db8:0:1::/64'],
  ['2001:db8::1:0:0:5', 48, '2001:db8::/48'],
  // of one host, of its link or itself alone, without a prefix, or no address
  ['10.1.2.3', 32, null],
  ['10.1.2.3', 0, null],
  ['10.1.2.3', Number.NaN, null],
  ['169.254.3.4', 16, null],
  ['127.0.0.1', 8, null],
  ['fe80::1', 64, null],
  ['10.1.2', 24, null],
  ['', 24, null],
])('%s/%s is in %s', (address, prefix, network) => {
  expect(networkOf(address, prefix)).toBe(network)
})

const at = (asset: string, type: string, name: string, address: string): InterfaceAddress => ({
  assetId: asset,
  asset,
  type,
  site: 'Oslo',
  interface: name,
  address,
})

test('routers have addresses in several subnets; an address counts in the smallest that has it', () => {
  const subnets = new Subnets()
  for (const it of [
    at('fw-1', 'firewall', 'Vlan20', '10.2.0.1/16'),
    at('fw-1', 'firewall', 'Gi0/1.30', '10.2.30.1/24'),
    at('fw-1', 'firewall', 'wan', 'nonsense/99'),
    at('web-1', 'server', 'eth0', '10.2.30.7/24'),
    at('web-1', 'server', 'eth1', '10.2.0.7/16'),
    at('sw-1', 'switch', 'Vlan20', '10.2.0.2/16'),
  ])
    subnets.addInterface(it)
  for (const address of ['10.2.30.7', '10.2.30.8', '10.2.4.4', '10.9.9.9', '2001:db8::1', 'x'])
    subnets.addAddress(address)
  expect(subnets.rows()).toEqual([
    { subnet: '10.2.0.0/16', vlan: '20', site: 'Oslo', routers: 'fw-1 (10.2.0.1)', devices: 1 },
    { subnet: '10.2.30.0/24', vlan: '30', site: 'Oslo', routers: 'fw-1 (10.2.30.1)', devices: 2 },
  ])
  expect(subnets.network().links).toHaveLength(2)
})

test('subnets stand in the order of their numbers', () => {
  const subnets = new Subnets()
  for (const it of ['10.10.0.1/24', '10.9.0.1/24', '2001:db8::1/64', '9.0.0.1/8'])
    subnets.addInterface(at('r', 'router', 'x', it))
  expect(subnets.rows().map(({ subnet }) => subnet)).toEqual([
    '9.0.0.0/8',
    '10.9.0.0/24',
    '10.10.0.0/24',
    '2001:db8::/64',
  ])
})
