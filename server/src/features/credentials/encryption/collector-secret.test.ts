import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCollector, deleteCollector, revokeCollector } from '#features/collectors/collectors.ts'
import { createTarget } from '#features/scans/scans.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { decrypted } from '#platform/secrets/encrypted-for-key.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { lending, NET, password, SSH, wanted } from '../credentials.fixture.ts'
import {
  createCredential,
  credentialsOpenedOnlyBy,
  deleteCredential,
  listCredentials,
  updateCredential,
} from '../credentials.ts'
import { isSealed, openedCredential } from './collector-secret.ts'
import { rotateTenantKeys } from './data-keys.ts'

const home = sharedTestApp()

/** A collector that has enrolled, with the private half of its key. */
async function enrolled(ctx: Ctx, name: string): Promise<{ readonly id: string; readonly key: JWK }> {
  const { collector } = await createCollector(ctx, { name })
  const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'X25519', extractable: true })
  const [open, key] = [await exportJWK(publicKey), await exportJWK(privateKey)]
  await ctx.db.run(sql`
    update collector_keys set exchange_key = ${JSON.stringify(open)}::jsonb
    where tenant_id = ${ctx.tenantId} and collector_id = ${collector.id}`)
  return { id: collector.id, key }
}

async function sealedFor(ctx: Ctx, collectorId: string, address = '10.0.0.7') {
  const scan = lending(ctx)
  const [found, ...more] = await scan.credentialsForCollector(collectorId, address, SSH)
  await scan.close()
  expect(more).toEqual([])
  if (!found || !isSealed(found)) throw new Error('nothing is lent that a collector has to open')
  return found
}

test('a secret for collectors is in no form that the server could open, and each of them can', async () => {
  const ctx = await home().newTenant()
  const [oslo, bergen] = [await enrolled(ctx, 'Oslo'), await enrolled(ctx, 'Bergen')]
  const collectorIds = [oslo.id, bergen.id]
  const secret = password()
  const made = await createCredential(
    ctx,
    wanted({ collectorIds, values: { username: 'scan', password: secret } }),
  )
  expect(made).toMatchObject({ isCollectorOnly: true, collectorIds: collectorIds.toSorted() })
  const stored = await ctx.db.one(sql<Record<string, unknown>>`
    select secret_sealed, key_version from credentials where tenant_id = ${ctx.tenantId} and id = ${made.id}`)
  expect(stored).toEqual({ secret_sealed: null, key_version: null })
  expect(await rotateTenantKeys(ctx)).toBeUndefined()
  for (const { id, key } of [oslo, bergen]) {
    const sealed = await sealedFor(ctx, id)
    expect(JSON.stringify(sealed)).not.toContain(secret)
    const open = openedCredential(sealed, '10.0.0.7', (it) => decrypted(key, it))
    expect(await open).toMatchObject({ kind: 'ssh_password', username: 'scan', password: secret })
  }
  const other = await sealedFor(ctx, oslo.id)
  await expect(openedCredential(other, '10.0.0.7', (it) => decrypted(bergen.key, it))).rejects.toThrow(
    /this collector cannot open the secret of .*; enter it anew/,
  )
})

test('a collector shows it to no host outside of the networks that it was entered for, and as no other credential', async () => {
  const ctx = await home().newTenant()
  const { id, key } = await enrolled(ctx, 'Oslo')
  await createCredential(ctx, wanted({ collectorIds: [id] }))
  const sealed = await sealedFor(ctx, id)
  const opening = (it: typeof sealed, address: string) =>
    openedCredential(it, address, (text) => decrypted(key, text))
  await expect(opening(sealed, '10.0.1.7')).rejects.toThrow('was entered for 10.0.0.0/24, not for 10.0.1.7')
  await expect(opening({ ...sealed, id: 'another' }, '10.0.0.7')).rejects.toThrow('of another credential')
})

