import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAddress, parseNetwork, single, type Network } from './ip-network.ts'

const network = (text: string): Network => {
  const parsed = parseNetwork(text)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

test.each([
  ['192.0.2.77/24', '192.0.2.0/24', 256, ['192.0.2.0', '192.0.2.255']],
  ['10.1.2.3/16', '10.1.0.0/16', 65_536, ['10.1.0.0', '10.1.255.255']],
  ['192.0.2.9/30', '192.0.2.8/30', 4, ['192.0.2.8', '192.0.2.11']],
  ['192.0.2.9/31', '192.0.2.8/31', 2, ['192.0.2.8', '192.0.2.9']],
  ['192.0.2.9/32', '192.0.2.9/32', 1, ['192.0.2.9', '192.0.2.9']],
  ['2001:DB8:0:0::1:5/112', '2001:db8::1:0/112', 65_536, ['2001:db8::1:0', '2001:db8::1:ffff']],
  ['fd77::10/128', 'fd77::10/128', 1, ['fd77::10', 'fd77::10']],
  [' 127.0.0.1/28 ', '127.0.0.0/28', 16, ['127.0.0.0', '127.0.0.15']],
])('%s is %s', (text, cidr, size, ends) => {
  expect(network(text)).toMatchObject({ cidr, size, ends })
})

test.each([
  ['10.0.0.0/15', 'too large: at most 65,536 addresses, /16'],
  ['2001:db8::/64', 'too large: at most 65,536 addresses, /112'],
  ['10.0.0.0/33', 'at most /32'],
  ['::/129', 'at most /128'],
  ['10.0.0.0', 'must be a range'],
  ['10.0.0/24', 'must be a range'],
  ['010.0.0.0/24', 'must be a range'],
  ['10.0.0.0/24/24', 'must be a range'],
  ['10.0.0.0/-1', 'must be a range'],
  ['example.test/24', 'must be a range'],
  ['fe80::%eth0/112', 'must be a range'],
  ['fe80::/112', 'without an interface'],
  ['224.0.0.0/24', 'multicast'],
  ['ff02::/112', 'multicast'],
  ['0.0.0.0/24', 'unspecified'],
  ['::ffff:10.0.0.0/112', 'as IPv4'],
])('%s is refused: %s', (text, reason) => {
  expect(parseNetwork(text)).toContain(reason)
})

test('every address is given once, in order, and its own network leads back to it', () => {
  const prefix = fc.integer({ min: 20, max: 32 })
  fc.assert(
    fc.property(fc.ipV4(), prefix, (address, bits) => {
      const parsed = parseNetwork(`${address}/${bits}`)
      if (typeof parsed === 'string') return
      const all = [...parsed.addresses()]
      expect(all).toHaveLength(parsed.size)
      expect(new Set(all).size).toBe(parsed.size)
      expect([all[0], all.at(-1)]).toEqual(parsed.ends)
      expect(network(parsed.cidr)).toMatchObject({ cidr: parsed.cidr, size: parsed.size })
    }),
    { numRuns: 30 },
  )
})

test('any text is either a network or refused in words', () => {
  const almost = fc.stringMatching(/^[0-9a-f:.]{1,20}\/\d{1,3}$/)
  fc.assert(
    fc.property(fc.oneof(fc.string(), almost), (text) => {
      const parsed = parseNetwork(text)
      expect(typeof parsed === 'string' ? parsed : parsed.cidr).not.toBe('')
    }),
  )
})

test('an address is read into its canonical form', () => {
  expect(parseAddress('2001:DB8::0:1')).toBe('2001:db8::1')
  expect(parseAddress('192.0.2.1')).toBe('192.0.2.1')
  expect(parseAddress('fe80::1%eth0')).toBeUndefined()
  expect(parseAddress('printer')).toBeUndefined()
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const address = parseAddress(text)
      expect(isIP(address ?? '')).toBe(6)
      expect(parseAddress(address ?? '')).toBe(address)
    }),
  )
})

test('the network of one address holds it alone', () => {
  expect(single('192.0.2.1')).toMatchObject({ cidr: '192.0.2.1/32', size: 1 })
  expect(single('2001:db8::1')).toMatchObject({ cidr: '2001:db8::1/128', size: 1 })
})
