import { beforeEach, describe, expect, test } from 'vitest'
import { listAssets } from '../src/features/assets/assets.ts'
import type { Ctx } from '../src/platform/context.ts'
import type { Answer } from './caller.ts'
import { sharedHouse } from './house.ts'
import { makers } from './makers.ts'
import { believed, headersOf, inTenant } from './person.ts'

const shared = sharedHouse({ contextOf: believed })
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

const fetched = (change: Change = {}, query = '') =>
  shared()
    .as()
    .send('GET', inTenant(`/files/assets.csv${query}`), {
      headers: headers({ 'content-type': undefined, 'x-rollcall': undefined, ...change }),
    })

const table =
  'name,serial,assetType\nweb-1,SN-00001,device\nweb-2,SN-00002,toaster\nweb-3,SN-00003,hypervisor\n'
const total = async () => (await listAssets(ctx, { limit: 1, offset: 0 })).total

describe('a file of assets', () => {
  test('is shown before anything is written, and then taken', async () => {
    const preview = await bring('/imports/preview?name=things.csv', table)
    expect(preview).toMatchObject({
      status: 200,
      body: {
        format: 'csv',
        rows: 2,
        rejectedTotal: 1,
        rejected: [{ line: 3, field: 'assetType' }],
        sample: [
          {
            line: 2,
            name: 'web-1',
            assetType: 'device',
            identifiers: expect.arrayContaining([{ type: 'serial', value: 'SN-00001' }]),
          },
          { line: 4, name: 'web-3' },
        ],
      },
    })
    expect(await total()).toBe(0)
    const taken = await bring('/imports?name=things.csv', table)
    expect(taken).toMatchObject({
      status: 200,
      body: { observed: 2, created: 2, rejectedTotal: 1, rejected: preview.body['rejected'] },
    })
    expect(await total()).toBe(2)
  })

  test('tells of many bad rows some, and how many there are', async () => {
    const bad = `name,assetType\n${'x,toaster\n'.repeat(700)}`
    const { body } = await bring<{ rejected: object[]; rejectedTotal: number; rows: number }>(
      '/imports/preview?name=a.csv',
      bad,
    )
    expect([body.rows, body.rejected.length, body.rejectedTotal]).toEqual([0, 500, 700])
  })

  test.each([
    ['', 'name'],
    ['?name=a.csv&format=xlsx', 'format'],
  ])('with %s is refused, naming the field', async (query, field) => {
    for (const path of ['/imports', '/imports/preview'])
      expect(await bring(path + query, table)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', message: expect.stringContaining(`${field}: `) },
      })
  })

  test('is refused when it is none', async () => {
    expect(await bring('/imports/preview?name=a.csv', '')).toMatchObject({ status: 400 })
    expect(await bring('/imports/preview?name=a.bin', Buffer.from([0, 1, 2]))).toMatchObject({ status: 400 })
    expect(await bring('/imports?name=a.csv', table, { 'content-type': 'text/csv' })).toMatchObject({
      status: 415,
    })
    expect(await total()).toBe(0)
  })

  test('is refused when it is too large, before a row of it is taken', async () => {
    const large = Buffer.alloc(20_000_001, table)
    expect((await bring('/imports?name=a.csv', large)).status).toBe(413)
    expect(await total()).toBe(0)
  })

  test('of the largest size is taken', { timeout: 120_000 }, async () => {
    const line = `x,${'y'.repeat(1_000)},toaster\n`
    const text = `name,os,assetType\n${line.repeat(Math.floor(19_900_000 / line.length))}`
    const { status, body } = await bring<{ rejectedTotal: number }>('/imports/preview?name=a.csv', text)
    expect([status, body.rejectedTotal > 19_000]).toEqual([200, true])
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
      expect((await bring('/imports?name=a.csv', table, change)).status).toBe(status)
    expect(await total()).toBe(0)
  })
})

describe('the inventory as a file', () => {
  test('is fetched by a link of the app', async () => {
    const id = await makers['assets']?.(ctx)
    const answer = await fetched({ 'sec-fetch-site': 'same-origin' })
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="assets.csv"' },
      text: expect.stringContaining(String(id)),
    })
  })

  test('holds what the list shows that it is fetched from, in its order', async () => {
    await bring('/imports?name=a.csv', 'name,serial,os\nzeta,SN-90001,BeOS\nalpha,SN-90002,BeOS\n')
    await bring('/imports?name=a.csv', 'name,serial,os\nother,SN-80001,BeOS\n')
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
    await bring('/imports?name=a.csv', 'name,serial,os\nkappa,SN-70001,BeOS\n')
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
