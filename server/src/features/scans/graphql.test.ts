import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf } from '#test/support/http/graphql-client.ts'

const shared = sharedTestApp({ contextOf: believed })

test('a target is made, scanned, and not deleted while it is scanned', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  const made = await ask<{ createTarget: { id: string } }>(
    'mutation { createTarget(name: "office", cidr: "192.0.2.0/30") { id name kind address } }',
  )
  expect(made.data).toMatchObject({ createTarget: { name: 'office', kind: 'cidr', address: '192.0.2.0/30' } })
  const id = made.data?.createTarget.id
  expect((await ask('{ targets { id } availableScanTypes }')).data).toEqual({
    targets: [{ id }],
    availableScanTypes: expect.arrayContaining(['sweep']),
  })
  const started = await ask<{ startScan: { id: string } }>(
    'mutation ($id: ID!) { startScan(targetId: $id) { id type status progress { done } startedAt } }',
    { id },
  )
  expect(started.data?.startScan).toMatchObject({
    type: 'sweep',
    status: 'pending',
    progress: null,
    startedAt: null,
  })
  const scan = { id: started.data?.startScan.id }
  expect(
    (await ask('{ scans(status: pending) { total items { id } } done: scans(status: completed) { total } }'))
      .data,
  ).toEqual({ scans: { total: 1, items: [scan] }, done: { total: 0 } })
  const remove = 'mutation ($id: ID!) { deleteTarget(id: $id) }'
  expect((await ask(remove, { id })).errors?.[0]?.extensions.code).toBe('conflict')
  expect((await ask('mutation ($id: ID!) { cancelScan(id: $id) { status } }', scan)).data).toEqual({
    cancelScan: { status: 'cancelled' },
  })
  expect((await ask('query ($id: ID!) { scan(id: $id) { status message } }', scan)).data).toEqual({
    scan: { status: 'cancelled', message: 'cancelled' },
  })
  expect((await ask(remove, { id })).data).toEqual({ deleteTarget: id })
})

test.each([
  ['createTarget(name: "x") { id }', 'cidr'],
  ['createTarget(name: "x", cidr: "nowhere") { id }', 'cidr'],
  ['createTarget(name: "", host: "a.example") { id }', 'name'],
  ['startScan(targetId: "x") { id }', 'target'],
])('%s names the field at fault', async (mutation, field) => {
  const ask = asker(shared().as(), headersOf(await shared().newTenant()))
  expect((await ask(`mutation { ${mutation} }`)).errors?.[0]?.extensions).toEqual({
    code: 'invalid_request',
    field,
  })
})
