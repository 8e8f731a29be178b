import { expect, test } from 'vitest'
import { assembled } from './credential-kinds.ts'

test('of settings only what a kind has and is no secret becomes part of a credential', () => {
  const written = {
    username: 'scan',
    password: 'from the settings',
    community: 'of another kind',
    id: 'x',
    kind: 'ssh_key',
  }
  const known = { id: 'c1', name: 'Scan', port: undefined, secrets: { password: 'the secret' } }
  expect(assembled({ ...known, kind: 'ssh_password', settings: written })).toEqual({
    id: 'c1',
    name: 'Scan',
    kind: 'ssh_password',
    username: 'scan',
    password: 'the secret',
  })
  expect(assembled({ ...known, kind: 'ssh_key', secrets: {}, settings: written })).toEqual({
    id: 'c1',
    name: 'Scan',
    kind: 'ssh_key',
    username: 'scan',
  })
})
