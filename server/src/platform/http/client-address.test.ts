import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientAddress, countedAddress, isLoopback, trustedProxies } from './client-address.ts'

test.each([
  ['nobody is trusted', [], ['203.0.113.9', '198.51.100.1'], '203.0.113.9'],
  ['one proxy', ['10.0.0.0/8'], ['10.0.0.1', '198.51.100.1'], '198.51.100.1'],
  ['a forged entry before it', ['10.0.0.0/8'], ['10.0.0.1', '1.1.1.1, 198.51.100.1'], '198.51.100.1'],
  ['two proxies', ['10.0.0.0/8'], ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2'], '198.51.100.1'],
  ['all are proxies', ['10.0.0.0/8'], ['10.0.0.1', '10.0.0.3, 10.0.0.2'], '10.0.0.3'],
  ['no header', ['10.0.0.0/8'], ['10.0.0.1', undefined], '10.0.0.1'],
  ['an empty header', ['10.0.0.0/8'], ['10.0.0.1', ''], '10.0.0.1'],
  ['words', ['10.0.0.0/8'], ['10.0.0.1', '198.51.100.1, unknown'], '10.0.0.1'],
  ['a short form', ['10.0.0.0/8'], ['10.0.0.1', '0x7f.1'], '10.0.0.1'],
  ['a port', ['10.0.0.1'], ['10.0.0.1', '198.51.100.1:4711'], '198.51.100.1'],
  ['IPv6 with a port', ['2001:db8::/32'], ['2001:db8::1', '[2001:470::1]:4711'], '2001:470::1'],
  ['a mapped proxy', ['10.0.0.0/8'], ['::ffff:10.0.0.1', '198.51.100.1'], '198.51.100.1'],
  ['a mapped client', ['10.0.0.0/8'], ['10.0.0.1', '::ffff:198.51.100.1'], '198.51.100.1'],
] as const)('%s', (_, cidrs, [remote, forwardedFor], expected) => {
  expect(clientAddress(remote, forwardedFor, trustedProxies(cidrs))).toBe(expected)
})

test('nothing that a client writes before the last hop changes who it is', () => {
  const isTrusted = trustedProxies(['10.0.0.0/8'])
  fc.assert(
    fc.property(fc.string(), (forged) => {
      expect(clientAddress('10.0.0.1', `${forged}, 198.51.100.1`, isTrusted)).toBe('198.51.100.1')
    }),
  )
})

test.each(['', 'proxy', '10.0.0.0/33', '10.0.0.0/8/8', '::/129'])('%j is no range', (text) => {
  expect(() => trustedProxies([text])).toThrow('not an address or CIDR')
})

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['nonsense', 'unknown'],
])('%s is counted as %s', (text, counted) => {
  expect(countedAddress(text)).toBe(counted)
})

test('loopback is known in both families', () => {
  expect(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'].every(isLoopback)).toBe(true)
  expect(['10.0.0.1', '::', ''].some(isLoopback)).toBe(false)
})
