import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SnmpUser } from '../../credential-access.ts'
import { Malformed } from './ber.ts'
import { readUserMessage, writeUserMessage } from './message.ts'
import { keysOf, seal, unseal } from './user-security-model.ts'

const user = (
  auth: NonNullable<SnmpUser['auth']>['protocol'],
  privacy?: NonNullable<SnmpUser['privacy']>['protocol'],
): SnmpUser => ({
  id: '1',
  name: 'test',
  kind: 'snmp_user',
  username: 'test',
  auth: { protocol: auth, password: 'maplesyrup' },
  ...(privacy && { privacy: { protocol: privacy, password: 'maplesyrup' } }),
})
const engineId = Buffer.from('000000000000000000000002', 'hex')

test.each([
  ['md5', '526f5eed9fcce26f8964c2930787d82b'],
  ['sha', '6695febc9288e36282235fc7151f128497b38f3f'],
] as const)('the localised key of RFC 3414, A.3, for %s', (protocol, hex) => {
  expect(keysOf(user(protocol), engineId).auth?.key.toString('hex')).toBe(hex)
})

test('keys that are too short are made longer in two ways that differ', () => {
  // draft-reeder-snmpv3-usm-3desede-00, 5.1 and 5.2
  expect(keysOf(user('md5', 'aes256r'), engineId).privacy?.key.toString('hex')).toBe(
    '526f5eed9fcce26f8964c2930787d82b79eff44a90650ee0a3a40abfac5acc12',
  )
  const reeder = keysOf(user('sha', 'aes256r'), engineId).privacy?.key.toString('hex')
  expect(reeder).toBe('6695febc9288e36282235fc7151f128497b38f3f9b8b6d78936ba6e7d19dfd9c')
  const blumenthal = keysOf(user('sha', 'aes256b'), engineId).privacy?.key.toString('hex')
  expect(blumenthal?.slice(0, 40)).toBe(reeder?.slice(0, 40))
  expect(blumenthal).not.toBe(reeder)
  const [b, r] = (['aes256b', 'aes256r'] as const).map((it) => keysOf(user('sha512', it), engineId))
  expect(b).toMatchObject({ privacy: { key: r?.privacy?.key } })
})

const at = { boots: 3, time: 1_000 }

test.each(['des', 'aes', 'aes256b', 'aes256r'] as const)('what %s seals it unseals', (protocol) => {
  const { privacy } = keysOf(user('sha', protocol), engineId)
  if (!privacy) throw new Error('no key')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const plain = Buffer.from(bytes)
      const sealed = seal(privacy, plain, at)
      expect(unseal(privacy, sealed, at).subarray(0, plain.length)).toEqual(plain)
      expect(seal(privacy, plain, at).salt).not.toEqual(sealed.salt)
    }),
  )
})

test('three times the same key makes triple DES DES', () => {
  // of FIPS 81, table C1: the key 0123456789abcdef, the vector 1234567890abcdef, "Now is t"
  const key = Buffer.from('0123456789abcdef', 'hex')
  const iv = Buffer.from('1234567890abcdef', 'hex')
  const cipher = createCipheriv('des-ede3-cbc', Buffer.concat([key, key, key]), iv).setAutoPadding(false)
  expect(cipher.update('Now is t').toString('hex')).toBe('e5c7cdde872bf27c')
})

const keys = keysOf(user('sha256', 'aes'), engineId)
const envelope = { id: 77, user: 'test', engineId, at, keys, context: '' }
const question = { kind: 'get', oids: [[1, 3, 6, 1, 2, 1, 1, 5, 0]] } as const

test('a message that was changed on the way is malformed', () => {
  const message = writeUserMessage(envelope, question)
  // as far as the scoped PDU all is well: a question is no answer
  expect(() => readUserMessage(keys, message)).toThrow('element a0 where a2 belongs')
  fc.assert(
    fc.property(fc.nat(message.length - 1), fc.integer({ min: 1, max: 255 }), (where, flip) => {
      const changed = Buffer.from(message)
      changed[where] = (changed[where] ?? 0) ^ flip
      expect(() => readUserMessage(keys, changed)).toThrow(Malformed)
    }),
    { numRuns: 1_000 },
  )
})

test('a message that is sealed or signed for somebody else is malformed', () => {
  const message = writeUserMessage(envelope, question)
  expect(() => readUserMessage({}, message)).toThrow(Malformed)
  expect(() => readUserMessage(keysOf(user('sha256'), engineId), message)).toThrow(Malformed)
})
