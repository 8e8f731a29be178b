import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'

const shared = sharedTestApp()

test('an asset is made by hand and deleted', async () => {
  const ctx = await shared().newTenant()
  const api = shared().as(await shared().key(ctx))
  const post = (body: unknown) =>
    api.send<Readonly<Record<string, unknown>>>('POST', '/api/v1/assets', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const made = await post({ name: 'Projector', vendor: 'Epson', serial: 'X7K90001', ipAddress: '10.0.0.9' })
  expect(made).toMatchObject({ status: 201, body: { name: 'Projector', isNew: true } })
  const again = await post({ name: 'Projector 2', vendor: 'Epson', serial: 'X7K90001' })
  expect(again).toMatchObject({ status: 201, body: { id: made.body['id'], isNew: false } })
  for (const [body, message] of [
    [{}, 'name: is required'],
    [{ name: '' }, 'name: must have 1 to 255 characters'],
    [{ name: 'x', ipAddress: '10.0.0.300' }, 'ipAddress: is not an IPv4 or IPv6 address'],
    [{ name: 'x', macAddress: '00:11' }, 'macAddress: is not a MAC address, such as 00:1b:21:3c:4d:5e'],
    [{ name: 'x', macAddress: 5 }, 'macAddress: must be string'],
  ])
    expect(await post(body)).toMatchObject({ status: 400, body: { error: 'invalid_request', message } })
  expect((await post({ name: 'y', macAddress: '001b.213c.4d5e' })).status).toBe(201)
  const path = `/api/v1/assets/${String(made.body['id'])}`
  expect((await api.send('DELETE', path)).status).toBe(200)
  expect((await api.send('DELETE', path)).status).toBe(404)
})
