import { expect, test } from 'vitest'
import { codeAt, newTotpSecret, stepOf } from './totp.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'

/** RFC 6238 appendix B: the secret `12345678901234567890`, and the last six of its eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code is %s', (seconds, code) => {
  const at = new Date(seconds * 1000)
  expect(codeAt(SECRET, at)).toBe(code)
  expect(stepOf(code, SECRET, at)).toBe(Math.floor(seconds / 30))
})

test.each(['', '12345', '1234567', '28708a', '２８７０８２', '287 082'])('%j is no code', (text) => {
  expect(stepOf(text, SECRET, new Date(59_000))).toBeUndefined()
})

test('secrets have 160 bits and recovery codes 80, and no two are the same', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  const codes = [...newRecoveryCodes(), ...newRecoveryCodes()]
  expect(new Set(codes).size).toBe(20)
})

test('a recovery code is known however it is typed', () => {
  const [code = ''] = newRecoveryCodes()
  expect(recoveryHash(` ${code.toUpperCase().replaceAll('-', ' ')}\n`)).toEqual(recoveryHash(code))
})
