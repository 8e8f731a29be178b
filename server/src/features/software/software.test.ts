import { expect, test } from 'vitest'
import { compareVersions, isInRange, schemeOf } from './software.ts'

test('other rooms compare versions by ecosystem', () => {
  expect(compareVersions(schemeOf('Debian:12'), '1.0-1~deb12u1', '1.0-1')).toBe(-1)
  expect(isInRange(schemeOf('npm'), '1.2.0', { introduced: '1.0.0', fixed: '1.2.1' })).toBe(true)
})
