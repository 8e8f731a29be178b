import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { restRecordFactories } from '#test/support/api-coverage/rest-record-factories.ts'

const shared = sharedTestApp()

test('relations are recorded, read from both ends and taken away', async () => {
  const ctx = await shared().newTenant()
  const api = shared().as(await shared().key(ctx))
  const send = (method: string, path: string, body?: unknown) =>
    api.send<Readonly<Record<string, unknown>>>(
      method,
      `/api/v1${path}`,
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    )
  const make = restRecordFactories['assets']
  const [from = '', to = ''] = [await make?.(ctx), await make?.(ctx)]
  const added = await send('POST', `/assets/${from}/relations`, {
    kind: 'runs_on',
    toId: to,
    note: 'since May',
  })
  expect(added).toMatchObject({ status: 201, body: { kind: 'runs_on', direction: 'out', otherId: to } })
  const id = String(added.body['id'])
  expect((await send('GET', `/assets/${to}/relations`)).body).toMatchObject({
    data: [{ id, direction: 'in', otherId: from, note: 'since May' }],
  })
  for (const [body, status] of [
    [{ kind: 'runs_on', toId: to }, 409],
    [{ kind: 'beside', toId: to }, 400],
    [{ kind: 'runs_on', toId: from }, 400],
    [{ kind: 'runs_on', toId: id }, 404],
    [{ kind: 'part_of', toId: to, note: '\u{1f600}'.repeat(1_001) }, 400],
    [{ kind: 'part_of', toId: to, note: '\u{1f600}'.repeat(1_000) }, 201],
  ] as const)
    expect((await send('POST', `/assets/${from}/relations`, body)).status).toBe(status)
  expect((await send('DELETE', `/relations/${id}`)).status).toBe(200)
  expect((await send('DELETE', `/relations/${id}`)).status).toBe(404)
})
