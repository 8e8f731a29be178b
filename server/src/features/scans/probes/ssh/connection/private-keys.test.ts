import { generateKeyPairSync, verify } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { algorithmOf, readPrivateKey } from './private-keys.ts'

const PHRASE = 'a phrase'

test.each([
  ['ssh-ed25519', () => generateKeyPairSync('ed25519'), undefined],
  ['ecdsa-sha2-nistp256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), undefined],
  ['ssh-rsa', () => generateKeyPairSync('rsa', { modulusLength: 2048 }), undefined],
  ['ssh-ed25519', () => generateKeyPairSync('ed25519'), PHRASE],
  ['ssh-rsa', () => generateKeyPairSync('rsa', { modulusLength: 2048 }), PHRASE],
] as const)('reads PKCS#8: %s', (type, make, passphrase) => {
  const { privateKey } = make()
  const protection = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem', ...protection }).toString()
  const key = readPrivateKey(pem, passphrase)
  expect(key?.type).toBe(type)
  expect(algorithmOf(key?.getPublicSSH() ?? Buffer.alloc(0))).toBe(type)
  expect(readPrivateKey(pem, 'another') === undefined).toBe(passphrase !== undefined)
})

test('what it signs with an Ed25519 key is what that key signs', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = readPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), undefined)
  const signature = key?.sign('text')
  expect(verify(null, Buffer.from('text'), publicKey, signature as Buffer)).toBe(true)
})

test('what is no key is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(readPrivateKey(text, undefined)).toBeUndefined()
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(algorithmOf(Buffer.from(bytes))).toMatch(/^[\w@.-]+$/)
    }),
  )
})
