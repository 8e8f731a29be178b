import { expect, test } from 'vitest'
import { checkedBindings, reachesFurther } from './credential-bindings.ts'

const TARGET = '00000000-0000-4000-8000-00000000000A'

test.each([
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['10.1.2.255/25', '10.1.2.128/25'],
  [' 192.0.2.7 ', '192.0.2.7/32'],
  ['192.0.2.7/32', '192.0.2.7/32'],
  ['128.0.0.1/1', '128.0.0.0/1'],
  ['2001:db8::1', '2001:db8::1/128'],
  ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
])('the network %s is kept as %s', (text, kept) => {
  expect(checkedBindings({ cidrs: [text, kept], targetIds: [] })).toEqual({ cidrs: [kept], targetIds: [] })
})

test.each([
  ['10.0.0.0/33', 'the prefix of 10.0.0.0 is at most /32'],
  ['2001:db8::/129', 'the prefix of 2001:db8:: is at most /128'],
  ['0.0.0.0/0', 'a credential for every address would be anybody’s'],
  ['10.0.0/8', '10.0.0/8 is no network'],
  ['10.0.0.0/8/8', '10.0.0.0/8/8 is no network'],
  ['10.0.0.0/', '10.0.0.0/ is no network'],
  ['10.0.0.0/-1', '10.0.0.0/-1 is no network'],
  ['fe80::1%eth0', 'fe80::1%eth0 is no network'],
  ['host.example', 'host.example is no network'],
])('%s is refused', (text, reason) => {
  expect(() => checkedBindings({ cidrs: [text], targetIds: [] })).toThrow(`cidrs: ${reason}`)
})

test('there is at least one place and at most a hundred, networks and targets together', () => {
  const cidrs = Array.from({ length: 99 }, (_, n) => `10.0.${n}.0/24`)
  const ids = { cidrs, targetIds: [TARGET, TARGET.toLowerCase()] }
  expect(checkedBindings(ids)).toEqual({ cidrs, targetIds: [TARGET.toLowerCase()] })
  expect(() => checkedBindings({ ...ids, cidrs: [...cidrs, '192.0.2.0/24'] })).toThrow(
    'at most 100 networks and targets',
  )
  expect(() => checkedBindings({ cidrs: [], targetIds: [] })).toThrow(
    'cidrs: give at least one network or target',
  )
  expect(() => checkedBindings({ cidrs: [], targetIds: ['x'] })).toThrow('targetIds: must be the UUIDs')
})

test.each<[readonly string[], readonly string[], boolean]>([
  [['10.0.0.0/8'], ['10.0.0.0/8'], false],
  [['10.0.0.0/8'], ['10.1.0.0/16', '10.2.0.0/16'], false],
  [['10.1.0.0/16'], ['10.0.0.0/8'], true],
  [['10.1.0.0/16'], ['10.1.0.0/16', '10.2.0.0/16'], true],
  [['10.1.0.0/16', '10.2.0.0/16'], ['10.2.3.0/24'], false],
  [['10.0.0.0/8'], ['2001:db8::/32'], true],
  [[], [], false],
])('from %j to %j reaches further: %s', (before, after, further) => {
  const of = (cidrs: readonly string[], ...targetIds: string[]) => ({ cidrs, targetIds })
  expect(reachesFurther(of(before), of(after))).toBe(further)
  expect(reachesFurther(of(before, 'a'), of(after, 'a'))).toBe(further)
  expect(reachesFurther(of(before, 'a'), of(after, 'a', 'b'))).toBe(true)
})
