import { request as httpRequest } from 'node:http'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { listAssets } from '../src/features/assets/assets.ts'
import { importFile } from '../src/features/imports/import-file.ts'
import { listImports } from '../src/features/imports/imports.ts'
import { jobsOf, work } from '../src/features/imports/uploads.fixture.ts'
import type { Ctx } from '../src/platform/context.ts'
import { readVersion } from '../src/platform/database/cache/tenant-version.ts'
import type { Answer } from './support/http/api-client.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { restRecordFactories } from './support/api-coverage/rest-record-factories.ts'
import { believed, headersOf, inTenant } from './support/http/graphql-client.ts'

const shared = sharedTestApp({ contextOf: believed })
let ctx: Ctx
beforeEach(async () => void (ctx = await shared().newTenant()))

type Change = Record<string, string | undefined>
const headers = (change: Change = {}, permissions?: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      ...headersOf(ctx, permissions),
      'content-type': 'application/octet-stream',
      ...change,
    }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>

const bring = <T = Record<string, unknown>>(
  path: string,
  body: string | Buffer,
  change: Change = {},
): Promise<Answer<T>> =>
  shared()
    .as()
    .send<T>('POST', inTenant(`/files${path}`), { body, headers: headers(change) })

const fetched = (change: Change = {}, query = '', method = 'GET') =>
  shared()
    .as()
    .send(method, inTenant(`/files/assets.csv${query}`), {
      headers: headers({ 'content-type': undefined, 'x-rollcall': undefined, ...change }),
    })

const table =
  'name,serial,assetType\nweb-1,SN-00001,device\nweb-2,SN-00002,toaster\nweb-3,SN-00003,hypervisor\n'
const take = (text: string) =>
  importFile(ctx, {
    name: 'a.csv',
    content: (async function* () {
      yield Buffer.from(text)
    })(),
  })
const total = async () => (await listAssets(ctx, { limit: 1, offset: 0 })).total

describe('a file of assets', () => {
  test('is uploaded, whole or in parts that may be sent again', async () => {
    const query = `?name=things.csv&key=k&bytes=${table.length}`
    const part = (at: number, end?: number) => bring(`/imports${query}&at=${at}`, table.slice(at, end))
    expect(await part(0, 20)).toMatchObject({ status: 200, body: { received: 20, status: 'uploading' } })
    expect(await part(0, 20)).toMatchObject({ body: { received: 20 } })
    expect(await part(30)).toMatchObject({ status: 409, body: { received: 20 } })
    const whole = await part(10)
    expect(whole.body).toMatchObject({ received: table.length, status: 'checking' })
    expect(await part(0)).toMatchObject({ status: 200, body: whole.body })
    const id = String(whole.body['id'])
    expect(await work(ctx, id)).toMatchObject({ preview: { rows: 2, rejectedTotal: 1 } })
    expect(await total()).toBe(0)
  })

  test('issue 9: a client that leaves in the middle ends its upload, which nobody works on', async () => {
    const there = inTenant('/files/imports?name=a.csv&key=left&bytes=19000000')
    const request = httpRequest(`${await shared().address()}${there}`, {
      method: 'POST',
      headers: { ...headers(), 'content-length': '19000000' },
    })
    request.on('error', () => undefined)
    request.write(Buffer.alloc(1_000_000, table))
    const first = async () => (await listImports(ctx, { limit: 1, offset: 0 })).items[0]
    await vi.waitFor(async () => expect((await first())?.received).toBeGreaterThan(0), 30_000)
    request.destroy()
    expect(await first()).toMatchObject({ status: 'uploading' })
    expect(await jobsOf(ctx)).toBe(0)
  })

  test.each([
    [`?bytes=${table.length}`, 'name'],
    ['?name=a.csv', 'bytes'],
    ['?name=a.csv&bytes=1e3', 'bytes'],
    ['?name=a.csv&bytes=20000001', 'bytes'],
    ['?name=a%1b.csv&bytes=10', 'name'],
    ['?name=a.csv&bytes=0', 'file'],
    ['?name=a.csv&bytes=10&at=x', 'at'],
  ])('with %s is refused, naming the field', async (query, field) => {
    expect(await bring(`/imports${query}`, table)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining(`${field}: `) },
    })
  })

  test('is refused when it is another media type or too large', async () => {
    const plain = { 'content-type': 'text/csv' }
    expect(await bring('/imports?name=a.csv&bytes=10', table, plain)).toMatchObject({ status: 415 })
    const large = Buffer.alloc(20_000_001, table)
    expect((await bring('/imports?name=a.csv&bytes=20000001', large)).status).toBe(413)
    expect((await listImports(ctx, { limit: 1, offset: 0 })).total).toBe(0)
  })

  test('is taken from people who may import, on pages of the app', async () => {
    for (const [change, status] of [
      [{ cookie: undefined }, 401],
      [{ 'x-rollcall': undefined }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ origin: 'https://elsewhere.example' }, 403],
      [{ 'x-api-key': '0'.repeat(64) }, 403],
      [{ cookie: headersOf(ctx, ['assets:write'])['cookie'] }, 403],
    ] as const)
      expect((await bring(`/imports?name=a.csv&bytes=${table.length}`, table, change)).status).toBe(status)
    expect((await listImports(ctx, { limit: 1, offset: 0 })).total).toBe(0)
  })
})

