import { expect, test } from 'vitest'
import { Governor } from './governor.ts'

const hit = (governor: Governor, ...addresses: readonly string[]) =>
  addresses.forEach((address) => governor.harmed(address, `${address} is silent`))

test.each<[string, readonly string[], string, boolean]>([
  ['the device itself', ['192.0.2.1'], '192.0.2.1', true],
  ['no neighbour after one', ['192.0.2.1'], '192.0.2.2', false],
  ['no neighbour after two', ['192.0.2.1', '192.0.2.9'], '192.0.2.2', false],
  ['no neighbour when one is told twice', ['192.0.2.1', '192.0.2.1', '192.0.2.9'], '192.0.2.2', false],
  ['the network after three', ['192.0.2.1', '192.0.2.9', '192.0.2.200'], '192.0.2.2', true],
  ['not the network beside it', ['192.0.2.1', '192.0.2.9', '192.0.2.200'], '192.0.3.2', false],
  ['no network of three that have one each', ['192.0.2.1', '192.0.3.1', '192.0.4.1'], '192.0.2.2', false],
  ['a network of IPv6', ['2001:db8::1', '2001:db8::2', '2001:db8::3'], '2001:db8::ff', true],
  ['not the IPv6 network beside it', ['2001:db8::1', '2001:db8::2', '2001:db8::3'], '2001:db8::100', false],
  ['nothing after 19 networks of one', networks(19), '192.0.2.2', false],
  ['everything after 20', networks(20), '192.0.2.2', true],
])('stops %s', (_, harmed, address, isStopped) => {
  const governor = new Governor()
  hit(governor, ...harmed)
  expect(governor.stopFor(address) !== undefined).toBe(isStopped)
})

function networks(count: number): string[] {
  return Array.from({ length: count }, (__, at) => `10.0.${at}.1`)
}

test('says why, of a network with its name', () => {
  const governor = new Governor()
  hit(governor, '192.0.2.1', '192.0.2.2', '192.0.2.3')
  expect(governor.stopFor('192.0.2.1')).toBe('192.0.2.1 is silent')
  expect(governor.stopFor('192.0.2.4')).toBe(
    '192.0.2.0/24: 3 devices stopped answering while they were asked',
  )
})

test('a device that merely left is not asked, and is no harm', () => {
  const governor = new Governor()
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) governor.left(address, 'gone')
  expect(governor.stopFor('192.0.2.1')).toBe('gone')
  expect(governor.stopFor('192.0.2.5')).toBeUndefined()
  governor.harmed('192.0.2.6', 'silent')
  expect(governor.harm).toEqual([{ at: '192.0.2.6', reason: 'silent', isHarm: true }])
})

test.each([
  ['10.4.0.0/16', '10.4.255.255', '10.5.0.0'],
  ['10.4.0.128/25', '10.4.0.128', '10.4.0.127'],
  ['10.4.0.7/32', '10.4.0.7', '10.4.0.8'],
  ['0.0.0.0/4', '10.4.0.7', '192.0.2.1'],
  ['::/112', '::7', '0.0.0.7'],
  ['2001:db8::/64', '2001:db8::ffff:0:0:1', '2001:db8:0:1::'],
])('a stop at the network %s holds at %s, not at %s, for another attempt too', (cidr, inside, outside) => {
  const first = new Governor()
  first.stopNetwork(cidr, 'answers are slow')
  for (const governor of [first, new Governor(first.stops)]) {
    expect(governor.stopFor(inside)).toBe(`${cidr}: answers are slow`)
    expect(governor.stopFor(outside)).toBeUndefined()
  }
})

test('another attempt goes on counting where the first ended', () => {
  const first = new Governor()
  hit(first, '192.0.2.1', '192.0.2.2')
  first.left('192.0.2.9', 'gone')
  const second = new Governor(first.stops)
  expect(second.stops).toEqual(first.stops)
  expect(second.stopFor('192.0.2.5')).toBeUndefined()
  hit(second, '192.0.2.3')
  expect(second.stopFor('192.0.2.5')).toContain('3 devices')
})
