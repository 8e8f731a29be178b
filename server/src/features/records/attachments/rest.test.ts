import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import type { Caller } from '#test/support/http/api-client.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { restRecordFactories } from '#test/support/api-coverage/rest-record-factories.ts'

const shared = sharedTestApp()
let ctx: Ctx
let api: Caller
let assetId: string
let contractId: string
beforeAll(async () => {
  ctx = await shared().newTenant()
  api = shared().as(await shared().key(ctx))
  assetId = (await restRecordFactories['assets']?.(ctx)) ?? ''
  contractId = (await restRecordFactories['contracts']?.(ctx)) ?? ''
})

type Json = Readonly<Record<string, unknown>>
const send = (method: string, path: string, body?: unknown) =>
  api.send<Json & { readonly data: readonly Json[] }>(
    method,
    `/api/v1${path}`,
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  )
const base64 = (text: string) => Buffer.from(text).toString('base64')

test('a file is attached, listed, fetched and deleted', async () => {
  const body = { name: 'notes.html', content: base64('<b>hello</b>') }
  const added = await send('POST', `/assets/${assetId}/attachments`, body)
  expect(added).toMatchObject({
    status: 201,
    body: { assetId, contractId: null, name: 'notes.html', bytes: 12, received: 12 },
  })
  const id = String(added.body['id'])
  expect((await send('GET', `/assets/${assetId}/attachments`)).body.data).toEqual([added.body])
  expect((await send('GET', `/attachments/${id}`)).body).toEqual(added.body)
  expect(await send('GET', `/attachments/${id}/content`)).toMatchObject({
    status: 200,
    text: '<b>hello</b>',
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="notes.html"; filename*=UTF-8''notes.html`,
      'x-content-type-options': 'nosniff',
    },
  })
  expect((await send('DELETE', `/attachments/${id}`)).status).toBe(200)
  expect((await send('GET', `/attachments/${id}/content`)).status).toBe(404)
})

test('a file comes in parts, and what is sent again is no second file', async () => {
  const part = (at: number, text: string) =>
    send('POST', `/contracts/${contractId}/attachments`, {
      name: 'a.txt',
      key: 'k',
      bytes: 6,
      at,
      content: base64(text),
    })
  expect(await part(0, 'abc')).toMatchObject({
    status: 201,
    body: { received: 3, sha256: null, mediaType: null },
  })
  expect(await part(4, 'ef')).toMatchObject({ status: 409, body: { received: 3 } })
  expect(await part(0, 'abc')).toMatchObject({ status: 201, body: { received: 3 } })
  const whole = await part(3, 'def')
  expect(whole.body).toMatchObject({ received: 6, sha256: expect.any(String) })
  expect((await send('GET', `/contracts/${contractId}/attachments`)).body.data).toEqual([whole.body])
})

const nobody = '00000000-0000-7000-8000-000000000000'
test.each([
  ['GET', `/assets/${nobody}/attachments`, undefined, 404],
  ['POST', `/assets/${nobody}/attachments`, { name: 'a', content: 'eA==' }, 404],
  ['POST', `/contracts/${nobody}/attachments`, { name: 'a', content: 'eA==' }, 404],
  ['DELETE', `/attachments/${nobody}`, undefined, 404],
  ['POST', '/assets/ASSET/attachments', { name: 'a', content: 'eA=' }, 400],
  ['POST', '/assets/ASSET/attachments', { name: 'a', content: '' }, 400],
  ['POST', '/assets/ASSET/attachments', { name: ' ', content: 'eA==' }, 400],
  ['POST', '/assets/ASSET/attachments', { content: 'eA==' }, 400],
  ['POST', '/assets/ASSET/attachments', { name: 'a', content: 'eA==', bytes: 20_000_001 }, 400],
  ['POST', '/assets/ASSET/attachments', { name: 'a', content: 'eHg=', bytes: 1 }, 409],
])('%s %s %j is refused with %d', async (method, path, body, status) => {
  expect((await send(method, path.replace('ASSET', assetId), body)).status).toBe(status)
})
