import { expect, test } from 'vitest'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'

test('there are ten codes of 80 bits, no two alike', () => {
  const codes = newRecoveryCodes()
  expect(codes).toHaveLength(10)
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  expect(new Set([...codes, ...newRecoveryCodes()]).size).toBe(20)
})

test('a code counts however it is written', () => {
  const [code = ''] = newRecoveryCodes()
  const hash = recoveryHash(code).toString('hex')
  for (const text of [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')}\n`])
    expect(recoveryHash(text).toString('hex')).toBe(hash)
  expect(recoveryHash(`${code}a`).toString('hex')).not.toBe(hash)
})
