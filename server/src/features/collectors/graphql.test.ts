import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf } from '#test/support/http/graphql-client.ts'

const shared = sharedTestApp({ contextOf: believed })

test('a collector is made, listed before it was heard of, revoked and deleted', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  const made = await ask<{ createCollector: { secret: string; collector: { id: string } } }>(
    'mutation { createCollector(name: "Oslo") { secret collector { id } } }',
  )
  const { secret, collector } = made.data?.createCollector ?? {}
  expect(secret).toMatch(/\S{20,}/)
  const listed = `{ collectors { id name state version address enrolledAt lastSeenAt revokedAt sharedAt } }`
  expect(await ask(listed)).toEqual({
    data: {
      collectors: [
        {
          ...collector,
          name: 'Oslo',
          state: 'waiting',
          version: '',
          address: '',
          enrolledAt: null,
          lastSeenAt: null,
          revokedAt: null,
          sharedAt: null,
        },
      ],
    },
  })
  const revoked = await ask('mutation ($id: ID!) { revokeCollector(id: $id) { state revokedAt } }', collector)
  expect(revoked.data).toEqual({
    revokeCollector: { state: 'revoked', revokedAt: expect.stringMatching(/Z$/) as string },
  })
  expect((await ask('mutation ($id: ID!) { deleteCollector(id: $id) }', collector)).data).toEqual({
    deleteCollector: collector?.id,
  })
  expect((await ask(listed)).data).toEqual({ collectors: [] })
})
