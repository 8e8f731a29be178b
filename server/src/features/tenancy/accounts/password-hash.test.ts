import { expect, test } from 'vitest'
import { hashPassword, verifyPassword, verifyPasswordOf, DUMMY_HASH } from './password-hash.ts'

test('a hash names its cost and knows its password only', async () => {
  const hash = await hashPassword('correct horse battery')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword('correct horse battery', hash)).toBe(true)
  expect(await verifyPassword('correct horse batterx', hash)).toBe(false)
})

test('the same password never has the same hash twice', async () => {
  expect(await hashPassword('correct horse battery')).not.toBe(await hashPassword('correct horse battery'))
})

test('composed and decomposed letters are the same password', async () => {
  expect(
    await verifyPassword('pässwörter-überall'.normalize('NFD'), await hashPassword('pässwörter-überall')),
  ).toBe(true)
})

test('a hash made at another cost is checked at that cost', async () => {
  // made with the reference command line: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1
  const other = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword('password', other)).toBe(true)
})

test('something else in its place is an accident, not a wrong password', async () => {
  await expect(verifyPassword('x', 'plain')).rejects.toThrow('not a password hash')
})

test('for an account that does not exist the same work is done as for one that does', async () => {
  const costOf = (hash: string) => hash.split('$').slice(0, 4)
  const lengthsOf = (hash: string) => hash.split('$').map(({ length }) => length)
  const real = await hashPassword('correct horse battery')
  expect([costOf(DUMMY_HASH), lengthsOf(DUMMY_HASH)]).toEqual([costOf(real), lengthsOf(real)])
  for (const account of [undefined, { passwordHash: null }])
    expect(await verifyPasswordOf(account, 'correct horse battery')).toBe(false)
  expect(await verifyPasswordOf({ passwordHash: real }, 'correct horse battery')).toBe(true)
})
