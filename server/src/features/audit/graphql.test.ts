import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf, PERSON } from '#test/support/http/graphql-client.ts'

const shared = sharedTestApp({ contextOf: believed })

test('what a person did is found by what was done, to what, and any of its words', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  await ask('mutation { createApiKey(name: "ci", scopes: [read, recognition_read]) { secret } }')
  const found = async (args: string) =>
    (
      await ask<{ auditEntries: { total: number; items: object[] } }>(
        `{ auditEntries(${args}) { total items { actorKind actorId action subjectType details } } }`,
      )
    ).data?.auditEntries
  const entry = {
    actorKind: 'user',
    actorId: PERSON,
    action: 'api_key.created',
    subjectType: 'api_key',
    details: expect.objectContaining({ name: 'ci', scopes: ['read', 'recognition:read'] }),
  }
  for (const args of [
    `actorId: "${PERSON}"`,
    'action: "api_key."',
    'subjectType: "api_key"',
    'text: "CI"',
    'from: "2020-01-01T00:00:00Z", first: 1, action: "api_key.created"',
  ])
    expect(await found(args)).toEqual({ total: 1, items: [entry] })
  for (const args of ['action: "api_key.revoked"', 'until: "2020-01-01T00:00:00Z"', 'actorId: "x"'])
    expect(await found(args)).toEqual({ total: 0, items: [] })
})

test('an instant that is none is refused', async () => {
  const ask = asker(shared().as(), headersOf(await shared().newTenant()))
  for (const at of ['yesterday', '2026-02-30', '2026-13-01T00:00:00Z'])
    expect(
      (await ask('query ($at: DateTime) { auditEntries(from: $at) { total } }', { at })).errors?.[0]
        ?.extensions.code,
    ).toBe('invalid_request')
})
