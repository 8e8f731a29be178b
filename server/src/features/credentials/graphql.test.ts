import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf } from '#test/support/http/graphql-client.ts'

const shared = sharedTestApp({ contextOf: believed })

test('a credential is written and its secret is nowhere to be read', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  const made = await ask<{ createCredential: { id: string } }>(
    `mutation { createCredential(name: "Linux", kind: ssh_password, cidrs: ["10.1.2.3/16"], username: "scan",
      password: "streng-geheim") { id settings cidrs port setAsideUntil worksOn } }`,
  )
  expect(made.data).toMatchObject({
    createCredential: { settings: { username: 'scan' }, cidrs: ['10.1.0.0/16'], port: null, worksOn: 0 },
  })
  const id = made.data?.createCredential.id
  const changed = await ask(
    'mutation ($id: ID!) { updateCredential(id: $id, port: 2222, username: "reader") { port settings } }',
    { id },
  )
  expect(changed.data).toEqual({ updateCredential: { port: 2222, settings: { username: 'reader' } } })
  const all = await ask('{ credentials { total items { id name kind settings cidrs targetIds } } }')
  expect(JSON.stringify([made, changed, all])).not.toContain('streng-geheim')
  expect((await ask('{ credentials { items { password } } }')).errors).toHaveLength(1)
  expect((await ask('mutation ($id: ID!) { deleteCredential(id: $id) }', { id })).data).toEqual({
    deleteCredential: id,
  })
})

test('a refusal names the field and does not repeat what was given', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  const answer = await ask(
    `mutation { createCredential(name: "v3", kind: snmp_user, cidrs: ["10.0.0.0/8"], username: "u",
      authPassword: "geheim") { id } }`,
  )
  expect(answer.errors?.[0]).toMatchObject({ extensions: { code: 'invalid_request', field: 'authPassword' } })
  expect(JSON.stringify(answer)).not.toContain('geheim')
})

test('a host key is of port 22 unless another is named, and of nothing else is anything assumed', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  const key = {
    address: '"10.0.0.5"',
    algorithm: '"ssh-ed25519"',
    fingerprint: '"SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"',
  }
  const add = (given: Partial<typeof key>) => {
    const said = Object.entries(given).map(([name, value]) => `${name}: ${value}`)
    return ask(`mutation { addHostKey(${said.join(', ')}) { address port trust } }`)
  }
  for (const name of ['address', 'algorithm', 'fingerprint'] as const) {
    const { [name]: _, ...others } = key
    expect((await add(others)).errors?.[0]?.message).toMatch(
      new RegExp(`addHostKey\\(${name}:\\)" .* is required`),
    )
  }
  expect((await add(key)).data).toEqual({ addHostKey: { address: '10.0.0.5', port: 22, trust: 'known' } })
})
