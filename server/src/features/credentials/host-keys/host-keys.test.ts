import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { wanted } from '../credentials.fixture.ts'
import { createCredential, lendTo, updateCredential } from '../credentials.ts'
import type { HostKey } from './host-key.ts'
import {
  acceptHostKey,
  addHostKey,
  approveHostKey,
  forgetHostKey,
  knownAlgorithms,
  listHostKeys,
  refuseHostKey,
} from './host-keys.ts'
import { publicKeyFingerprint } from './known-hosts-file.ts'
import { deleteKnownHost, importKnownHosts, listKnownHosts } from './known-hosts.ts'

const home = sharedTestApp()
const ALL = { limit: 100, offset: 0 }
const KEY: HostKey = { address: '10.0.0.5', port: 22, algorithm: 'ssh-ed25519', fingerprint: 'SHA256:old' }
const OTHER = { ...KEY, fingerprint: 'SHA256:new' }

/** A credential that asks nobody. */
const KEEN = { id: 'keen' }

const scanOf = (ctx: Ctx) =>
  lendTo(ctx, { scanId: randomUUID(), targetId: null, startedBy: null, covers: () => true })
const only = async (ctx: Ctx) => (await listHostKeys(ctx, ALL)).items[0]?.id ?? ''

test('the first key is pinned, another refused loudly, until a person accepts it', async () => {
  const ctx = await home().newTenant()
  expect(await scanOf(ctx).knowHostKey(KEY, KEEN)).toBe('new')
  expect(await scanOf(ctx).knowHostKey(KEY, KEEN)).toBe('same')
  const scan = scanOf(ctx)
  expect(await scan.knowHostKey(OTHER, KEEN)).toBe('changed')
  expect(await scanOf(ctx).knowHostKey(OTHER, KEEN)).toBe('changed')
  expect(scan.warnings()).toEqual([
    expect.stringMatching(/10\.0\.0\.5 port 22 is .*SHA256:old.*SHA256:new.*hostkey accept [0-9a-f-]{36}/),
  ])
  const { items } = await searchAudit(ctx, { action: 'host_key.changed', ...ALL })
  expect(items).toHaveLength(1)
  expect(await acceptHostKey(ctx, await only(ctx))).toMatchObject({
    fingerprint: 'SHA256:new',
    offeredFingerprint: null,
  })
  expect(await scanOf(ctx).knowHostKey(OTHER, KEEN)).toBe('same')
  expect(await scanOf(ctx).knowHostKey(KEY, KEEN)).toBe('changed')
})

test('a key of another algorithm is a change too; other ports, addresses, tenants and TLS are others', async () => {
  const ctx = await home().newTenant()
  await scanOf(ctx).knowHostKey(KEY, KEEN)
  expect(await scanOf(ctx).knowHostKey({ ...KEY, algorithm: 'ssh-rsa' }, KEEN)).toBe('changed')
  expect(await scanOf(ctx).knowHostKey({ ...KEY, algorithm: 'tls' }, KEEN)).toBe('new')
  expect(await scanOf(ctx).knowHostKey({ ...OTHER, port: 2222 }, KEEN)).toBe('new')
  expect(await scanOf(ctx).knowHostKey({ ...OTHER, address: '10.0.0.6' }, KEEN)).toBe('new')
  expect(await scanOf(await home().newTenant()).knowHostKey(OTHER, KEEN)).toBe('new')
  expect(await knownAlgorithms(ctx, KEY)).toEqual(['ssh-ed25519', 'tls'])
})

test('what is forgotten is pinned anew; nothing offered is nothing to accept; strangers find nothing', async () => {
  const ctx = await home().newTenant()
  await scanOf(ctx).knowHostKey(KEY, KEEN)
  const id = await only(ctx)
  await expect(acceptHostKey(ctx, id)).rejects.toMatchObject({ status: 409 })
  await expect(forgetHostKey(await home().newTenant(), id)).rejects.toMatchObject({ status: 404 })
  await forgetHostKey(ctx, id)
  expect(await scanOf(ctx).knowHostKey(OTHER, KEEN)).toBe('new')
})

/** A scan whose password asks before it goes to an unknown host. */
async function cautious(ctx: Ctx, names: readonly string[] = []) {
  const { id } = await createCredential(ctx, wanted())
  const scan = lendTo(ctx, {
    scanId: randomUUID(),
    targetId: null,
    startedBy: null,
    covers: () => true,
    namesOf: () => names,
  })
  const [credential] = await scan.credentialsFor(KEY.address, ['ssh_password'])
  await scan.close()
  expect(credential?.id).toBe(id)
  return { scan, know: (host: HostKey) => scan.knowHostKey(host, { id }) }
}

test('a new password asks before it goes to an unknown host, until a person approves the very key', async () => {
  const ctx = await home().newTenant()
  const { scan, know } = await cautious(ctx)
  expect(await know(KEY)).toBe('unknown')
  expect(await know(KEY)).toBe('unknown')
  expect(scan.warnings()).toEqual([
    expect.stringMatching(/10\.0\.0\.5 port 22 is not known.*hostkey approve [0-9a-f-]{36} SHA256:old/),
  ])
  const { items, total } = await listHostKeys(ctx, ALL, 'waiting')
  expect(total).toBe(1)
  expect(items[0]).toMatchObject({ ...KEY, trust: 'waiting', scanId: expect.any(String) })
  expect((await searchAudit(ctx, { action: 'host_key.waiting', ...ALL })).items).toHaveLength(1)
  const id = await only(ctx)
  // the host shows another key while the person looks at the first
  expect(await know(OTHER)).toBe('unknown')
  await expect(approveHostKey(ctx, id, KEY.fingerprint)).rejects.toMatchObject({ status: 409 })
  await expect(approveHostKey(await home().newTenant(), id, OTHER.fingerprint)).rejects.toMatchObject({
    status: 404,
  })
  expect(await approveHostKey(ctx, id, OTHER.fingerprint)).toMatchObject({ trust: 'known' })
  expect(await know(OTHER)).toBe('same')
  expect(await know(KEY)).toBe('changed')
  await expect(refuseHostKey(ctx, id)).rejects.toMatchObject({ status: 409 })
})

