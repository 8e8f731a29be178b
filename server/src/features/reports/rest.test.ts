import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Caller } from '#test/support/http/api-client.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { Ctx } from '#platform/context.ts'
import { reportFormats, reportTypes } from './report.ts'
import { addDevices, assetNamed, latest, work } from './reports.fixture.ts'
import { runReport } from './reports.ts'

interface ReportJson {
  readonly id: string
  readonly status: string
}

const app = sharedTestApp()
const NOBODY = '00000000-0000-4000-8000-000000000000'

async function caller(scopes: readonly string[] = ['read', 'write']): Promise<{ api: Caller; ctx: Ctx }> {
  const ctx = await app().newTenant()
  return { ctx, api: app().as(await app().key(ctx, scopes)) }
}

/** One for all requests that are refused, and therefore change nothing. */
const strict = once(caller)

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

async function ordered(api: Caller, more: object = {}): Promise<ReportJson> {
  const { status, body } = await api.post<ReportJson>('/reports', {
    name: 'all',
    type: 'asset_audit',
    ...more,
  })
  expect(status).toBe(201)
  return body
}

test.each(reportTypes)('POST /reports -> 201 generating for %s, csv unless told otherwise', async (type) => {
  const { api } = await caller()
  const answer = await api.post<ReportJson>('/reports', { name: 'Stock-take', type })
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 201,
    body: {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Stock-take',
      type,
      format: 'csv',
      status: 'generating',
      createdAt: expect.stringMatching(/Z$/),
    },
  })
  expect((await api.get(`/reports/${answer.body.id}`)).body).toEqual(answer.body)
})

test.each([
  ['body', undefined],
  ['body', 'all'],
  ['body', []],
  ['name', { type: 'topology' }],
  ['name', { type: 'topology', name: null }],
  ['name', { type: 'topology', name: 7 }],
  ['name', { type: 'topology', name: '' }],
  ['name', { type: 'topology', name: '  ' }],
  ['name', { type: 'topology', name: '\t' }],
  ['name', { type: 'topology', name: '\u00a0\u2003' }],
  ['name', { type: 'topology', name: 'x'.repeat(201) }],
  ['name', { type: 'topology', name: 'two\nlines' }],
  ['type', { name: 'n' }],
  ['type', { name: 'n', type: 'Topology' }],
  ['type', { name: 'n', type: ['topology'] }],
  ['format', { name: 'n', type: 'topology', format: 'xlsx' }],
  ['format', { name: 'n', type: 'topology', format: '' }],
  ['format', { name: 'n', type: 'topology', format: null }],
  ['format', { name: 'n', type: 'topology', format: 4 }],
  ['asset_ids', { name: 'n', type: 'topology', asset_ids: NOBODY }],
  ['asset_ids', { name: 'n', type: 'topology', asset_ids: [NOBODY, 'web-1'] }],
  ['asset_ids', { name: 'n', type: 'topology', asset_ids: [7] }],
  ['asset_ids', { name: 'n', type: 'topology', asset_ids: null }],
  ['asset_ids', { name: 'n', type: 'topology', asset_ids: Array.from({ length: 10_001 }, () => NOBODY) }],
  ['period', { name: 'n', type: 'topology', period: 2026 }],
  ['period', { name: 'n', type: 'topology', period: 'x'.repeat(101) }],
])('POST /reports -> 400 naming %s', async (field, body) => {
  const { api } = await strict()
  const answer = await api.post<{ error: string; message: string }>('/reports', body)
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  expect(answer.body.message).toMatch(new RegExp(String.raw`^${field}\b`))
  expect((await api.get<{ data: unknown[] }>('/reports')).body.data).toEqual([])
})

test('POST /reports ignores fields that it does not know, whatever they hold', async () => {
  const fields = { where: 5, schedule: { cron: 5 }, table: {}, simulation: 1, assetIds: ['x'] }
  const { api } = await caller()
  expect(await ordered(api, fields)).toMatchObject({ status: 'generating' })
})

test('POST /reports -> 400 for what is not JSON', async () => {
  const { api } = await caller()
  const answer = await api.send('POST', '/api/v1/reports', {
    body: '{"name":',
    headers: { 'content-type': 'application/json' },
  })
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})

test('POST /reports -> 403 with a key that only reads, GET -> 403 with one that recognises alone', async () => {
  const reader = await caller(['read'])
  expect(await reader.api.post('/reports', { name: 'n', type: 'topology' })).toMatchObject({ status: 403 })
  const other = await caller(['recognition:read'])
  expect(await other.api.get('/reports')).toMatchObject({ status: 403, body: { error: 'forbidden' } })
})

test('POST /reports with an Idempotency-Key makes one report', async () => {
  const { api } = await caller()
  const send = () =>
    api.send<ReportJson>('POST', '/api/v1/reports', {
      body: JSON.stringify({ name: 'once', type: 'topology' }),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
    })
  const [first, second] = [await send(), await send()]
  expect(second.body).toEqual(first.body)
  expect((await api.get<{ data: unknown[] }>('/reports')).body.data).toHaveLength(1)
})

