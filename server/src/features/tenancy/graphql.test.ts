import { expect, test } from 'vitest'
import { newPerson } from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf } from '#test/support/http/graphql-client.ts'
import { allPermissions } from './roles/permissions.ts'

const shared = sharedTestApp({ contextOf: believed })

interface Named {
  readonly id: string
  readonly name: string
}

interface UserAnswer {
  readonly id: string
  readonly email: string
  readonly role: Named
}

async function organisation() {
  const ctx = await shared().newTenant()
  const ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
  const roles = await ask<Named[]>('{ roles { id name } }')
  return { ctx, ask, roleId: (name: string) => roles.find((it) => it.name === name)?.id ?? '' }
}

test('people get another role, and are removed', async () => {
  const { ctx, ask, roleId } = await organisation()
  const boss = await newPerson(shared(), ctx)
  const reader = await newPerson(shared(), ctx, { isAdmin: false })
  const users = () => ask<UserAnswer[]>('{ users { id email role { id name } } }')
  const idOf = async (email: string) => (await users()).find((it) => it.email === email)?.id
  const change =
    'mutation ($userId: ID!, $roleId: ID!) { setUserRole(userId: $userId, roleId: $roleId) { role { name } } }'
  const id = await idOf(reader.email)
  expect(await ask(change, { userId: id, roleId: roleId('Admin') })).toEqual({ role: { name: 'Admin' } })
  expect((await users()).map((it) => it.role.name)).toEqual(['Admin', 'Admin'])
  expect(await ask('mutation ($id: ID!) { removeUser(userId: $id) }', { id })).toBe(id)
  expect((await users()).map((it) => it.email)).toEqual([boss.email])
})

test('roles are made, changed and deleted; all permissions can be given', async () => {
  const { ask } = await organisation()
  const made = await ask<Named>(
    `mutation { createRole(name: "Desk", permissions: ["assets:read"], where: "tag = desk") {
      id name isBuiltIn permissions where members } }`,
  )
  expect(made).toEqual({
    id: expect.any(String),
    name: 'Desk',
    isBuiltIn: false,
    permissions: ['assets:read'],
    where: 'tag = desk',
    members: 0,
  })
  const update = `mutation ($id: ID!, $name: String, $where: String) {
    updateRole(id: $id, name: $name, where: $where) { name permissions where } }`
  expect(await ask(update, { id: made.id, name: 'Help desk' })).toEqual({
    name: 'Help desk',
    permissions: ['assets:read'],
    where: 'tag = desk',
  })
  expect(await ask(update, { id: made.id, where: '' })).toMatchObject({ name: 'Help desk', where: null })
  expect(await ask('mutation ($id: ID!) { deleteRole(id: $id) }', { id: made.id })).toBe(made.id)
  expect((await ask<Named[]>('{ roles { id name } }')).map((it) => it.id)).not.toContain(made.id)
  expect(await ask('{ permissions }')).toEqual(allPermissions)
})

test('people are invited, and invitations withdrawn', async () => {
  const { ask, roleId } = await organisation()
  const issued = await ask<{ id: string; email: string; token: string }>(
    'mutation ($roleId: ID!) { inviteUser(email: "new@example.org", roleId: $roleId) { id email token } }',
    { roleId: roleId('Viewer') },
  )
  expect(issued).toMatchObject({ email: 'new@example.org', token: expect.stringMatching(/^\S{20,}$/) })
  const open = () => ask('{ invitations { id email isExpired role { name } } }')
  expect(await open()).toEqual([
    { id: issued.id, email: 'new@example.org', isExpired: false, role: { name: 'Viewer' } },
  ])
  expect(await ask('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id: issued.id })).toBe(issued.id)
  expect(await open()).toEqual([])
})

test('the organisation is renamed, and the overview arranged by each person', async () => {
  const { ctx, ask } = await organisation()
  expect(await ask('mutation { renameTenant(name: "  Example & Co  ") { id name } }')).toEqual({
    id: ctx.tenantId,
    name: 'Example & Co',
  })
  expect(await ask('{ signOn { issuer } }')).toBeNull()
  const arranged = { tiles: ['risk'], hidden: ['trends'] }
  const set = `mutation ($tiles: [String!]!, $hidden: [String!]!) {
    setOverviewLayout(tiles: $tiles, hidden: $hidden) { tiles hidden } }`
  expect(await ask(set, arranged)).toEqual(arranged)
  expect(await ask('{ overviewLayout { tiles hidden } }')).toEqual(arranged)
  await expect(ask(set, { ...arranged, tiles: ['No Tile'] })).rejects.toThrow('tiles: must be at most')
})
