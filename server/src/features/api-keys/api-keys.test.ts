import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { apiKeyAuthentication, createKey, listKeys, revokeKey, rotateKey } from './api-keys.ts'

const DAY_MS = 86_400_000

const holderOf = async ({ runtime }: TestApp, secret: string) =>
  runtime.system.db.maybe(apiKeyAuthentication.holderOf(sql`${sha256(secret)}`))

const actions = async (ctx: Ctx) =>
  (await searchAudit(ctx, { limit: 50, offset: 0 })).items.map(({ action }) => action).toReversed()

const daysLeft = (expiresAt: string | null) =>
  expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.now()) / DAY_MS)

test('a key is 64 hexadecimal characters, shown once, kept as a digest', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const { key, secret } = await createKey(ctx, { name: ' ci ', scopes: ['write', 'read', 'write'] })
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(key).toMatchObject({
    name: 'ci',
    prefix: secret.slice(0, 8),
    scopes: ['read', 'write'],
    lastUsedAt: null,
  })
  const { row } = await ctx.db.one(sql<{ row: string }>`select to_jsonb(api_keys)::text as row from api_keys`)
  expect(row).not.toContain(secret)
  expect(row).toContain(sha256(secret).toString('hex'))
})

test.each([
  [undefined, 90],
  [1, 1],
  [36_500, 36_500],
  ['never', null],
] as const)('expiresInDays %s ends after %s days', async (expiresInDays, days) => {
  const { newTenant } = await testApp()
  const wish = expiresInDays === undefined ? {} : { expiresInDays }
  const { key } = await createKey(await newTenant(), { name: 'k', scopes: ['read'], ...wish })
  expect(daysLeft(key.expiresAt)).toBe(days)
})

test.each([
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ scopes: [] }, 'scopes'],
  [{ scopes: ['read', 'root'] }, 'scopes'],
  [{ expiresInDays: 0 }, 'expires_in_days'],
  [{ expiresInDays: 1.5 }, 'expires_in_days'],
  [{ expiresInDays: 36_501 }, 'expires_in_days'],
] as const)('%j is refused', async (wrong, field) => {
  const { newTenant } = await testApp()
  const making = createKey(await newTenant(), { name: 'k', scopes: ['read'], ...wrong })
  await expect(making).rejects.toMatchObject({ status: 400, extras: { field } })
})

test('a key opens until it is revoked; revoking twice is no error and is logged once', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const { key, secret } = await createKey(ctx, { name: 'k', scopes: ['read'] })
  expect(await holderOf(it, secret)).toEqual({
    id: key.id,
    tenant_id: ctx.tenantId,
    prefix: key.prefix,
    scopes: ['read'],
    is_use_due: true,
    limited_to: null,
  })
  await revokeKey(ctx, key.id)
  expect(await revokeKey(ctx, key.id)).toMatchObject({ revokedAt: expect.stringMatching(/Z$/) })
  expect(await holderOf(it, secret)).toBeUndefined()
  expect(await actions(ctx)).toEqual(['tenant.created', 'api_key.created', 'api_key.revoked'])
})

test('an expired key opens nothing and is not rotated', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const { key, secret } = await createKey(ctx, { name: 'k', scopes: ['read'] })
  await ctx.db.run(sql`update api_keys set expires_at = now() - interval '1 millisecond'`)
  expect(await holderOf(it, secret)).toBeUndefined()
  await expect(rotateKey(ctx, key.id)).rejects.toMatchObject({ status: 409 })
})

test('rotation keeps name, scopes and remaining lifetime, and ends the old key', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const old = await createKey(ctx, { name: 'k', scopes: ['read', 'write'], expiresInDays: 7 })
  const { key, secret } = await rotateKey(ctx, old.key.id)
  expect(key).toMatchObject({ name: 'k', scopes: ['read', 'write'], expiresAt: old.key.expiresAt })
  expect(await holderOf(it, old.secret)).toBeUndefined()
  expect(await holderOf(it, secret)).toMatchObject({ id: key.id })
  expect(await actions(ctx)).toEqual(['tenant.created', 'api_key.created', 'api_key.rotated'])
  await expect(rotateKey(ctx, old.key.id)).rejects.toMatchObject({ status: 409 })
})

test('rotation changes what it is told to', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const forever = await createKey(ctx, { name: 'k', scopes: ['read'], expiresInDays: 'never' })
  expect((await rotateKey(ctx, forever.key.id)).key.expiresAt).toBeNull()
  const other = await createKey(ctx, { name: 'k', scopes: ['read'] })
  const { key } = await rotateKey(ctx, other.key.id, { name: 'n', scopes: ['admin'], expiresInDays: 3 })
  expect(key).toMatchObject({ name: 'n', scopes: ['admin'] })
  expect(daysLeft(key.expiresAt)).toBe(3)
  await expect(rotateKey(ctx, key.id, { expiresInDays: 0 })).rejects.toThrow(/^expires_in_days: /)
})

test('a rotation that is refused leaves the old key working', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const { key, secret } = await createKey(ctx, { name: 'k', scopes: ['read'] })
  await expect(rotateKey(ctx, key.id, { scopes: ['root'] })).rejects.toMatchObject({ status: 400 })
  expect(await holderOf(it, secret)).toMatchObject({ id: key.id })
})

test('of two rotations at once one wins', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const { key } = await createKey(ctx, { name: 'k', scopes: ['read'] })
  const outcomes = await Promise.allSettled([rotateKey(ctx, key.id), rotateKey(ctx, key.id)])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await listKeys(ctx)).filter(({ revokedAt }) => !revokedAt)).toHaveLength(1)
})

test('the last use is written once in five minutes, however many ask', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const { key, secret } = await createKey(ctx, { name: 'k', scopes: ['read'] })
  const use = async () => (await listKeys(ctx))[0]?.lastUsedAt
  await Promise.all(Array.from({ length: 8 }, () => apiKeyAuthentication.used(it.runtime.system, key.id)))
  const first = await use()
  expect(await holderOf(it, secret)).toMatchObject({ is_use_due: false })
  await apiKeyAuthentication.used(it.runtime.system, key.id)
  expect(await use()).toBe(first)
  await ctx.db.run(sql`update api_keys set last_used_at = now() - interval '5 minutes 1 second'`)
  expect(await holderOf(it, secret)).toMatchObject({ is_use_due: true })
  await apiKeyAuthentication.used(it.runtime.system, key.id)
  expect(await use()).not.toBe(first)
})

test('keys of another tenant are not there', async () => {
  const { newTenant } = await testApp()
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const { key } = await createKey(theirs, { name: 'k', scopes: ['read'] })
  await expect(revokeKey(mine, key.id)).rejects.toMatchObject({ status: 404 })
  await expect(rotateKey(mine, key.id)).rejects.toMatchObject({ status: 404 })
  await expect(revokeKey(mine, 'nonsense')).rejects.toMatchObject({ status: 404 })
  expect(await listKeys(mine)).toEqual([])
})

test('a person needs the permission', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const reader = {
    ...ctx,
    actor: { kind: 'user', id: 'u', may: (it: string) => it === 'api_keys:read' } as const,
  }
  expect(await listKeys(reader)).toEqual([])
  for (const attempt of [
    createKey(reader, { name: 'k', scopes: ['read'] }),
    revokeKey(reader, 'x'),
    rotateKey(reader, 'x'),
  ])
    await expect(attempt).rejects.toMatchObject({
      status: 403,
      message: 'permission required: api_keys:write',
    })
})
