import { expect, test } from 'vitest'
import { allPermissions, firstMissing, builtInPermissions, grants } from './permissions.ts'

test('permissions have the form noun:read or noun:write, but for one; those of the contract are among them', () => {
  const others = allPermissions.filter((it) => !/^[a-z_]+:(read|write)$/.test(it))
  expect(others).toEqual(['statements:approve'])
  expect(allPermissions).toEqual(
    expect.arrayContaining(['api_keys:read', 'api_keys:write', 'webhooks:read', 'webhooks:write']),
  )
  expect(allPermissions).not.toContain('audit:write')
})

test.each([
  [['assets:read'], 'assets:read', true],
  [['assets:read'], 'assets:write', false],
  [['assets:write'], 'assets:read', true],
  [['assets:write'], 'scans:read', false],
  [[], 'assets:read', false],
])('%j and %s: %s', (held, permission, is) => {
  expect(grants(held, permission)).toBe(is)
})

test('built-in roles hold permissions that exist; each more than the next', () => {
  const [admin, operator, viewer] = [
    builtInPermissions.admin,
    builtInPermissions.operator,
    builtInPermissions.viewer,
  ]
  for (const held of [admin, operator, viewer])
    expect(allPermissions).toEqual(expect.arrayContaining([...held]))
  expect(firstMissing((it) => grants(admin, it), operator)).toBeUndefined()
  expect(firstMissing((it) => grants(operator, it), viewer)).toBeUndefined()
  expect(firstMissing((it) => grants(viewer, it), operator)).toBe('assets:write')
  expect(firstMissing((it) => grants(operator, it), admin)).toMatch(/:write$/)
})