test('the server lends it to nobody else, and says who can open it', async () => {
  const ctx = await home().newTenant()
  const [oslo, bergen] = [await enrolled(ctx, 'Oslo'), await enrolled(ctx, 'Bergen')]
  await createCredential(ctx, wanted({ name: 'Vault', collectorIds: [oslo.id] }))
  const scan = lending(ctx)
  expect(await scan.credentialsFor('10.0.0.7', SSH)).toEqual([])
  expect(await scan.credentialsForCollector(bergen.id, '10.0.0.7', SSH)).toEqual([])
  expect(scan.warnings()).toEqual(['Vault can be opened by Oslo alone, which does not scan here'])
  expect(await scan.lack('10.0.0.7', SSH)).toMatch('Vault can be opened by Oslo alone')
  expect(await scan.lack('10.0.0.7', SSH, [oslo.id, bergen.id])).toBeUndefined()
})

test('another collector, or the server, is given it with the secret alone; one is taken off without', async () => {
  const ctx = await home().newTenant()
  const [oslo, bergen] = [await enrolled(ctx, 'Oslo'), await enrolled(ctx, 'Bergen')]
  const both = [oslo.id, bergen.id].toSorted()
  const { id } = await createCredential(ctx, wanted({ collectorIds: [oslo.id] }))
  const refused = /^collectorIds: for others to open it, give its secret anew/
  await expect(updateCredential(ctx, id, { collectorIds: both })).rejects.toThrow(refused)
  await expect(updateCredential(ctx, id, { collectorIds: [] })).rejects.toThrow(refused)
  const values = { password: password() }
  expect(await updateCredential(ctx, id, { collectorIds: both, values })).toMatchObject({
    collectorIds: both,
  })
  expect(await updateCredential(ctx, id, { collectorIds: [bergen.id] })).toMatchObject({
    collectorIds: [bergen.id],
    isCollectorOnly: true,
  })
  const open = await updateCredential(ctx, id, { collectorIds: [], values })
  expect(open).toMatchObject({ collectorIds: [], isCollectorOnly: false })
  const closing = updateCredential(ctx, id, { collectorIds: [oslo.id] })
  await expect(closing).rejects.toThrow(refused)
})

test('when all collectors are gone it opens for nobody, and a new secret does not fall to the server by chance', async () => {
  const ctx = await home().newTenant()
  const { id: collectorId } = await enrolled(ctx, 'Oslo')
  const { id } = await createCredential(ctx, wanted({ name: 'Vault', collectorIds: [collectorId] }))
  await ctx.db.run(sql`delete from collectors where tenant_id = ${ctx.tenantId} and id = ${collectorId}`)
  const [left] = (await listCredentials(ctx, { limit: 1, offset: 0 })).items
  expect(left).toMatchObject({ isCollectorOnly: true, collectorIds: [] })
  expect(await lending(ctx).lack('10.0.0.7', SSH)).toMatch('the collectors that could open Vault are gone')
  const values = { password: password() }
  await expect(updateCredential(ctx, id, { values })).rejects.toThrow(/^collectorIds: say which collectors/)
  await deleteCredential(ctx, id)
})

test('collectors must be there, enrolled and not revoked, and targets are no place for it', async () => {
  const ctx = await home().newTenant()
  const { id } = await enrolled(ctx, 'Oslo')
  const { collector: waiting } = await createCollector(ctx, { name: 'Hamar' })
  const target = await createTarget(ctx, { name: 'web', host: '10.0.0.7' })
  const create = (given: Parameters<typeof wanted>[0]) => createCredential(ctx, wanted(given))
  await expect(create({ collectorIds: [waiting.id] })).rejects.toThrow(
    'collectorIds: Hamar has no key until it was started once',
  )
  await expect(create({ collectorIds: ['x'] })).rejects.toThrow('collector not found')
  const stranger = await enrolled(await home().newTenant(), 'Oslo')
  await expect(create({ collectorIds: [stranger.id] })).rejects.toThrow('collector not found')
  await expect(create({ collectorIds: [id], cidrs: [NET], targetIds: [target.id] })).rejects.toThrow(
    /^targetIds: must be none where collectors alone open the secret/,
  )
  await revokeCollector(ctx, id)
  await expect(create({ collectorIds: [id] })).rejects.toThrow('collectorIds: Oslo was revoked')
})

