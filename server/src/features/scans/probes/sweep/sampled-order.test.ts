import { expect, test } from 'vitest'
import { parseNetwork } from '../../targets/ip-network.ts'
import { SampledOrder } from './sampled-order.ts'
import { ScanProgress, type Place } from './sweep-progress.ts'

const placesOf = (cidr: string): readonly Place[] => {
  const range = parseNetwork(cidr)
  if (typeof range === 'string') throw new Error(range)
  return new ScanProgress(range.size).open(range.addresses())
}

const addressesOf = (places: Iterable<Place>): string[] => [...places].map(({ address }) => address)

test.each(['10.1.0.0/16', '10.1.8.0/21', '10.1.0.0/22', '2001:db8::1:0/112'])(
  'every address of %s is asked once',
  (cidr) => {
    const places = placesOf(cidr)
    const asked = addressesOf(new SampledOrder(places))
    expect(asked).toHaveLength(places.length)
    expect(new Set(asked)).toEqual(new Set(addressesOf(places)))
  },
)

test('the sample goes through all networks of a large range, one address of each after the other', () => {
  const asked = addressesOf(new SampledOrder(placesOf('10.1.0.0/16')))
  expect(asked.slice(0, 3)).toEqual(['10.1.0.1', '10.1.1.1', '10.1.2.1'])
  expect(asked.slice(256, 258)).toEqual(['10.1.0.254', '10.1.1.254'])
  expect(asked.slice(16 * 256, 16 * 256 + 2)).toEqual(['10.1.0.0', '10.1.0.3'])
  const ofSix = addressesOf(new SampledOrder(placesOf('2001:db8::/112')))
  expect(ofSix.slice(0, 2)).toEqual(['2001:db8::1', '2001:db8::101'])
})

test('a network in which something lives is asked before those that were silent, also when that is known late', () => {
  const order = new SampledOrder(placesOf('10.1.0.0/20'))
  const asked: string[] = []
  for (const { address } of order) {
    asked.push(address)
    if (address === '10.1.9.1') order.noteLive(address)
    if (address === '10.1.9.77') order.noteLive('10.1.14.200')
  }
  const rest = asked.slice(16 * 16).map((address) => Number(address.split('.')[2]))
  const networks = rest.filter((it, at) => it !== rest[at - 1])
  expect(networks).toEqual([9, 14, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 15])
})

test('says of how many networks only the sample was asked, from the end of the sample to that of the sweep', () => {
  const order = new SampledOrder(placesOf('10.1.0.0/20'))
  const told = Array.from(order, () => order.sampledOnly)
  expect(told.slice(0, 16 * 16)).toEqual(Array.from({ length: 16 * 16 }, () => 0))
  expect(told[16 * 16]).toBe(15)
  expect(told.at(-1)).toBe(0)
})

test('a smaller range is asked from its first address to its last', () => {
  const places = placesOf('10.1.0.0/22')
  const order = new SampledOrder(places)
  expect([...order]).toEqual(places)
  expect(order.sampledOnly).toBe(0)
})

test('a sweep that goes on past the sample asks from address to address', () => {
  const places = placesOf('10.1.0.0/20')
  const order = new SampledOrder(places, (address) => address === '10.1.9.1')
  expect([...order]).toEqual(places)
  expect(order.sampledOnly).toBe(0)
  const notInSample = new SampledOrder(places, (address) => address === '10.1.9.77')
  expect([...notInSample]).not.toEqual(places)
})

test('what the exclusions left of a network is sampled as far as it is there', () => {
  const places = placesOf('10.1.0.0/20').filter(({ address }) => !/\.(?:1|254)$/.test(address))
  expect(addressesOf(new SampledOrder(places)).slice(0, 2)).toEqual(['10.1.0.2', '10.1.1.2'])
})
