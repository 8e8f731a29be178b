import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import type { Caller } from '#test/support/http/api-client.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { restRecordFactories } from '#test/support/api-coverage/rest-record-factories.ts'

const shared = sharedTestApp()
let ctx: Ctx
let api: Caller
let assetId: string
beforeAll(async () => {
  ctx = await shared().newTenant()
  api = shared().as(await shared().key(ctx))
  assetId = (await restRecordFactories['assets']?.(ctx)) ?? ''
})

type Json = Readonly<Record<string, unknown>> & {
  readonly data: readonly Readonly<Record<string, unknown>>[]
}
const send = (method: string, path: string, body?: unknown) =>
  api.send<Json>(
    method,
    `/api/v1${path}`,
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  )

test('contracts are added, listed in pages, changed and deleted', async () => {
  const added = await send('POST', '/contracts', {
    name: 'Support',
    cost: '1299',
    currency: 'eur',
    begins: '2026-01-01',
  })
  expect(added).toMatchObject({
    status: 201,
    body: { name: 'Support', cost: '1299.00', currency: 'EUR', ends: null },
  })
  const id = String(added.body['id'])
  await send('POST', '/contracts', { name: 'Lease' })
  expect(await send('GET', '/contracts?limit=1&offset=1')).toMatchObject({
    headers: { 'x-total-count': '2', 'x-page': '2' },
    body: { data: [{ id, name: 'Support' }] },
  })
  expect((await send('PATCH', `/contracts/${id}`, { ends: '2026-12-31', cost: null })).body).toMatchObject({
    name: 'Support',
    begins: '2026-01-01',
    ends: '2026-12-31',
    cost: null,
  })
  expect(await send('PATCH', `/contracts/${id}`, { ends: '2025-12-31' })).toMatchObject({
    status: 409,
    body: { message: 'ends: is before it begins' },
  })
  expect((await send('DELETE', `/contracts/${id}`)).status).toBe(200)
  expect((await send('GET', `/contracts/${id}`)).status).toBe(404)
})

test('entitlements are added, their uses assigned, counted and taken away', async () => {
  const contract = await send('POST', '/contracts', { name: 'Licences' })
  const contractId = contract.body['id']
  const added = await send('POST', '/entitlements', {
    product: 'Office',
    metric: 'device',
    count: 1,
    contractId,
  })
  expect(added).toMatchObject({ status: 201, body: { product: 'Office', used: 0, contract: 'Licences' } })
  const path = `/entitlements/${String(added.body['id'])}`
  const assigned = await send('POST', `${path}/uses`, { assetIds: [assetId], persons: ['ann@example.org'] })
  expect(assigned).toMatchObject({ status: 200, body: { count: 1, used: 2 } })
  const { data } = (await send('GET', `${path}/uses`)).body
  const users = new Set(data.map((it) => it['assetId'] ?? it['person']))
  expect(users).toEqual(new Set([assetId, 'ann@example.org']))
  const use = `${path}/uses/${String(data[0]?.['id'])}`
  expect((await send('DELETE', use)).body).toMatchObject({ used: 1 })
  expect((await send('DELETE', use)).status).toBe(404)
  expect((await send('PATCH', path, { count: null, contractId: null })).body).toMatchObject({
    product: 'Office',
    count: null,
    contract: null,
  })
  expect((await send('DELETE', path)).status).toBe(200)
  expect((await send('GET', path)).status).toBe(404)
})

const nobody = '00000000-0000-7000-8000-000000000000'
test.each([
  ['POST', '/contracts', { name: ' ' }, 400],
  ['POST', '/contracts', { name: 'x', begins: '2026-02-30' }, 400],
  ['POST', '/contracts', { name: 'x', begins: '' }, 400],
  ['POST', '/contracts', { name: 'x', cost: '12' }, 409],
  ['POST', '/contracts', { name: 'x', cost: '-1', currency: 'EUR' }, 400],
  ['PATCH', `/contracts/${nobody}`, { name: 'x' }, 404],
  ['POST', '/entitlements', { product: 'x', metric: 'toaster' }, 400],
  ['POST', '/entitlements', { product: 'x', metric: 'user', count: -1 }, 400],
  ['POST', '/entitlements', { product: 'x', metric: 'user', contractId: nobody }, 404],
  ['POST', `/entitlements/${nobody}/uses`, { assetIds: [] }, 404],
  ['GET', `/entitlements/${nobody}/uses`, undefined, 404],
])('%s %s %j is refused with %d', async (method, path, body, status) => {
  expect((await send(method, path, body)).status).toBe(status)
})