describe('the inventory as a file', () => {
  test('is fetched by a link of the app', async () => {
    const id = await restRecordFactories['assets']?.(ctx)
    const answer = await fetched({ 'sec-fetch-site': 'same-origin' })
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="assets.csv"' },
      text: expect.stringContaining(String(id)),
    })
  })

  test('is no export when HEAD asks for it', async () => {
    const version = () => ctx.db.maybe(readVersion(ctx.tenantId))
    const before = await version()
    expect(await fetched({}, '', 'HEAD')).toMatchObject({ status: 200, text: '' })
    expect(await version()).toEqual(before)
    await fetched()
    expect(await version()).not.toEqual(before)
  })

  test('holds what the list shows that it is fetched from, in its order', async () => {
    await take('name,serial,os\nzeta,SN-90001,BeOS\nalpha,SN-90002,BeOS\n')
    await take('name,serial,os\nother,SN-80001,BeOS\n')
    const namesOf = async (query: string) =>
      (await fetched({}, query)).text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[1])
    expect(await namesOf('?search=sn-9000&sort=name&direction=asc')).toEqual(['alpha', 'zeta'])
    expect(await namesOf('?search=sn-9000&sort=name&direction=desc')).toEqual(['zeta', 'alpha'])
    expect(await namesOf('?search=sn-9000&thisWeek=went')).toEqual([])
    expect(await namesOf('?search=&tag=none')).toEqual([])
  })

  test('has the columns that are asked for, after the id', async () => {
    await take('name,serial,os\nkappa,SN-70001,BeOS\n')
    const { text } = await fetched({}, '?search=sn-70001&columns=serial,name,id,os')
    const [head, row] = text.trim().split('\r\n')
    expect(head).toBe('id,serial,name,os')
    expect(row).toMatch(/^[0-9a-f-]{36},SN-70001,kappa,BeOS$/)
  })

  test.each([
    ['?columns=name,colour', 'columns'],
    ['?columns=', 'columns'],
    ['?columns=name&columns=os', 'columns'],
    ['?sort=risk', 'sort'],
    ['?type=toaster', 'type'],
    ['?colour=red', 'colour'],
    ['?tag=a&tag=b', 'tag'],
    [`?search=${'x'.repeat(1_025)}`, 'search'],
  ])('with %s is refused, naming the parameter', async (query, field) => {
    const answer = await fetched({}, query)
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(`${field}: `) } })
  })

  test('and by nothing else', async () => {
    for (const [change, status] of [
      [{ cookie: undefined }, 401],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'x-api-key': '0'.repeat(64) }, 403],
      [{ cookie: headersOf(ctx, ['scans:write'])['cookie'] }, 403],
    ] as const)
      expect((await fetched(change)).status).toBe(status)
  })
})

