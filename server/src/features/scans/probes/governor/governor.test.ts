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
