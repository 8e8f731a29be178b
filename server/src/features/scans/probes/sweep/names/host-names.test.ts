import { expect, test } from 'vitest'
import { bestName, isHostName, reverseName } from './host-names.ts'

test('reverse names', () => {
  expect(reverseName('192.0.2.7')).toBe('7.2.0.192.in-addr.arpa')
  expect(reverseName('2001:db8::567:89ab')).toBe(
    'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  )
})

test.each(['a', 'web-1.example.test', 'FILE_SRV', '_srv.example', '3com', 'x'.repeat(63)])(
  '%s is a host name',
  (text) => {
    expect(isHostName(text)).toBe(true)
  },
)

test.each([
  '',
  '.',
  'a..b',
  '-a',
  'a-',
  'a b',
  '192.0.2.1',
  '1.2.3',
  'x'.repeat(64),
  'ä',
  'a\n',
  `${'abcd.'.repeat(51)}e`,
])('%j is none', (text) => {
  expect(isHostName(text)).toBe(false)
})

const address = '10.0.77.20'
test.each([
  [{ dns: 'web-1.example.test', mdns: 'web', netbios: 'WEB' }, 'web-1.example.test'],
  [{ dns: 'dhcp-77-20.example.test', mdns: 'anna-laptop', netbios: 'ANNA' }, 'anna-laptop'],
  [{ dns: 'ip-10-0-77-20.example.test', netbios: 'ANNA' }, 'ANNA'],
  [{ dns: 'host.077.020.example.test' }, 'host.077.020.example.test'],
  [{ dns: 'rack77-unit20.example.test', mdns: 'x' }, 'rack77-unit20.example.test'],
  [{ mdns: 'anna-laptop', netbios: 'ANNA' }, 'anna-laptop'],
  [{}, undefined],
])('the best of %j is %s', (names, best) => {
  expect(bestName(names, address)).toBe(best)
})