describe('attachments', () => {
  test('are brought and fetched by pages of the app, and never displayed', async () => {
    const id = String(await restRecordFactories['assets']?.(ctx))
    const page = '<script>alert(1)</script>'
    const query = `?asset=${id}&name=${encodeURIComponent('../r\u00fcck\u202eschein.html')}&bytes=${page.length}`
    const brought = await bring<{ id: string }>(`/attachments${query}`, page)
    expect(brought).toMatchObject({ status: 200, body: { received: page.length } })
    const fetch = (change: Change = {}) =>
      shared()
        .as()
        .send('GET', inTenant(`/files/attachment?id=${brought.body.id}`), {
          headers: headers({ 'content-type': undefined, 'x-rollcall': undefined, ...change }),
        })
    expect(await fetch()).toMatchObject({
      status: 200,
      text: page,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(page.length),
        'content-disposition': `attachment; filename="r_ckschein.html"; filename*=UTF-8''r%C3%BCckschein.html`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      },
    })
    for (const [change, status] of [
      [{ cookie: undefined }, 401],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ cookie: headersOf(ctx, ['scans:write'])['cookie'] }, 403],
      [{ cookie: headersOf(await shared().newTenant())['cookie'] }, 404],
    ] as const)
      expect((await fetch(change)).status).toBe(status)
    const may = { cookie: headersOf(ctx, ['assets:read'])['cookie'] }
    expect((await bring(`/attachments${query}`, page, may)).status).toBe(403)
    expect((await bring(`/attachments${query}`, page, { 'x-rollcall': undefined })).status).toBe(403)
  })

  test.each([
    ['?name=a&bytes=1', 'assetId'],
    [`?asset=x&name=a&bytes=20000001`, 'bytes'],
    ['?asset=x&bytes=1', 'name'],
    ['?asset=x&name=a', 'bytes'],
  ])('%s is refused, naming the field', async (query, field) => {
    expect(await bring(`/attachments${query}`, 'x')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`${field}: `) },
    })
  })
})

describe('labels of assets', () => {
  const labelled = (path: string, change: Change = {}) =>
    shared()
      .as()
      .send('GET', inTenant(`/files${path}`), {
        headers: headers({ 'content-type': undefined, 'x-rollcall': undefined, ...change }),
      })

  test('are fetched by links of the app, by people who read assets', async () => {
    const id = String(await restRecordFactories['assets']?.(ctx))
    for (const [path, fileName, mediaType] of [
      [`/label?id=${id}`, `label-${id}.svg`, 'image/svg+xml'],
      [`/label?id=${id}&format=png`, `label-${id}.png`, 'image/png'],
      [`/labels.pdf?ids=${id}`, 'labels.pdf', 'application/pdf'],
    ] as const) {
      expect(await labelled(path)).toMatchObject({
        status: 200,
        headers: {
          'content-type': mediaType,
          'content-disposition': `attachment; filename="${fileName}"`,
          'x-content-type-options': 'nosniff',
        },
      })
      expect((await labelled(path, { cookie: undefined })).status).toBe(401)
      expect((await labelled(path, { cookie: headersOf(ctx, ['scans:write'])['cookie'] })).status).toBe(403)
    }
  })

  test('of assets of another tenant are not there', async () => {
    const other = await shared().newTenant()
    const id = String(await restRecordFactories['assets']?.(other))
    expect((await labelled(`/label?id=${id}`)).status).toBe(404)
    expect((await labelled(`/labels.pdf?ids=${id}`)).status).toBe(400)
  })

  test('are asked for by conditions as long as conditions may be', async () => {
    const id = String(await restRecordFactories['assets']?.(ctx))
    const start = `id = ${id} or `
    const where = start + 'name = x or '.repeat(400).slice(0, 4_096 - start.length - 8) + 'name = y'
    expect((await labelled(`/labels.pdf?where=${encodeURIComponent(where)}`)).status).toBe(400)
    expect(
      (await labelled(`/labels.pdf?where=${encodeURIComponent(`name != ${'z'.repeat(1_000)}`)}`)).status,
    ).toBe(200)
  })

  test.each([
    ['/label?id=1&colour=red', 'colour'],
    ['/label?id=a&id=b', 'id'],
    ['/labels.pdf', 'where'],
  ])('%s is refused, naming the parameter', async (path, field) => {
    expect(await labelled(path)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`${field}: `) },
    })
  })
})
