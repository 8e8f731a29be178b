import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createKey } from '#features/api-keys/api-keys.ts'
import { browserOf, newPerson, slugOf, type Browser } from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { isOnlyTenant, getTenantBySlug } from '../tenancy.ts'
import { allowTenants, openOwnDemo } from './own-tenants.ts'
import { deleteClosedTenants } from './closed-tenants.ts'
import { tablesOfTenants } from './closed-tenant-store.ts'

const shared = sharedTestApp()

interface Look {
  readonly user: { readonly mayCreateTenants: boolean }
  readonly tenant: { readonly slug: string } | null
  readonly tenants: readonly { readonly slug: string; readonly isDemo: boolean; readonly role: string }[]
}
const look = async (browser: Browser, query = '') =>
  (await browser.send<Look>('GET', `/session${query}`)).body

async function founder() {
  const ctx = await shared().newTenant()
  const person = await newPerson(shared(), ctx)
  await allowTenants(shared().runtime.system, person.email, true)
  return { ctx, person, browser: await browserOf(shared(), person) }
}

const count = async (tenantId: string): Promise<number> => {
  const { db } = shared().runtime.system
  let rows = 0
  for (const name of await tablesOfTenants(shared().runtime.system)) {
    const found = await db.one(
      sql<{ n: number }>`select count(*)::int as n from ${sql.raw(name)} where tenant_id = ${tenantId}`,
    )
    rows += found.n
  }
  return rows
}

test('who may make organisations is an administrator of those they make, and is still where they were', async () => {
  const { ctx, browser } = await founder()
  const slug = `made-${ctx.tenantId.slice(0, 8)}`
  const made = await browser.send<{ slug: string }>('POST', '/session/tenants', { slug, name: 'Made' })
  expect([made.status, made.body.slug]).toEqual([200, slug])
  const own = await slugOf(ctx)
  expect(await look(browser)).toMatchObject({
    user: { mayCreateTenants: true },
    tenant: { slug: own },
    tenants: [
      { slug: own, isDemo: false },
      { slug, isDemo: false, role: 'Admin' },
    ],
  })
  const again = await browser.send('POST', '/session/tenants', { slug, name: 'Made' })
  expect([again.status, again.body]).toMatchObject([409, { message: `slug: ${slug} is taken` }])
  const wrong = await browser.send('POST', '/session/tenants', { slug: 'No Slug', name: 'Made' })
  expect([wrong.status, wrong.body]).toMatchObject([
    400,
    { message: expect.stringMatching(/^slug: must be/) as unknown },
  ])
})

test('nobody else makes an organisation, and whether one may is decided at the command line', async () => {
  const ctx = await shared().newTenant()
  const person = await newPerson(shared(), ctx)
  const browser = await browserOf(shared(), person)
  const make = () => browser.send('POST', '/session/tenants', { slug: `x-${person.id}`, name: 'X' })
  expect((await make()).status).toBe(403)
  await allowTenants(shared().runtime.system, person.email.toUpperCase(), true)
  expect((await make()).status).toBe(200)
  await allowTenants(shared().runtime.system, person.email, false)
  expect((await make()).status).toBe(403)
  await expect(allowTenants(shared().runtime.system, 'nobody@example.org', true)).rejects.toThrow(/^email: /)
})

test('a demo does not count as an organisation beside the only one, and decides nothing for it', async () => {
  const { runtime } = shared()
  const { n } = await runtime.system.db.one(
    sql<{ n: number }>`select count(*)::int as n from tenants where not is_demo`,
  )
  const { ctx, person } = await founder()
  const alone = await isOnlyTenant(ctx)
  expect(alone).toBe(n === 0)
  const who = signedInAs(person)
  const tenant = await runtime.system.db.transaction((db) => openOwnDemo({ ...runtime.system, db }, who))
  expect(await isOnlyTenant(ctx)).toBe(alone)
  expect(await isOnlyTenant(runtime.contextFor(tenant.id, ctx.actor))).toBe(false)
})

test('a viewer gets no demo', async () => {
  const ctx = await shared().newTenant()
  const viewer = await browserOf(shared(), await newPerson(shared(), ctx, { isAdmin: false }))
  expect((await viewer.send('POST', '/session/demo')).status).toBe(403)
})

test('a closed demo is entered by nobody at once, and nothing of it is left later', async () => {
  const { runtime } = shared()
  const { ctx, browser } = await founder()
  const opened = await Promise.all([1, 2].map(() => browser.send<{ slug: string }>('POST', '/session/demo')))
  const slugs = opened.map(({ body }) => body.slug)
  expect(new Set(slugs).size).toBe(1)
  const { id } = await getTenantBySlug(runtime.system, slugs[0] ?? '')
  await createKey(runtime.contextFor(id, ctx.actor), { name: 'k', scopes: ['admin'] })
  expect(await look(browser, `?tenant=${slugs[0]}`)).toMatchObject({ tenant: { slug: slugs[0] } })
  const before = await count(ctx.tenantId)

  expect((await browser.send('DELETE', '/session/demo')).status).toBe(204)
  expect((await look(browser, `?tenant=${slugs[0]}`)).tenant).toBeNull()
  expect((await look(browser)).tenants.map(({ slug }) => slug)).toEqual([await slugOf(ctx)])
  expect((await browser.send('DELETE', '/session/demo')).status).toBe(409)
  await expect(getTenantBySlug(runtime.system, slugs[0] ?? '')).rejects.toMatchObject({ status: 404 })

  expect(await count(id)).toBeGreaterThan(0)
  await deleteClosedTenants(runtime.system)
  expect(await count(id)).toBe(0)
  expect(await count(ctx.tenantId)).toBe(before)
  const left = () => runtime.system.db.all(sql`select id from tenants where id = ${id}`)
  await deleteClosedTenants(runtime.system)
  expect(await left(), 'kept while something of it may still run').toHaveLength(1)
  await runtime.system.db.run(
    sql`update tenants set closed_at = closed_at - interval '1 day' where id = ${id}`,
  )
  await deleteClosedTenants(runtime.system)
  expect(await left()).toHaveLength(0)
})

test('rows of a tenant that is open are not deleted', async () => {
  const { runtime } = shared()
  const ctx = await shared().newTenant()
  const deleting = runtime.system.db.run(
    sql`select delete_closed_tenant_rows(${ctx.tenantId}, 'roles'::regclass, 10)`,
  )
  await expect(deleting).rejects.toThrow(/is not closed/)
})

function signedInAs(person: { readonly id: string; readonly email: string }) {
  return {
    sessionId: person.id,
    expiresAt: '',
    user: {
      ...person,
      name: '',
      isManaged: false,
      hasSecondFactor: false,
      mayCreateTenants: true,
      preferences: { language: null, timeZone: null, dateFormat: null, numberFormat: null },
    },
    tenant: null,
    role: null,
    permissions: [],
    limitedTo: null,
    boundTo: null,
    address: '127.0.0.1',
  }
}
