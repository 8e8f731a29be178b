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

const send = async (method: string, path: string, body?: unknown) => {
  const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const { status, body: answer } = await api.send(method, `/api/v1${path}`, body === undefined ? {} : json)
  return {
    status,
    answer: answer as Readonly<Record<string, unknown>> & { data: Readonly<Record<string, unknown>>[] },
  }
}

test('a custom field is defined, set, asked about, renamed, ordered and deleted', async () => {
  const { status, answer: field } = await send('POST', '/custom-fields', {
    name: 'Cost centre',
    kind: 'text',
  })
  expect([status, field['key'], field['choices']]).toEqual([201, 'cost_centre', null])
  const id = String(field['id'])
  expect(
    (await send('POST', `/custom-fields/${id}/values`, { assetIds: [assetId], value: 'A-1' })).answer,
  ).toEqual({
    changed: 1,
  })
  expect((await send('GET', `/assets/${assetId}/custom-fields`)).answer.data).toEqual([
    { fieldId: id, key: 'cost_centre', name: 'Cost centre', value: 'A-1' },
  ])
  const found = await send('GET', '/assets?where=custom.cost_centre%20=%20a-1')
  expect(found.answer.data.map((it) => it['id'])).toEqual([assetId])
  expect((await send('PATCH', `/custom-fields/${id}`, { name: 'KST' })).answer['key']).toBe('kst')
  expect((await send('PUT', '/custom-fields', { ids: [id] })).answer.data.length).toBe(1)
  expect((await send('PUT', `/assets/${assetId}/custom-fields/${id}`, { value: null })).answer).toEqual({
    changed: 1,
  })
  expect((await send('DELETE', `/custom-fields/${id}`)).status).toBe(200)
  expect((await send('GET', '/custom-fields')).answer.data).toEqual([])
})

test.each([
  ['POST', '/custom-fields', { name: '', kind: 'text' }, 400],
  ['POST', '/custom-fields', { name: 'x', kind: 'colour' }, 400],
  ['PUT', '/custom-fields', { ids: ['x'] }, 400],
  ['PUT', '/custom-fields', { ids: ['00000000-0000-7000-8000-000000000000'] }, 404],
  ['PATCH', '/custom-fields/00000000-0000-7000-8000-000000000000', { name: 'x' }, 404],
  ['POST', '/groups', { name: 'x', condition: 'nonsense = 1' }, 400],
  ['POST', '/groups', { name: 'x' }, 400],
])('%s %s %j is refused with %d', async (method, path, body, status) => {
  expect((await send(method, path, body)).status).toBe(status)
})

test('a group is made, asked about, changed and deleted', async () => {
  const { status, answer: group } = await send('POST', '/groups', { name: 'Known', condition: 'has serial' })
  expect(status).toBe(201)
  expect((await send('GET', '/assets?where=group%20=%20known')).answer.data.map((it) => it['id'])).toEqual([
    assetId,
  ])
  const id = String(group['id'])
  expect((await send('PATCH', `/groups/${id}`, { condition: 'not has serial' })).answer['condition']).toBe(
    'not has serial',
  )
  expect((await send('GET', '/assets?where=group%20=%20known')).answer.data).toEqual([])
  expect((await send('POST', '/groups', { name: 'known', condition: 'has serial' })).status).toBe(409)
  expect((await send('DELETE', `/groups/${id}`)).status).toBe(200)
  expect((await send('GET', '/groups')).answer.data).toEqual([])
})
