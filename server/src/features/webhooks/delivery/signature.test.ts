import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sign } from './signature.ts'

const BLOCK_BYTES = 64

/** RFC 2104 written out, for a key of at most one block. */
function hmacByHand(key: Buffer, message: Buffer): string {
  const padded = Buffer.concat([key], BLOCK_BYTES)
  const xor = (byte: number) => Buffer.from(padded.map((it) => it ^ byte))
  const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  return hash(xor(0x5c), hash(xor(0x36), message)).toString('hex')
}

const hexSecret = fc.stringMatching(/^[0-9a-f]{64}$/)

test('is the HMAC of body and timestamp, keyed by the secret as text', () => {
  fc.assert(
    fc.property(hexSecret, fc.uint8Array(), fc.date({ noInvalidDate: true }), (secret, bytes, date) => {
      const timestamp = date.toISOString()
      const message = Buffer.concat([bytes, Buffer.from(timestamp)])
      expect(sign(secret, Buffer.from(bytes), timestamp)).toBe(hmacByHand(Buffer.from(secret), message))
    }),
  )
})

test('matches a value computed elsewhere (RFC 4231 test case 2, split before its last four bytes)', () => {
  expect(sign('Jefe', Buffer.from('what do ya want for noth'), 'ing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})