test('a key that a person refused is refused for every credential; another key is asked about anew', async () => {
  const ctx = await home().newTenant()
  const { scan, know } = await cautious(ctx)
  await know(KEY)
  expect(await refuseHostKey(ctx, await only(ctx))).toMatchObject({ trust: 'refused' })
  expect(await know(KEY)).toBe('refused')
  expect(await scan.knowHostKey(KEY, KEEN)).toBe('refused')
  expect(await know({ ...KEY, fingerprint: 'SHA256:third' })).toBe('unknown')
})

test('a credential that asks nobody takes over what waits', async () => {
  const ctx = await home().newTenant()
  const { scan, know } = await cautious(ctx)
  await know(KEY)
  expect(await scan.knowHostKey(KEY, KEEN)).toBe('new')
  expect((await listHostKeys(ctx, ALL)).items).toMatchObject([{ ...KEY, trust: 'known' }])
  expect(await know(KEY)).toBe('same')
})

const BLOB = 'AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'
const PRELOADED = { ...KEY, fingerprint: publicKeyFingerprint('ssh-ed25519', BLOB) ?? '' }

test('a host of known_hosts is known at first sight by its address or name; another key is a change', async () => {
  const ctx = await home().newTenant()
  const imported = await importKnownHosts(ctx, `*.lab.test ssh-ed25519 ${BLOB}\nbroken\n`)
  expect(imported).toMatchObject({ read: 1, added: 1, rejected: [{ line: 2 }] })
  expect(await importKnownHosts(ctx, `*.lab.test ssh-ed25519 ${BLOB}`)).toMatchObject({ added: 0 })
  const { scan, know } = await cautious(ctx, ['a.lab.test'])
  expect(await scan.knownAlgorithms(KEY.address, 22)).toEqual(['ssh-ed25519'])
  expect(await know({ ...KEY, algorithm: 'ssh-rsa' })).toBe('changed')
  expect(await know(PRELOADED)).toBe('same')
  expect((await listHostKeys(ctx, ALL)).items).toMatchObject([{ ...PRELOADED, trust: 'known' }])
  const stranger = await home().newTenant()
  expect(await (await cautious(stranger, ['a.lab.test'])).know(PRELOADED)).toBe('unknown')
})

test('of several keys of a host the one it shows is known; a revoked one is refused; lines can be deleted', async () => {
  const ctx = await home().newTenant()
  const other = Buffer.from(BLOB, 'base64').fill(9, 19).toString('base64')
  await importKnownHosts(ctx, `10.0.0.5 ssh-ed25519 ${other}\n10.0.0.5 ssh-ed25519 ${BLOB}`)
  const { know } = await cautious(ctx)
  expect(await know(PRELOADED)).toBe('same')
  await forgetHostKey(ctx, await only(ctx))
  await importKnownHosts(ctx, `@revoked 10.0.0.5 ssh-ed25519 ${BLOB}`)
  expect(await know(PRELOADED)).toBe('refused')
  for (const { id } of (await listKnownHosts(ctx, ALL)).items) await deleteKnownHost(ctx, id)
  expect(await know(PRELOADED)).toBe('unknown')
})

test('a single key is added, of a certificate too', async () => {
  const ctx = await home().newTenant()
  const key = { ...PRELOADED, algorithm: 'tls', port: 443 }
  expect(await addHostKey(ctx, key)).toMatchObject({ ...key, trust: 'known' })
  await expect(addHostKey(ctx, key)).rejects.toMatchObject({ status: 409 })
  expect(await (await cautious(ctx)).know(key)).toBe('same')
  for (const [field, wrong] of Object.entries({
    address: 'x',
    port: 0,
    algorithm: 'a b',
    fingerprint: 'MD5:1',
  }))
    await expect(addHostKey(ctx, { ...key, [field]: wrong })).rejects.toThrow(new RegExp(`^${field}: `))
})

test('what sends no secret, or meets nothing to know a host by, cannot ask', async () => {
  const ctx = await home().newTenant()
  const winrm = { username: 'scan', password: 'a long password' }
  const made = async (kind: string, values: object, asksOnUnknownHost?: boolean) =>
    createCredential(
      ctx,
      wanted({ kind, values, ...(asksOnUnknownHost !== undefined && { asksOnUnknownHost }) }),
    )
  expect(await made('winrm', winrm)).toMatchObject({ asksOnUnknownHost: true })
  expect(await made('winrm', winrm, false)).toMatchObject({ asksOnUnknownHost: false })
  expect(await made('winrm', { ...winrm, transport: 'http' })).toMatchObject({ asksOnUnknownHost: false })
  expect(await made('snmp_community', { community: 'c' })).toMatchObject({ asksOnUnknownHost: false })
  await expect(made('snmp_community', { community: 'c' }, true)).rejects.toThrow(/^asksOnUnknownHost: /)
  const { id } = await made('ssh_password', { username: 'u', password: 'p' })
  expect(await updateCredential(ctx, id, { asksOnUnknownHost: false })).toMatchObject({
    asksOnUnknownHost: false,
  })
})
