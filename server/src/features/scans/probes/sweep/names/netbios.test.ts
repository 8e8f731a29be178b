import fc from 'fast-check'
import { expect, test } from 'vitest'
import { netbios, readNodeStatus } from './netbios.ts'

const UNIQUE = 0x0400
const GROUP = 0x8400

/** A node status response (RFC 1002, 4.2.18) with these names, each with its sixteenth byte and flags. */
function response(names: readonly (readonly [string, number, number])[], mac = '000000000000'): Buffer {
  const encodedName = [0x20, ...netbios.question.subarray(13, 45), 0]
  const entries = names.flatMap(([name, suffix, flags]) => [
    ...Buffer.from(name.padEnd(15), 'latin1'),
    suffix,
    flags >> 8,
    flags & 0xff,
  ])
  const data = [names.length, ...entries, ...Buffer.from(mac, 'hex')]
  return Buffer.from([
    0x52,
    0x43,
    0x84,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    ...encodedName,
    0,
    0x21,
    0,
    1,
    0,
    0,
    0,
    0,
    data.length >> 8,
    data.length & 0xff,
    ...data,
  ])
}

test('asks for the status of the node that has the wildcard name', () => {
  expect(netbios.question).toHaveLength(50)
  expect(netbios.question.toString('latin1', 13, 45)).toBe(`CK${'A'.repeat(30)}`)
  expect([...netbios.question.subarray(-4)]).toEqual([0, 0x21, 0, 1])
})

test('reads the machine name, its domain and its adapter address', () => {
  const names = [
    ['FILESRV-2', 0x20, UNIQUE],
    ['FILESRV-2', 0x00, UNIQUE],
    ['OFFICE', 0x00, GROUP],
    ['OFFICE', 0x1e, GROUP],
  ] as const
  expect(readNodeStatus(response(names, '001b21aabbcc'))).toEqual({
    name: 'FILESRV-2',
    domain: 'OFFICE',
    mac: '00:1b:21:aa:bb:cc',
  })
})

test('leaves out missing values: an address of zeroes, unprintable names', () => {
  const names = [
    ['\x01\x02__MSBROWSE__\x02', 0x00, GROUP],
    ['PRINTER', 0x00, UNIQUE],
  ] as const
  expect(readNodeStatus(response(names))).toEqual({ name: 'PRINTER' })
})

test('a request, a cut response and a response to something else are no answer', () => {
  const whole = response([['A', 0, UNIQUE]], '001b21aabbcc')
  expect(readNodeStatus(netbios.question)).toBeUndefined()
  for (let length = 0; length < whole.length - 6; length++)
    expect(readNodeStatus(whole.subarray(0, length))).toBeUndefined()
  const other = Buffer.from(whole)
  other[47] = 0x20
  expect(readNodeStatus(other)).toBeUndefined()
})

test('any bytes are read without harm, and names that come out are printable', () => {
  const mutated = fc
    .tuple(fc.nat(80), fc.nat(255), fc.uint8Array({ maxLength: 40 }))
    .map(([at, value, tail]) => {
      const bytes = Buffer.concat([
        response([
          ['A', 0, UNIQUE],
          ['B', 0, GROUP],
        ]),
        tail,
      ])
      bytes[at] = value
      return bytes
    })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 600 }).map((it) => Buffer.from(it)),
        mutated,
      ),
      (bytes) => {
        const status = readNodeStatus(bytes)
        expect(`${status?.name ?? ''}${status?.domain ?? ''}`).toMatch(/^[\x20-\x7e]*$/)
      },
    ),
    { numRuns: 2000 },
  )
})
