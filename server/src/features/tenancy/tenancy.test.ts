import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { createTenant, createUser, getTenantBySlug, listTenants, renameTenant } from './tenancy.ts'

test('a tenant is made once for its slug, named after it, and found by it', async () => {
  const { runtime } = await testApp()
  const tenant = await createTenant(runtime.system, { slug: 'acme' })
  expect(tenant).toMatchObject({ slug: 'acme', name: 'acme' })
  expect(await createTenant(runtime.system, { slug: 'b', name: ' Bee ' })).toMatchObject({ name: 'Bee' })
  expect(await getTenantBySlug(runtime.system, 'acme')).toEqual(tenant)
  expect((await listTenants(runtime.system)).map(({ slug }) => slug)).toEqual(['acme', 'b'])
  await expect(createTenant(runtime.system, { slug: 'acme' })).rejects.toMatchObject({ status: 409 })
  await expect(getTenantBySlug(runtime.system, 'nobody')).rejects.toMatchObject({ status: 404 })
})

test.each(['', '-a', 'a-', 'A', 'a_b', 'a b', 'ä', 'a'.repeat(64), 'a\n'])('%j is no slug', async (slug) => {
  const { runtime } = await testApp()
  await expect(createTenant(runtime.system, { slug })).rejects.toMatchObject({ extras: { field: 'slug' } })
})

test('a blank name is refused', async () => {
  const { runtime } = await testApp()
  const making = createTenant(runtime.system, { slug: 'a', name: ' ' })
  await expect(making).rejects.toMatchObject({ extras: { field: 'name' } })
})

test('making a tenant stands in its own audit log', async () => {
  const { newTenant } = await testApp()
  const { items } = await searchAudit(await newTenant(), { limit: 50, offset: 0 })
  expect(items).toMatchObject([{ action: 'tenant.created' }])
})

test('a tenant sees itself alone in the list of tenants', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  await newTenant()
  expect(await ctx.db.all(sql`select id from tenants`)).toEqual([{ id: ctx.tenantId }])
})

test('an address has one account in the whole installation, whatever its case', async () => {
  const { newTenant, runtime } = await testApp()
  const at = async () => ({ ...runtime.system, tenantId: (await newTenant()).tenantId })
  const [here, there] = [await at(), await at()]
  const person = { email: 'Ada@example.org', password: 'correct horse battery', isAdmin: true }
  expect(await createUser(here, person)).toMatchObject({ email: 'Ada@example.org', isAdmin: true })
  await expect(createUser(there, { ...person, email: 'ada@EXAMPLE.org' })).rejects.toMatchObject({
    status: 409,
  })
})

test.each([
  [{ email: 'nobody' }, 'email'],
  [{ email: `${'a'.repeat(250)}@b.org` }, 'email'],
  [{ password: 'fourteen chars' }, 'password'],
  [{ password: 'ababababababababab' }, 'password'],
  [{ password: 'it is ADA@example.org' }, 'password'],
  [{ password: 'x'.repeat(1025) }, 'password'],
])('%j makes no account', async (wrong, field) => {
  const { newTenant, runtime } = await testApp()
  const system = { ...runtime.system, tenantId: (await newTenant()).tenantId }
  const person = { email: 'ada@example.org', password: 'correct horse battery', isAdmin: false, ...wrong }
  await expect(createUser(system, person)).rejects.toMatchObject({ extras: { field } })
})

test('a tenant is renamed, and its log tells so', async () => {
  const { newTenant, runtime } = await testApp()
  const ctx = await newTenant()
  const { slug } = await ctx.db.one(sql<{ slug: string }>`select slug from tenants`)
  expect(await renameTenant(ctx, ' Globex ')).toMatchObject({ id: ctx.tenantId, slug, name: 'Globex' })
  expect(await getTenantBySlug(runtime.system, slug)).toMatchObject({ name: 'Globex' })
  await renameTenant(ctx, 'Globex')
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0, action: 'tenant.renamed' })
  expect(items).toMatchObject([{ details: { before: { name: slug }, after: { name: 'Globex' } } }])
  for (const name of ['', ' ', 'x'.repeat(201), 'a\0b'])
    await expect(renameTenant(ctx, name)).rejects.toMatchObject({ extras: { field: 'name' } })
})