test('a collector that alone can open a secret is not deleted, and the refusal names the credential', async () => {
  const ctx = await home().newTenant()
  const [oslo, bergen] = [await enrolled(ctx, 'Oslo'), await enrolled(ctx, 'Bergen')]
  await createCredential(ctx, wanted({ name: 'Both', collectorIds: [oslo.id, bergen.id] }))
  const alone = await createCredential(ctx, wanted({ name: 'Alone', collectorIds: [oslo.id] }))
  await createCredential(ctx, wanted({ name: 'Server' }))
  await expect(deleteCollector(ctx, oslo.id)).rejects.toMatchObject({
    status: 409,
    message: 'it alone can open Alone; enter those secrets anew for another, or delete them, first',
  })
  await deleteCredential(ctx, alone.id)
  await deleteCollector(ctx, oslo.id)
  await expect(deleteCollector(ctx, bergen.id)).rejects.toThrow('it alone can open Both')
})

test('of several collectors those are asked that can open a secret, the ones that can open most before others', async () => {
  const ctx = await home().newTenant()
  const [oslo, bergen, paris] = [
    await enrolled(ctx, 'Oslo'),
    await enrolled(ctx, 'Bergen'),
    await enrolled(ctx, 'Paris'),
  ]
  const ids = [oslo.id, bergen.id, paris.id]
  const shownBy = () => lending(ctx).shownBy('10.0.0.7', SSH, ids)
  expect(await shownBy()).toEqual(new Map())
  await createCredential(ctx, wanted({ name: 'Both', collectorIds: [oslo.id, bergen.id] }))
  await createCredential(ctx, wanted({ name: 'Alone', collectorIds: [bergen.id] }))
  expect(await shownBy()).toEqual(
    new Map([
      [oslo.id, 1],
      [bergen.id, 2],
    ]),
  )
  await createCredential(ctx, wanted({ name: 'Server' }))
  expect(await shownBy()).toEqual(
    new Map([
      [oslo.id, 2],
      [bergen.id, 3],
      [paris.id, 1],
    ]),
  )
})

test('while a collector is taken away, the secrets that it can open do not change, and it is given no more', async () => {
  const ctx = await home().newTenant()
  const [oslo, bergen] = [await enrolled(ctx, 'Oslo'), await enrolled(ctx, 'Bergen')]
  for (const [name, collectorIds] of Object.entries({
    Both: [oslo.id, bergen.id],
    'Oslo alone': [oslo.id],
    'Bergen alone': [bergen.id],
  }))
    await createCredential(ctx, wanted({ name, collectorIds }))
  const changeable = async () =>
    (
      await ctx.db.all(sql<{ name: string }>`
        select name from credentials where tenant_id = ${ctx.tenantId} order by name for update skip locked`)
    ).map(({ name }) => name)
  const givable = async () =>
    (
      await ctx.db.all(sql<{ name: string }>`
        select name from collectors where tenant_id = ${ctx.tenantId} order by name for key share skip locked`)
    ).map(({ name }) => name)
  expect([await changeable(), await givable()]).toEqual([
    ['Bergen alone', 'Both', 'Oslo alone'],
    ['Bergen', 'Oslo'],
  ])
  await atomically(ctx, async (inner) => {
    expect(await credentialsOpenedOnlyBy(inner, oslo.id)).toEqual(['Oslo alone'])
    expect([await changeable(), await givable()]).toEqual([['Bergen alone'], ['Bergen']])
  })
})

test('the audit log says when a secret becomes one for collectors alone', async () => {
  const ctx = await home().newTenant()
  const { id } = await enrolled(ctx, 'Oslo')
  const made = await createCredential(ctx, wanted())
  const values = { username: 'scan', password: password() }
  await updateCredential(ctx, made.id, { collectorIds: [id], values })
  const { details } = await ctx.db.one(sql<{ details: unknown }>`
    select details from audit_entries where tenant_id = ${ctx.tenantId} and action = 'credential.updated'`)
  expect(JSON.stringify(details)).toContain('isCollectorOnly')
})
