import fc from 'fast-check'
import { expect, test } from 'vitest'
import { authenticate, negotiate, NtlmError, responseKeyOf } from './ntlm.ts'
import { sealing } from './ntlm-sealing.ts'

// The published example of NTLM version 2: [MS-NLMP] 4.2.1 and 4.2.4.
const account = { username: 'User', domain: 'Domain', password: 'Password' }
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const challenge = hex(
  `4e544c4d53535000 02000000 0c000c00 38000000 33828ae2 0123456789abcdef 0000000000000000 24002400 44000000
   0600 7017 0000000f 530065007200760065007200 02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000`.replace(
    /\s/g,
    '',
  ),
)
const handshake = {
  account,
  negotiate: negotiate(),
  challenge,
  servicePrincipal: 'HTTP/server',
  now: new Date('1601-01-01T00:00:00Z'),
  chance: { clientChallenge: Buffer.alloc(8, 0xaa), sessionKey: Buffer.alloc(16, 0x55) },
}

function fieldOf(message: Buffer, at: number): string {
  const offset = message.readUInt32LE(at + 4)
  return message.subarray(offset, offset + message.readUInt16LE(at)).toString('hex')
}

test('the response key of the published example', () => {
  expect(responseKeyOf(account).toString('hex')).toBe('0c868a403bfd7a93a3001ef22ef02e3f')
})

test('the answer to the published challenge', () => {
  const { message } = authenticate(handshake)
  expect(fieldOf(message, 12)).toBe('86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa')
  expect(fieldOf(message, 20).slice(0, 32)).toBe('68cd0ab851e51c96aabc927bebef6a1c')
  expect(fieldOf(message, 52)).toBe('c5dad2544fc9799094ce1ce90bc9d03e')
  expect(fieldOf(message, 28)).toBe(Buffer.from('Domain', 'utf16le').toString('hex'))
  expect(fieldOf(message, 36)).toBe(Buffer.from('User', 'utf16le').toString('hex'))
})

test('the published message, sealed', () => {
  const { signature, data } = sealing(Buffer.alloc(16, 0x55)).seal(Buffer.from('Plaintext', 'utf16le'))
  expect(data.toString('hex')).toBe('54e50165bf1936dc996020c1811b0f06fb5f')
  expect(signature.toString('hex')).toBe('010000007fb38ec5c55d497600000000')
})

test('what was sealed for nobody, twice, or changed on the way is not opened', () => {
  const { signature, data } = sealing(Buffer.alloc(16, 0x55)).seal(Buffer.from('Plaintext', 'utf16le'))
  expect(sealing(Buffer.alloc(16, 0x55)).open({ signature, data })).toBeUndefined()
  expect(sealing(Buffer.alloc(16, 0x55)).open({ signature: Buffer.alloc(0), data })).toBeUndefined()
})

test.each([
  ['no challenge', Buffer.alloc(60)],
  ['too short', challenge.subarray(0, 40)],
  ['cut off', challenge.subarray(0, -8)],
  ['without sealing', Buffer.concat([challenge.subarray(0, 20), hex('13828ae2'), challenge.subarray(24)])],
  ['without 128 bits', Buffer.concat([challenge.subarray(0, 20), hex('33828ac2'), challenge.subarray(24)])],
])('a challenge that is %s is refused', (_, broken) => {
  expect(() => authenticate({ ...handshake, challenge: broken })).toThrow(NtlmError)
})

test('a hostile challenge is answered or refused, never an accident', () => {
  const outcomeOf = (hostile: Buffer): string => {
    try {
      authenticate({ ...handshake, challenge: hostile })
      return 'answered'
    } catch (error) {
      return error instanceof NtlmError ? 'refused' : String(error)
    }
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(challenge.length), (noise, at) => {
      const hostile = Buffer.concat([challenge.subarray(0, at), Buffer.from(noise)])
      expect(['answered', 'refused']).toContain(outcomeOf(hostile))
    }),
  )
})
