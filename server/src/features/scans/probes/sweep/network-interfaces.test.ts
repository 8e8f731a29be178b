import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { readInterfaces } from './network-interfaces.ts'

const info = (cidr: string, internal = false): NetworkInterfaceInfo =>
  ({
    address: cidr.split('/')[0],
    cidr,
    family: cidr.includes(':') ? 'IPv6' : 'IPv4',
    mac: '00:1b:21:00:00:01',
    internal,
  }) as NetworkInterfaceInfo

const interfaces = readInterfaces({
  lo: [info('127.0.0.1/8', true)],
  eth0: [info('192.0.2.10/24'), info('2001:db8::10/64')],
})

test('knows its own addresses', () => {
  expect(interfaces.own('192.0.2.10')).toEqual({ mac: '00:1b:21:00:00:01' })
  expect(interfaces.own('127.0.0.1')).toEqual({})
  expect(interfaces.own('192.0.2.11')).toBeUndefined()
})

test('knows what is on its links; the loopback is none', () => {
  expect(
    ['192.0.2.77', '2001:db8::77', '192.0.3.1', '127.0.0.5', '2001:db9::1'].map(interfaces.isOnLink),
  ).toEqual([true, true, false, false, false])
  expect(interfaces.linksOf('192.0.2.128/25')).toEqual(['192.0.2.10'])
  expect(interfaces.linksOf('192.0.0.0/16')).toEqual(['192.0.2.10'])
  expect(interfaces.linksOf('198.51.100.0/24')).toEqual([])
})
