import { expect, test } from 'vitest'
import { isInRange, satisfies } from './range.ts'

test('a range holds its first version and not the fixed one', () => {
  const bounds = { introduced: '1.0', fixed: '1.2' }
  expect(['0.9', '1.0', '1.1', '1.2', '1.2.1'].map((it) => isInRange('semver', it, bounds))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
  expect(isInRange('semver', '1.0', { ...bounds, isAfterIntroduced: true })).toBe(false)
})

test('a range holds the last affected version', () => {
  expect(isInRange('dpkg', '1.0-2', { introduced: '0', lastAffected: '1.0-2' })).toBe(true)
  expect(isInRange('dpkg', '1.0-3', { introduced: '0', lastAffected: '1.0-2' })).toBe(false)
})

test('a range without bounds holds everything, and one that cannot be compared says so', () => {
  expect(isInRange('semver', 'whatever', {})).toBe(true)
  expect(isInRange('semver', 'whatever', { fixed: '1.0.0' })).toBeUndefined()
  expect(isInRange('windows', '10.0.1', { introduced: '10.0.2', fixed: 'soon' })).toBe(false)
})

test('written constraints', () => {
  expect(satisfies('semver', '1.5.0', '> 0.1.0, < 0.5.0 || > 1.0.0, < 2.0.0')).toBe(true)
  expect(satisfies('semver', '0.6.0', '> 0.1.0, < 0.5.0 || > 1.0.0, < 2.0.0')).toBe(false)
  expect(satisfies('generic', '4.5.2', `'4.5.1' || "4.5.2"`)).toBe(true)
  expect(satisfies('rpm', '1.0-1', '')).toBe(true)
  expect(satisfies('semver', '1.0.0', '~> 1.0')).toBeUndefined()
})
