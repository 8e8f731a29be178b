import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTarget } from '#features/scans/scans.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import type { CredentialKind } from './credential.ts'
import {
  createCredential,
  deleteCredential,
  listCredentials,
  resetCredential,
  updateCredential,
  type NewCredential,
} from './credentials.ts'
import { rotateTenantKeys } from './encryption/data-keys.ts'
import { lending, lent, NET, password, SSH, wanted } from './credentials.fixture.ts'

const home = sharedTestApp()
const ALL = { limit: 100, offset: 0 }
async function columnsHolding(ctx: Ctx, text: string): Promise<string[]> {
  const tables = await home().runtime.system.db.all(sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`)
  const found: string[] = []
  for (const { name } of tables) {
    const { hits } = await ctx.db
      .one(sql<{ hits: number }>`
        select count(*) as hits from ${sql.table(name)} t where strpos(row_to_json(t)::text, ${text}) > 0
          or strpos(row_to_json(t)::text, ${Buffer.from(text).toString('hex')}) > 0`)
      .catch(() => ({ hits: 0 })) // tables of the installation alone
    if (hits > 0) found.push(name)
  }
  return found
}

test('a stored credential is lent for hosts of its networks, and never returned', async () => {
  const ctx = await home().newTenant()
  const secret = password()
  const made = await createCredential(
    ctx,
    wanted({ name: 'Linux', port: 2222, values: { username: 'scan', password: secret } }),
  )
  expect(made).toMatchObject({
    name: 'Linux',
    kind: 'ssh_password',
    settings: { username: 'scan' },
    port: 2222,
    cidrs: [NET],
  })
  expect(JSON.stringify(await listCredentials(ctx, ALL))).not.toContain(secret)
  expect(await columnsHolding(ctx, secret)).toEqual([])
  const { credentialsFor, redactor } = lending(ctx)
  expect(await credentialsFor('10.0.0.7', SSH)).toEqual([
    { id: made.id, name: 'Linux', kind: 'ssh_password', port: 2222, username: 'scan', password: secret },
  ])
  expect(redactor.text(`not ${secret}`)).not.toContain(secret)
})

test.each(['10.0.1.7', '192.0.2.1', '::ffff:10.0.0.7', 'host.example', '10.0.0.7/24', ''])(
  'it is not shown to %s',
  async (address) => {
    const ctx = await home().newTenant()
    await createCredential(ctx, wanted())
    expect(await lent(ctx, address, SSH)).toEqual([])
  },
)

test('it is not lent for an address outside the scan, to another tenant, or as another kind', async () => {
  const ctx = await home().newTenant()
  await createCredential(ctx, wanted())
  expect(await lending(ctx, null, (it) => it !== '10.0.0.7').credentialsFor('10.0.0.7', SSH)).toEqual([])
  expect(await lending(await home().newTenant()).credentialsFor('10.0.0.7', SSH)).toEqual([])
  expect(await lent(ctx, '10.0.0.7', ['winrm'])).toEqual([])
})

test('bound to a target, it is lent to scans of that target alone', async () => {
  const ctx = await home().newTenant()
  const { id } = await createTarget(ctx, { name: 'web', host: 'web.example' })
  await createCredential(ctx, wanted({ cidrs: [], targetIds: [id] }))
  expect(await lent(ctx, '192.0.2.9', SSH, id)).toHaveLength(1)
  expect(await lent(ctx, '192.0.2.9', SSH, randomUUID())).toEqual([])
})

test.each<[string, Partial<NewCredential>]>([
  ['name', { name: ' ' }],
  ['kind', { kind: 'telnet' }],
  ['cidrs', { cidrs: [] }],
  ['cidrs', { cidrs: ['0.0.0.0/0'] }],
  ['cidrs', { cidrs: ['10.0.0/8'] }],
  ['cidrs', { cidrs: ['10.0.0.0/33'] }],
  ['targetIds', { targetIds: ['x'] }],
  ['port', { port: 0 }],
  ['password', { values: { username: 'a' } }],
  ['username', { values: { password: 'a' } }],
  ['community', { values: { username: 'a', password: 'b', community: 'c' } }],
  ['privateKey', { kind: 'ssh_key', values: { username: 'a', privateKey: 'nonsense' } }],
  ['version', { kind: 'snmp_community', values: { community: 'x', version: '3' } }],
  ['authPassword', { kind: 'snmp_user', values: { username: 'u', privacyPassword: 'longenough' } }],
  ['authPassword', { kind: 'snmp_user', values: { username: 'u', authPassword: 'short' } }],
  ['tokenId', { kind: 'proxmox_token', values: { tokenId: 'root', secret: 's' } }],
  ['certificate', { kind: 'tls_client', values: { certificate: 'x', privateKey: 'y' } }],
])('what cannot be used is refused, naming %s', async (field, given) => {
  const ctx = await home().newTenant()
  await expect(createCredential(ctx, wanted(given))).rejects.toMatchObject({ status: 400, extras: { field } })
})

test('names are unique, targets are one’s own, and what is not there is not found', async () => {
  const ctx = await home().newTenant()
  const { id, name } = await createCredential(ctx, wanted())
  await expect(createCredential(ctx, wanted({ name: name.toUpperCase() }))).rejects.toMatchObject({
    status: 409,
  })
  const theirs = await createTarget(await home().newTenant(), { name: 'x', host: '192.0.2.1' })
  const foreign = wanted({ targetIds: [theirs.id] })
  await expect(createCredential(ctx, foreign)).rejects.toMatchObject({ status: 404 })
  await deleteCredential(ctx, id)
  await expect(deleteCredential(ctx, id)).rejects.toMatchObject({ status: 404 })
  await expect(resetCredential(await home().newTenant(), id)).rejects.toMatchObject({ status: 404 })
})

test('each kind comes back as probes want it', async () => {
  const ctx = await home().newTenant()
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const all: [CredentialKind, NewCredential['values'], object][] = [
    [
      'ssh_key',
      { username: 'a', privateKey, passphrase: 'p' },
      { username: 'a', privateKey, passphrase: 'p' },
    ],
    ['snmp_community', { community: 'c' }, { version: '2c', community: 'c' }],
    ['snmp_user', { username: 'u' }, { username: 'u' }],
    ['winrm', { username: 'D\\u', password: 'p' }, { username: 'D\\u', password: 'p', transport: 'https' }],
    ['vsphere', { username: 'u@v', password: 'p' }, { username: 'u@v', password: 'p' }],
    ['proxmox_token', { tokenId: 'a@pam!t', secret: 's' }, { tokenId: 'a@pam!t', secret: 's' }],
  ]
  for (const [kind, values, seen] of all) {
    const { id, name } = await createCredential(ctx, wanted({ kind, values }))
    expect(await lent(ctx, '10.0.0.1', [kind])).toEqual([{ id, name, kind, ...seen }])
  }
  await createCredential(
    ctx,
    wanted({
      name: 'v3',
      kind: 'snmp_user',
      values: {
        username: 'w',
        authPassword: 'authauth',
        privacyPassword: 'privpriv',
        privacyProtocol: 'aes256b',
      },
    }),
  )
  expect(await lent(ctx, '10.0.0.1', ['snmp_user'])).toContainEqual(
    expect.objectContaining({
      auth: { protocol: 'sha256', password: 'authauth' },
      privacy: { protocol: 'aes256b', password: 'privpriv' },
    }),
  )
})

test('a new network or target needs the secret again', async () => {
  const ctx = await home().newTenant()
  const { id } = await createCredential(ctx, wanted())
  await updateCredential(ctx, id, { cidrs: ['10.0.0.128/25'], name: 'narrow', port: 2022 })
  await expect(updateCredential(ctx, id, { cidrs: ['10.0.0.0/16'] })).rejects.toMatchObject({ status: 400 })
  const wider = await updateCredential(ctx, id, { cidrs: ['10.0.0.0/16'], values: { password: 'known' } })
  expect(wider).toMatchObject({ name: 'narrow', port: 2022, cidrs: ['10.0.0.0/16'] })
})

test('data keys are rotated under use, and a rotation that was interrupted is taken up again', async () => {
  const ctx = await home().newTenant()
  const secrets = new Map<string, string>()
  for (let n = 0; n < 5; n++) {
    const secret = password()
    const { name } = await createCredential(ctx, wanted({ values: { username: 'u', password: secret } }))
    secrets.set(name, secret)
  }
  expect(await rotateTenantKeys(ctx)).toEqual({ version: 2, reencrypted: 5, removed: 1 })
  // as if killed when the new key was there, and nothing under it yet
  await ctx.db.run(sql`
    insert into credential_keys (tenant_id, version, wrapped)
    values (${ctx.tenantId}, 3, ${ctx.seal.seal(randomBytes(32).toString('base64'), `credential_key|${ctx.tenantId}|3`)})`)
  const during = Promise.all([rotateTenantKeys(ctx), lent(ctx, '10.0.0.1', ['ssh_password'])])
  for (const it of (await during)[1]) expect(it).toMatchObject({ password: secrets.get(it.name) })
  const after = await lent(ctx, '10.0.0.2', ['ssh_password'])
  for (const it of after) expect(it).toMatchObject({ password: secrets.get(it.name) })
  const left = await ctx.db.all(sql<{ version: number }>`select version from credential_keys`)
  expect(left).toEqual([{ version: 3 }])
})

test('a ciphertext that is moved to another credential does not open', async () => {
  const ctx = await home().newTenant()
  const one = await createCredential(ctx, wanted())
  const two = await createCredential(ctx, wanted())
  await ctx.db.run(sql`
    update credentials set secret_sealed = (select secret_sealed from credentials where id = ${one.id}) where id = ${two.id}`)
  await deleteCredential(ctx, one.id)
  await expect(lent(ctx, '10.0.0.1')).rejects.toThrow(/authenticate/)
})

test.each<[string, number, (size: number) => Partial<NewCredential>]>([
  ['name', 200, (n) => ({ name: 'x'.repeat(n) })],
  ['username', 16_384, (n) => ({ values: { username: 'x'.repeat(n), password: password() } })],
  ['cidrs', 100, (n) => ({ cidrs: Array.from({ length: n }, (_, at) => `10.0.${at}.0/24`) })],
])('%s of a credential go to %i, and no further', async (field, most, given) => {
  const ctx = await home().newTenant()
  expect(await refusedBeyond(most, (size) => createCredential(ctx, wanted(given(size))))).toBe(field)
})
