import { expect, test } from 'vitest'
import { checkPasswordPolicy } from './password-policy.ts'

test.each([
  'fourteen chars',
  'x'.repeat(1_025),
  'aaaaaaaaaaaaaaaa',
  'abababababababab',
  'password12345678',
  'P4ssword-P4ssword',
  'qwertyuiopasdfghjkl',
  '123456789012345678',
  'ada@example.org ada@example.org',
  'Welcome123456789!',
])('%j is no password to choose', (password) => {
  expect(() => checkPasswordPolicy('next', password, 'ada@example.org')).toThrow(/^next: /)
})

test.each([
  'correct horse battery',
  'ein Satz mit Wörtern',
  'EzppEWR_LcxUVKvqi3tT',
  'my password is a long one',
])('%j is one', (password) => {
  expect(() => checkPasswordPolicy('next', password, 'ada@example.org')).not.toThrow()
})
