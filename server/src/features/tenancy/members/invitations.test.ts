import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  browserAt,
  browserOf,
  newPerson,
  PASSWORD,
  slugOf,
  type Browser,
} from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { inviteAs, inviteUser, listInvitations, revokeInvitation } from './invitations.ts'
import { createRole, listRoles } from '../roles/roles.ts'

const shared = sharedTestApp()
const look = async (browser: Browser) => (await browser.send('GET', '/session')).body
const isIn = async (browser: Browser) =>
  (await browser.send<{ state: string }>('GET', '/session')).body.state === 'signed_in'

async function admin() {
  const ctx = await shared().newTenant()
  const person = await newPerson(shared(), ctx)
  return { ctx, person, browser: await browserOf(shared(), person) }
}

test('a person of two tenants works in the one that is named, else where they were last, and in no third', async () => {
  const { ctx, person, browser } = await admin()
  const [there, elsewhere] = [await shared().newTenant(), await shared().newTenant()]
  const { token } = await inviteAs(there, person.email, 'viewer')
  expect((await browser.send('POST', '/session/invitation', { token })).body).toMatchObject({
    hasAccount: true,
    role: 'Viewer',
  })
  expect((await browser.send('POST', '/session/invitation/accept', { token })).status).toBe(204)
  expect(await look(browser)).toMatchObject({ tenant: { id: there.tenantId }, role: { name: 'Viewer' } })
  const lookIn = async (slug: string) => (await browser.send('GET', `/session?tenant=${slug}`)).body
  const asAdmin = { tenant: { id: ctx.tenantId }, role: { name: 'Admin' } }
  expect(await lookIn(await slugOf(ctx))).toMatchObject(asAdmin)
  expect(await look(browser)).toMatchObject(asAdmin)
  expect(await look(await browserOf(shared(), person))).toMatchObject(asAdmin)
  for (const slug of [await slugOf(elsewhere), 'nonsense', 'Not%20a%20slug', ''])
    expect(await lookIn(slug)).toMatchObject({
      state: 'signed_in',
      tenant: null,
      role: null,
      permissions: [],
    })
  expect(await look(browser)).toMatchObject(asAdmin)
})

test('somebody new accepts an invitation once, and is in', async () => {
  const ctx = await shared().newTenant()
  const { token, email } = await inviteAs(ctx, 'grace@example.org', 'operator')
  const browser = browserAt(shared())
  expect((await browser.send('POST', '/session/invitation', { token })).body).toMatchObject({
    email,
    hasAccount: false,
  })
  const weak = await browser.send('POST', '/session/invitation/join', {
    token,
    name: 'Grace',
    password: 'short',
  })
  expect(weak.body).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('password') })
  const join = () =>
    browserAt(shared()).send('POST', '/session/invitation/join', { token, name: 'Grace', password: PASSWORD })
  expect(
    (await browser.send('POST', '/session/invitation/join', { token, name: 'Grace', password: PASSWORD }))
      .status,
  ).toBe(204)
  expect(await look(browser)).toMatchObject({ user: { name: 'Grace' }, role: { name: 'Operator' } })
  expect((await join()).body).toMatchObject({ error: 'link_ended' })
})

test('an invitation ends after seven days, when it is replaced, and is for its address alone', async () => {
  const { browser } = await admin()
  const ctx = await shared().newTenant()
  const first = await inviteAs(ctx, 'joan@example.org', 'viewer')
  const second = await inviteAs(ctx, 'Joan@example.org', 'viewer')
  const open = (token: string) => browser.send('POST', '/session/invitation', { token })
  expect((await open(first.token)).status).toBe(410)
  expect((await open('nonsense')).status).toBe(410)
  expect((await browser.send('POST', '/session/invitation/accept', { token: second.token })).status).toBe(409)
  await ctx.db.run(sql`update invitations set expires_at = now()`)
  expect((await open(second.token)).status).toBe(410)
})

test('an invitation never takes over an account that is there already', async () => {
  const { person } = await admin()
  const { token } = await inviteAs(await shared().newTenant(), person.email, 'viewer')
  const thief = browserAt(shared())
  const body = { token, name: 'Eve', password: 'another long password' }
  expect((await thief.send('POST', '/session/invitation/join', body)).status).toBe(409)
  expect((await thief.send('POST', '/session/invitation/accept', { token })).status).toBe(401)
  expect(await isIn(await browserOf(shared(), person))).toBe(true)
})

test('invitations are listed, and end when they are taken back', async () => {
  const ctx = await shared().newTenant()
  const { id, token } = await inviteAs(ctx, 'ada@example.org', 'Admin')
  expect(await listInvitations(ctx)).toMatchObject([
    { id, email: 'ada@example.org', role: { name: 'Admin' }, invitedBy: null, isExpired: false },
  ])
  const other = await shared().newTenant()
  await expect(revokeInvitation(other, id)).rejects.toMatchObject({ status: 404 })
  await revokeInvitation(ctx, id)
  await expect(revokeInvitation(ctx, id)).rejects.toMatchObject({ status: 404 })
  await expect(revokeInvitation(ctx, 'nonsense')).rejects.toMatchObject({ status: 404 })
  expect((await browserAt(shared()).send('POST', '/session/invitation', { token })).status).toBe(410)
  expect(await listInvitations(ctx)).toEqual([])
})

test('nobody invites whom they could not be, nor members, nor to roles of others', async () => {
  const { ctx, person } = await admin()
  const manager = {
    ...ctx,
    actor: { kind: 'user', id: 'u', may: (it: string) => it.startsWith('users:') } as const,
  }
  const roleId = async (name: string) => (await listRoles(ctx)).find((it) => it.name === name)?.id ?? ''
  await expect(
    inviteUser(manager, { email: 'a@b.org', roleId: await roleId('Admin') }),
  ).rejects.toMatchObject({ status: 403 })
  const invite = (email: string, id: string) => inviteUser(ctx, { email, roleId: id })
  await expect(invite(person.email.toUpperCase(), await roleId('Viewer'))).rejects.toMatchObject({
    status: 409,
  })
  const foreign = await createRole(await shared().newTenant(), { name: 'R', permissions: ['assets:read'] })
  for (const id of [foreign.id, 'nonsense'])
    await expect(invite('a@b.org', id)).rejects.toMatchObject({ status: 400, extras: { field: 'roleId' } })
  await expect(invite('nobody', await roleId('Viewer'))).rejects.toMatchObject({ extras: { field: 'email' } })
  await expect(inviteAs(ctx, 'a@b.org', 'King')).rejects.toMatchObject({ extras: { field: 'role' } })
})

test('two who open one link at once: one is in', async () => {
  const { token } = await inviteAs(await shared().newTenant(), 'twin@example.org', 'viewer')
  const body = { token, name: 'Twin', password: PASSWORD }
  const answers = await Promise.all(
    [1, 2].map(() => browserAt(shared()).send('POST', '/session/invitation/join', body)),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 410])
})
