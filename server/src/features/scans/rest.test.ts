import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import type { Caller } from '#test/support/http/api-client.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { whileOthersWrite } from '#test/support/app/while-others-write.ts'
import { createScan, createTarget, listScans } from './scans.ts'

const home = sharedTestApp()
const NOBODY = '00000000-0000-4000-8000-000000000000'

interface ScanJson {
  readonly scanId: string
  readonly status: string
  readonly startedAt: string
  readonly message: string
}

async function caller(scopes?: readonly string[]): Promise<{ ctx: Ctx; api: Caller; targetId: string }> {
  const ctx = await home().newTenant()
  const target = await createTarget(ctx, { name: 'Office', cidr: '192.0.2.0/24' })
  return { ctx, api: home().as(await home().key(ctx, scopes)), targetId: target.id }
}

test('POST /scans -> 201 with the scan, pending', async () => {
  const { api, targetId } = await caller(['write'])
  const { status, body } = await api.post('/scans', { type: 'sweep', target: targetId })
  expect(status).toBe(201)
  expect(body).toEqual({
    scanId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: 'pending',
    startedAt: '',
    message: 'waiting for a worker',
  })
})

test('POST /scans -> 404 when the target does not exist, or is another tenant’s', async () => {
  const { api } = await caller()
  const { targetId: foreign } = await caller()
  for (const target of [NOBODY, foreign]) {
    const { status, body } = await api.post('/scans', { type: 'sweep', target })
    expect({ status, body }).toEqual({
      status: 404,
      body: { error: 'not_found', message: 'scan target not found' },
    })
  }
})

test.each([
  ['target', { type: 'sweep' }],
  ['target', { type: 'sweep', target: '10.0.0.1' }],
  ['target', { type: 'sweep', target: 7 }],
  ['target', { type: 'sweep', target: null }],
  ['type', { target: NOBODY }],
  ['type', { type: 'nmap', target: NOBODY }],
  ['type', { type: ['sweep'], target: NOBODY }],
  ['type', { type: 'SWEEP', target: NOBODY }],
  ['body', 'sweep'],
  ['body', undefined],
])('POST /scans -> 400 naming %s for %j', async (field, body) => {
  const { api } = await caller()
  const answer = await api.post<{ error: string; message: string }>('/scans', body)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toBe('invalid_request')
  expect(answer.body.message).toContain(field)
})

test('POST /scans -> 400 with the reason when a range is not swept', async () => {
  const { api, targetId } = await caller()
  const { status, body } = await api.post('/scans', { type: 'ssh', target: targetId })
  expect({ status, body }).toEqual({
    status: 400,
    body: {
      error: 'invalid_request',
      message: 'type: ssh scans one host, and the target is the range 192.0.2.0/24; use sweep',
    },
  })
})

test('POST /scans -> 403 with a key that only reads', async () => {
  const { api, targetId } = await caller(['read'])
  expect(await api.post('/scans', { type: 'sweep', target: targetId })).toMatchObject({ status: 403 })
})

test('GET /scans -> 200, newest first, with the headers of a list', async () => {
  const { api, targetId } = await caller()
  const made = []
  for (let i = 0; i < 3; i++) {
    made.unshift((await api.post<ScanJson>('/scans', { type: 'sweep', target: targetId })).body)
  }
  const first = await api.get('/scans?limit=2')
  expect(first).toMatchObject({ status: 200, body: { data: made.slice(0, 2) } })
  expect(first.headers).toMatchObject({
    'x-total-count': '3',
    'x-total-pages': '2',
    'x-page': '1',
    'x-per-page': '2',
    'x-next-cursor': 'offset=2',
  })
  const last = await api.get('/scans?limit=2&offset=2')
  expect(last.body).toEqual({ data: made.slice(2) })
  expect(last.headers['x-next-cursor']).toBeUndefined()
})

test('DELETE /scans/:id -> 200 with a message, then 409', async () => {
  const { api, targetId } = await caller()
  const { scanId } = (await api.post<ScanJson>('/scans', { type: 'sweep', target: targetId })).body
  expect(await api.delete(`/scans/${scanId}`)).toMatchObject({
    status: 200,
    body: { message: 'scan cancelled' },
  })
  expect(await api.delete(`/scans/${scanId}`)).toMatchObject({ status: 409, body: { error: 'conflict' } })
  expect((await api.get('/scans')).body).toMatchObject({ data: [{ scanId, status: 'cancelled' }] })
})

test('DELETE /scans/:id -> 404 when it is unknown, no UUID, or another tenant’s', async () => {
  const { api } = await caller()
  const other = await caller()
  const { scanId } = (await other.api.post<ScanJson>('/scans', { type: 'sweep', target: other.targetId }))
    .body
  for (const id of [NOBODY, 'x', scanId]) {
    expect(await api.delete(`/scans/${id}`)).toMatchObject({ status: 404, body: { error: 'not_found' } })
  }
})

test('DELETE /scans/:id -> 403 without the admin scope', async () => {
  const { api } = await caller(['write'])
  expect(await api.delete(`/scans/${NOBODY}`)).toMatchObject({ status: 403 })
})

test('the total of the list is of its page, whatever comes meanwhile', async () => {
  const { ctx, targetId } = await caller()
  const make = () => createScan(ctx, { type: 'sweep', targetId })
  await make()
  const { items, total } = await listScans(whileOthersWrite(ctx, make), { limit: 50, offset: 0 })
  expect(total).toBe(items.length)
})