test('GET /reports -> newest first, with the headers of a list', async () => {
  const { api } = await caller()
  const made = []
  for (const name of ['a', 'b', 'c']) made.unshift(await ordered(api, { name }))
  const answer = await api.get('/reports?limit=2')
  expect(answer.body).toEqual({ data: made.slice(0, 2) })
  expect(answer.headers).toMatchObject({ 'x-total-count': '3', 'x-next-cursor': 'offset=2' })
})

test('GET /reports/:id and its download -> 404 when it is unknown, no UUID, or another tenant’s', async () => {
  const [mine, theirs] = [await caller(), await caller()]
  const { id } = await ordered(theirs.api)
  for (const wrong of [randomUUID(), 'x', id])
    for (const path of [`/reports/${wrong}`, `/reports/${wrong}/download`])
      expect(await mine.api.get(path)).toMatchObject({
        status: 404,
        body: { error: 'not_found', message: 'report not found' },
      })
})

test('GET /reports/:id/download -> 409 with Retry-After while the first generation runs', async () => {
  const { api } = await caller()
  const { id } = await ordered(api)
  const answer = await api.get(`/reports/${id}/download`)
  expect(answer).toMatchObject({ status: 409, body: { error: 'report_not_ready' } })
  expect(answer.headers['retry-after']).toBe('60')
})

test.each(reportFormats)('GET /reports/:id/download -> 200 with the file as %s', async (format) => {
  const { api, ctx } = await caller()
  await addDevices(ctx, 'web-1', 'web-2')
  const { id } = await ordered(api, { format })
  await work(ctx, id)
  expect((await api.get(`/reports/${id}`)).body).toMatchObject({ status: 'available' })
  const { headers, status, text } = await api.get(`/reports/${id}/download`)
  expect(status).toBe(200)
  const { type, extension } = {
    csv: { type: 'text/csv', extension: 'csv' },
    pdf: { type: 'application/pdf', extension: 'pdf' },
    xml: { type: 'application/xml', extension: 'xml' },
    excel: {
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      extension: 'xlsx',
    },
  }[format]
  const { id: snapshotId, generatedAt, fileBytes } = await latest(ctx, id)
  expect(headers['content-type']).toBe(type)
  expect(headers['content-disposition']).toMatch(
    new RegExp(String.raw`^attachment; filename="report-${id}-\d{8}T\d{6}Z\.${extension}"$`),
  )
  expect(headers).toMatchObject({
    'x-report-snapshot-id': snapshotId,
    'x-report-generated-at': generatedAt,
    'content-length': String(fileBytes),
  })
  expect(headers['etag']).toMatch(/^"[0-9a-f]{64}"$/)
  const again = await api.send('GET', `/api/v1/reports/${id}/download`, {
    headers: { 'if-none-match': String(headers['etag']) },
  })
  expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']])
  const head = await api.head(`/reports/${id}/download`)
  expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
  expect(head.headers['content-length']).toBe(headers['content-length'])
  expect(text.length).toBeGreaterThan(100)
})

test('CSV is sent as GET /assets/export sends it', async () => {
  const { api, ctx } = await caller()
  const { id } = await ordered(api)
  await work(ctx, id)
  const [report, assets] = [
    await api.get(`/reports/${id}/download`),
    await api.get('/assets/export?format=csv'),
  ]
  expect(report.headers['content-type']).toBe(assets.headers['content-type'])
})

test('the file before is served while the next is generated', async () => {
  const { api, ctx } = await caller()
  const { id } = await ordered(api)
  await work(ctx, id)
  const before = await api.get(`/reports/${id}/download`)
  await runReport(ctx, id)
  expect((await api.get(`/reports/${id}`)).body).toMatchObject({ status: 'generating' })
  const meanwhile = await api.get(`/reports/${id}/download`)
  expect(meanwhile.headers['x-report-snapshot-id']).toBe(before.headers['x-report-snapshot-id'])
  await work(ctx, id)
  const after = await api.get(`/reports/${id}/download`)
  expect(after.headers['x-report-snapshot-id']).not.toBe(before.headers['x-report-snapshot-id'])
})

test('asset_ids limit the report; those of others and unknown ones are not in it; none means all', async () => {
  const [mine, theirs] = [await caller(), await caller()]
  await addDevices(mine.ctx, 'web-1', 'web-2')
  await addDevices(theirs.ctx, 'web-3')
  const some = [await assetNamed(mine.ctx, 'web-2'), await assetNamed(theirs.ctx, 'web-3'), NOBODY]
  const lines = async (asset_ids: readonly string[]) => {
    const { id } = await ordered(mine.api, { asset_ids })
    await work(mine.ctx, id)
    return (await mine.api.get(`/reports/${id}/download`)).text.trimEnd().split('\r\n').slice(1)
  }
  expect(await lines(some)).toEqual([expect.stringContaining('web-2')])
  expect(await lines([])).toHaveLength(2)
  expect(await lines([NOBODY])).toEqual([])
})
