import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createKey } from '#features/api-keys/api-keys.ts'
import { createTarget } from '#features/scans/scans.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { forgetIdempotencyKeys, parseIdempotencyKey } from './idempotency.ts'

const home = sharedTestApp()

async function scene() {
  const ctx = await home().newTenant()
  const target = (await createTarget(ctx, { name: 'Office', cidr: '192.0.2.0/24' })).id
  const api = home().as(await home().key(ctx))
  const post = (key: string, body: object = { type: 'sweep', target }) =>
    api.send<{ scanId?: string; error?: string; message?: string }>('POST', '/api/v1/scans', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    })
  const scans = async () => Number((await api.get('/scans')).headers['x-total-count'])
  return { ctx, target, api, post, scans }
}

test('the same request with the same key is carried out once and answered the same', async () => {
  const { target, post, scans } = await scene()
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('"8e03978e-40d5"')))
  answers.push(await post('8e03978e-40d5')) // RFC 8941 quotes it; many clients do not
  answers.push(await post('8e03978e-40d5', { target, type: 'sweep' })) // members have no order
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 201, body: { scanId: expect.any(String) } })
  expect(await scans()).toBe(1)
})

test('another request with the same key is refused; another key or tenant is another matter', async () => {
  const { target, post, scans } = await scene()
  await post('first')
  const other = await post('first', { type: 'ssh', target })
  expect([other.status, other.body]).toEqual([
    409,
    { error: 'conflict', message: 'Idempotency-Key: was used for another request' },
  ])
  expect((await post('second')).status).toBe(201)
  expect(await scans()).toBe(2)
  const elsewhere = await scene()
  expect((await elsewhere.post('first')).status).toBe(201)
})

test('who is limited gets no answer that was made for somebody else', async () => {
  const { ctx, api } = await scene()
  const limited = async (where: string) =>
    home().as((await createKey(ctx, { name: where, scopes: ['write'], where })).secret)
  const callers = [api, await limited('tag = web'), await limited('tag = lab')]
  const [all, web, lab] = await Promise.all(
    callers.map((it) =>
      it.send<{ message: string }>('POST', '/api/v1/reports', {
        body: JSON.stringify({ name: 'all', type: 'asset_audit' }),
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
      }),
    ),
  )
  expect([all?.status, web?.status, lab?.status].filter((it) => it === 409)).toHaveLength(2)
  const { body } = await api.get<{ data: object[] }>('/reports')
  expect(body.data).toHaveLength(1)
})

test('an error response does not use up the key', async () => {
  const { post, scans } = await scene()
  expect(
    (await post('again', { type: 'sweep', target: '00000000-0000-4000-8000-000000000000' })).status,
  ).toBe(404)
  expect((await post('again')).status).toBe(201)
  expect(await scans()).toBe(1)
})

test.each([['two words'], ['"'], ['ü'], ['x'.repeat(256)], ['""']])('the key %s is refused', async (key) => {
  expect(() => parseIdempotencyKey(key)).toThrow('Idempotency-Key: must be 1 to 255 visible ASCII characters')
})

test('a bad key is 400 and names the header', async () => {
  const { post } = await scene()
  const { status, body } = await post('two words')
  expect([status, body.error, body.message?.startsWith('Idempotency-Key: ')]).toEqual([
    400,
    'invalid_request',
    true,
  ])
})

test('after a day the key is forgotten', async () => {
  const { ctx, post, scans } = await scene()
  const { system } = home().runtime
  const age = () =>
    system.db.run(sql`
      update idempotency_keys set created_at = created_at - interval '25 hours' where tenant_id = ${ctx.tenantId}`)
  await post('old')
  await age()
  await post('old')
  expect(await scans()).toBe(2)
  await age()
  await forgetIdempotencyKeys.run(system)
  expect(await system.db.all(sql`select from idempotency_keys where tenant_id = ${ctx.tenantId}`)).toEqual([])
})
