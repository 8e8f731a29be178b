import { createPublicKey, verify, type JsonWebKey } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { publishedKeys, rotateIssuerKeys } from './issuer.ts'

const DAY_MS = 86_400_000

async function scene() {
  const clock = { now: new Date('2026-01-01T00:00:00Z') }
  const app = await testApp({ now: () => clock.now, publicUrl: 'https://rollcall.example' })
  return { app, pass: (days: number) => void (clock.now = new Date(clock.now.getTime() + days * DAY_MS)) }
}

const decoded = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

/** The key that signed a token, among those that are published. */
async function signer({ runtime }: TestApp): Promise<string | undefined> {
  const token = await runtime.system.issueToken({ sub: 'connection', aud: 'provider' })
  const [head, payload, signature = ''] = token.split('.')
  const { kid } = decoded(head)
  const keys = (await publishedKeys(runtime.system)) as (JsonWebKey & { kid: string })[]
  const found = keys.find((it) => it.kid === kid)
  if (!found) return undefined
  const key = createPublicKey({ key: found, format: 'jwk' })
  expect(verify('sha256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(
    true,
  )
  return found.kid
}

test('tokens say who issued them for whom, and end after ten minutes', async () => {
  const { app } = await scene()
  const token = await app.runtime.system.issueToken({ sub: 'connection', aud: 'provider' })
  const at = Date.parse('2026-01-01T00:00:00Z') / 1_000
  expect(decoded(token.split('.')[1])).toEqual({
    iss: 'https://rollcall.example/oidc/cloud',
    sub: 'connection',
    aud: 'provider',
    iat: at,
    nbf: at,
    exp: at + 600,
  })
})

test('the next key is published a month before it signs, and the last one for a day after', async () => {
  const { app, pass } = await scene()
  const { system } = app.runtime
  const first = await signer(app)
  const days = async (count: number) => {
    pass(count)
    await rotateIssuerKeys(system)
    return (await publishedKeys(system)).length
  }
  expect(await days(59)).toBe(1)
  expect(await days(2)).toBe(2)
  expect(await signer(app)).toBe(first)
  expect(await days(29.5)).toBe(2)
  const second = await signer(app)
  expect(second).not.toBe(first)
  expect(await days(2)).toBe(1)
  expect(await signer(app)).toBe(second)
})

test('an installation that was off for a year signs with a new key, and tokens of the old one are still verified', async () => {
  const { app, pass } = await scene()
  const first = await signer(app)
  pass(365)
  await rotateIssuerKeys(app.runtime.system)
  expect(await signer(app)).not.toBe(first)
  expect(await publishedKeys(app.runtime.system)).toHaveLength(2)
})

test('private keys are sealed, served to nobody, and closed to the database role of tenants', async () => {
  const { app } = await scene()
  await signer(app)
  const { sealed } = await app.runtime.system.db.one(sql<{ sealed: Buffer }>`
    select private_key_sealed as sealed from cloud_issuer_keys`)
  expect(sealed.toString('latin1')).not.toContain('PRIVATE KEY')
  const served = await (await fetch(`${await app.address()}/oidc/cloud/jwks`)).text()
  expect(Object.keys((JSON.parse(served) as { keys: [object] }).keys[0]).toSorted()).toEqual([
    'alg',
    'e',
    'kid',
    'kty',
    'n',
    'use',
  ])
  const ctx = await app.newTenant()
  await expect(ctx.db.all(sql`select kid from cloud_issuer_keys`)).rejects.toThrow(/permission denied/)
})
