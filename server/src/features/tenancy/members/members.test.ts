import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listUsers, removeUser, setUserRole } from './members.ts'
import { grants } from '../roles/permissions.ts'
import { createRole, deleteRole, listRoles, updateRole } from '../roles/roles.ts'

const shared = sharedTestApp()

const holding = (ctx: Ctx, ...permissions: string[]): Ctx => ({
  ...ctx,
  actor: { kind: 'user', id: 'u', may: (it) => grants(permissions, it) },
})

const roleId = async (ctx: Ctx, name: string) =>
  (await listRoles(ctx)).find((it) => it.name === name)?.id ?? ''

async function team() {
  const ctx = await shared().newTenant()
  return {
    ctx,
    boss: await newPerson(shared(), ctx),
    reader: await newPerson(shared(), ctx, { isAdmin: false }),
  }
}

test('people are listed with their roles, each tenant its own', async () => {
  const { ctx, boss, reader } = await team()
  await team()
  const listed = (await listUsers(ctx)).map(({ email, role, hasSecondFactor, lastSignedInAt }) => ({
    email,
    role: role.name,
    hasSecondFactor,
    lastSignedInAt,
  }))
  const rest = { hasSecondFactor: false, lastSignedInAt: null }
  expect(listed).toHaveLength(2)
  expect(listed).toEqual(
    expect.arrayContaining([
      { email: boss.email, role: 'Admin', ...rest },
      { email: reader.email, role: 'Viewer', ...rest },
    ]),
  )
})

test('a role is given and shows before and after in the log', async () => {
  const { ctx, reader } = await team()
  expect(await setUserRole(ctx, reader.id, await roleId(ctx, 'Operator'))).toMatchObject({
    role: { name: 'Operator' },
  })
  expect((await searchAudit(ctx, { limit: 1, offset: 0 })).items).toMatchObject([
    { action: 'user.role_changed', details: { before: { role: 'Viewer' }, after: { role: 'Operator' } } },
  ])
})

test('the last administrator neither leaves nor steps down, also when two try at once', async () => {
  const { ctx, boss } = await team()
  const [viewer, admin] = [await roleId(ctx, 'Viewer'), await roleId(ctx, 'Admin')]
  await expect(setUserRole(ctx, boss.id, viewer)).rejects.toMatchObject({ status: 409 })
  await expect(removeUser(ctx, boss.id)).rejects.toMatchObject({ status: 409 })
  const second = await newPerson(shared(), ctx)
  const outcomes = await Promise.allSettled([setUserRole(ctx, boss.id, viewer), removeUser(ctx, second.id)])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await listRoles(ctx)).find(({ id }) => id === admin)?.members).toBe(1)
})

test('nobody gives or takes what they do not have', async () => {
  const { ctx, boss, reader } = await team()
  await newPerson(shared(), ctx)
  const manager = holding(ctx, 'users:write', 'assets:read')
  const forbidden = { status: 403 }
  const mighty = await createRole(ctx, { name: 'Mighty', permissions: ['webhooks:write'] })
  await expect(setUserRole(manager, reader.id, mighty.id)).rejects.toMatchObject(forbidden)
  await expect(setUserRole(manager, boss.id, mighty.id)).rejects.toMatchObject(forbidden)
  await expect(removeUser(manager, boss.id)).rejects.toMatchObject(forbidden)
  await expect(createRole(manager, { name: 'Mine', permissions: ['scans:read'] })).rejects.toMatchObject(
    forbidden,
  )
  await expect(updateRole(manager, mighty.id, { permissions: ['assets:read'] })).rejects.toMatchObject(
    forbidden,
  )
  await expect(deleteRole(manager, mighty.id)).rejects.toMatchObject(forbidden)
  expect(await createRole(manager, { name: 'Small', permissions: ['assets:read'] })).toMatchObject({
    name: 'Small',
  })
})

test('without the permission nothing is read or changed', async () => {
  const { ctx, reader } = await team()
  const nobody = holding(ctx, 'assets:write')
  const some = await roleId(ctx, 'Viewer')
  for (const attempt of [
    listUsers(nobody),
    listRoles(nobody),
    setUserRole(nobody, reader.id, some),
    removeUser(nobody, reader.id),
    createRole(nobody, { name: 'x', permissions: ['assets:read'] }),
    updateRole(nobody, some, { name: 'x' }),
    deleteRole(nobody, some),
  ])
    await expect(attempt).rejects.toMatchObject({ status: 403 })
})

test('people and roles of another tenant are not there', async () => {
  const { ctx } = await team()
  const theirs = await team()
  const role = await createRole(theirs.ctx, { name: 'Theirs', permissions: ['assets:read'] })
  for (const id of [theirs.reader.id, randomUUID(), 'nonsense']) {
    await expect(removeUser(ctx, id)).rejects.toMatchObject({ status: 404 })
    await expect(setUserRole(ctx, id, await roleId(ctx, 'Viewer'))).rejects.toMatchObject({ status: 404 })
  }
  for (const id of [role.id, randomUUID(), 'nonsense']) {
    await expect(updateRole(ctx, id, { name: 'x' })).rejects.toMatchObject({ status: 404 })
    await expect(deleteRole(ctx, id)).rejects.toMatchObject({ status: 404 })
  }
})

test('a role of one’s own is made, changed and deleted when nobody has it any more', async () => {
  const { ctx, reader } = await team()
  const role = await createRole(ctx, {
    name: ' Audit ',
    permissions: ['audit:read', 'assets:read', 'audit:read'],
  })
  expect(role).toMatchObject({
    name: 'Audit',
    isBuiltIn: false,
    permissions: ['assets:read', 'audit:read'],
    members: 0,
  })
  await expect(createRole(ctx, { name: 'aUDIT', permissions: ['audit:read'] })).rejects.toMatchObject({
    status: 409,
  })
  await setUserRole(ctx, reader.id, role.id)
  await expect(deleteRole(ctx, role.id)).rejects.toMatchObject({ status: 409 })
  expect(await updateRole(ctx, role.id, { permissions: ['users:read'] })).toMatchObject({
    name: 'Audit',
    permissions: ['users:read'],
    members: 1,
  })
  await setUserRole(ctx, reader.id, await roleId(ctx, 'Viewer'))
  await deleteRole(ctx, role.id)
  expect((await listRoles(ctx)).map(({ name }) => name)).toEqual(['Admin', 'Operator', 'Viewer'])
})

test('built-in roles stay as they are', async () => {
  const { ctx } = await team()
  const viewer = await roleId(ctx, 'Viewer')
  await expect(updateRole(ctx, viewer, { name: 'x' })).rejects.toMatchObject({ status: 409 })
  await expect(deleteRole(ctx, viewer)).rejects.toMatchObject({ status: 409 })
})

test.each([
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ permissions: [] }, 'permissions'],
  [{ permissions: ['audit:write'] }, 'permissions'],
  [{ permissions: ['tenants:write'] }, 'permissions'],
])('a role with %j is refused', async (wrong, field) => {
  const { ctx } = await team()
  const making = createRole(ctx, { name: 'R', permissions: ['assets:read'], ...wrong })
  await expect(making).rejects.toMatchObject({ status: 400, extras: { field } })
})
