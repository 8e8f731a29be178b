import { expect, test } from 'vitest'
import { md4 } from './md4.ts'
import { rc4 } from './rc4.ts'

// RFC 1320, appendix A.5.
test.each([
  ['', '31d6cfe0d16ae931b73c59d7e0c089c0'],
  ['a', 'bde52cb31de33e46245e05fbdbd6fb24'],
  ['abc', 'a448017aaf21d8525fc10ae87aa6729d'],
  ['message digest', 'd9130a8164549fe818874806e1c7014b'],
  ['abcdefghijklmnopqrstuvwxyz', 'd79e1c308aa5bbcdeea8ed63df412da9'],
  [
    '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
    'e33b4ddc9c38f2199c3e7b164fcc0536',
  ],
])('MD4 of %j', (text, digest) => {
  expect(md4(Buffer.from(text)).toString('hex')).toBe(digest)
})

// RFC 6229, key lengths of 40 and 128 bits: the first 16 octets of the stream.
test.each([
  ['0102030405', 'b2396305f03dc027ccc3524a0a1118a8'],
  ['0102030405060708090a0b0c0d0e0f10', '9ac7cc9a609d1ef7b2932899cde41b97'],
])('RC4 under %s, in one piece and in two', (key, stream) => {
  const zeros = Buffer.alloc(16)
  expect(rc4(Buffer.from(key, 'hex'))(zeros).toString('hex')).toBe(stream)
  const inTwo = rc4(Buffer.from(key, 'hex'))
  expect(Buffer.concat([inTwo(zeros.subarray(0, 5)), inTwo(zeros.subarray(5))]).toString('hex')).toBe(stream)
})
