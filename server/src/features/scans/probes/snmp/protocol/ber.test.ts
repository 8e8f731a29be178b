import fc from 'fast-check'
import { expect, test } from 'vitest'
import { element, integer, Malformed, objectIdentifier, octets, Reader, tags } from './ber.ts'
import { readCommunityMessage, readUserMessage } from './message.ts'
import { compareOids, isBelow, oid } from './oid.ts'

test('integers of 32 bits survive', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (value) => {
      expect(new Reader(integer(value)).integer()).toBe(value)
    }),
  )
})

test.each([
  [0, '020100'],
  [127, '02017f'],
  [128, '02020080'],
  [-1, '0201ff'],
  [-129, '0202ff7f'],
  [256, '02020100'],
])('%d is written %s', (value, hex) => {
  expect(integer(value).toString('hex')).toBe(hex)
})

test('unsigned integers are read unsigned', () => {
  const counter = Buffer.from('4105 00ffffffff'.replace(' ', ''), 'hex')
  expect(new Reader(counter).integer(tags.counter32)).toBe(0xffff_ffff)
  const wide = Buffer.from('460900ffffffffffffffff', 'hex')
  expect(new Reader(wide).integer(tags.counter64)).toBe(2 ** 64)
})

test('object identifiers survive', () => {
  const arcs = fc.array(fc.integer({ min: 0, max: 0xffff_ffff }), { maxLength: 100 })
  fc.assert(
    fc.property(fc.constantFrom([1, 3], [0, 39], [2, 39]), arcs, (first, rest) => {
      const whole = [...first, ...rest]
      expect(new Reader(objectIdentifier(whole)).oid()).toEqual(whole)
    }),
  )
})

test('long contents have long lengths', () => {
  for (const length of [0, 127, 128, 255, 256, 70_000]) {
    const bytes = Buffer.alloc(length, 7)
    expect(new Reader(octets(bytes)).octets()).toEqual(bytes)
  }
})

test.each([
  ['no end of the length', '0284ffffffff'],
  ['a length of unknown form', '3080'],
  ['longer than what holds it', '300304050102'],
  ['an integer of nothing', '0200'],
  ['an identifier that breaks off', '06022b86'],
])('%s is malformed', (_, hex) => {
  const bytes = Buffer.from(hex, 'hex')
  const reads = [
    () => new Reader(bytes).integer(),
    () => new Reader(bytes).oid(),
    () => new Reader(bytes).enter(tags.sequence).octets(),
  ]
  for (const read of reads) expect(read).toThrow(Malformed)
})

test('bytes of any kind are read or malformed, nothing else', () => {
  const keys = { auth: { protocol: 'sha', key: Buffer.alloc(20) } } as const
  const inside = fc.uint8Array({ maxLength: 200 })
  const framed = inside.map((it) => element(tags.sequence, integer(1), octets('public'), it))
  const framed3 = inside.map((it) =>
    element(tags.sequence, integer(3), element(tags.sequence, it), octets(it), it),
  )
  const answers = inside.map((it) => element(tags.sequence, integer(1), octets(''), element(0xa2, it)))
  fc.assert(
    fc.property(fc.oneof(inside, framed, framed3, answers), (bytes) => {
      for (const read of [
        () => readCommunityMessage(1, Buffer.from(bytes)),
        () => readUserMessage(keys, Buffer.from(bytes)),
      ]) {
        expect(errorOf(read)).toSatisfy((it) => it === undefined || it instanceof Malformed)
      }
    }),
    { numRuns: 5_000 },
  )
})

function errorOf(read: () => unknown): unknown {
  try {
    return void read()
  } catch (error) {
    return error
  }
}

test('the order of object identifiers is that of their arcs', () => {
  const sorted = ['1.3', '1.3.6', '1.3.6.2', '1.3.6.10', '1.3.7'].map(oid)
  expect(sorted.toReversed().toSorted(compareOids)).toEqual(sorted)
  expect(isBelow(oid('1.3.6'), oid('1.3.6.10'))).toBe(true)
  expect(isBelow(oid('1.3.6.1'), oid('1.3.6.10'))).toBe(false)
})
