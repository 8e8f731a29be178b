import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedHouse } from '#test/house.ts'
import { lendTo } from './credentials.ts'
import type { HostKey } from './host-key.ts'
import { acceptHostKey, forgetHostKey, knownAlgorithms, listHostKeys } from './host-keys.ts'

const home = sharedHouse()
const ALL = { limit: 100, offset: 0 }
const KEY: HostKey = { address: '10.0.0.5', port: 22, algorithm: 'ssh-ed25519', fingerprint: 'SHA256:old' }
const OTHER = { ...KEY, fingerprint: 'SHA256:new' }

const scanOf = (ctx: Ctx) =>
  lendTo(ctx, { scanId: randomUUID(), targetId: null, startedBy: null, covers: () => true })
const only = async (ctx: Ctx) => (await listHostKeys(ctx, ALL)).items[0]?.id ?? ''

test('the first key is pinned, another refused loudly, until a person accepts it', async () => {
  const ctx = await home().newTenant()
  expect(await scanOf(ctx).knowHostKey(KEY)).toBe('new')
  expect(await scanOf(ctx).knowHostKey(KEY)).toBe('same')
  const scan = scanOf(ctx)
  expect(await scan.knowHostKey(OTHER)).toBe('changed')
  expect(await scanOf(ctx).knowHostKey(OTHER)).toBe('changed')
  expect(scan.warnings()).toEqual([
    expect.stringMatching(/10\.0\.0\.5 port 22 is .*SHA256:old.*SHA256:new.*hostkey accept [0-9a-f-]{36}/),
  ])
  const { items } = await searchAudit(ctx, { action: 'host_key.changed', ...ALL })
  expect(items).toHaveLength(1)
  expect(await acceptHostKey(ctx, await only(ctx))).toMatchObject({
    fingerprint: 'SHA256:new',
    offeredFingerprint: null,
  })
  expect(await scanOf(ctx).knowHostKey(OTHER)).toBe('same')
  expect(await scanOf(ctx).knowHostKey(KEY)).toBe('changed')
})

test('a key of another algorithm is a change too; other ports, addresses, tenants and TLS are others', async () => {
  const ctx = await home().newTenant()
  await scanOf(ctx).knowHostKey(KEY)
  expect(await scanOf(ctx).knowHostKey({ ...KEY, algorithm: 'ssh-rsa' })).toBe('changed')
  expect(await scanOf(ctx).knowHostKey({ ...KEY, algorithm: 'tls' })).toBe('new')
  expect(await scanOf(ctx).knowHostKey({ ...OTHER, port: 2222 })).toBe('new')
  expect(await scanOf(ctx).knowHostKey({ ...OTHER, address: '10.0.0.6' })).toBe('new')
  expect(await scanOf(await home().newTenant()).knowHostKey(OTHER)).toBe('new')
  expect(await knownAlgorithms(ctx, '10.0.0.5', 22)).toEqual(['ssh-ed25519', 'tls'])
})

test('what is forgotten is pinned anew; nothing offered is nothing to accept; strangers find nothing', async () => {
  const ctx = await home().newTenant()
  await scanOf(ctx).knowHostKey(KEY)
  const id = await only(ctx)
  await expect(acceptHostKey(ctx, id)).rejects.toMatchObject({ status: 409 })
  await expect(forgetHostKey(await home().newTenant(), id)).rejects.toMatchObject({ status: 404 })
  await forgetHostKey(ctx, id)
  expect(await scanOf(ctx).knowHostKey(OTHER)).toBe('new')
})
