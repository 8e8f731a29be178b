import { beforeAll, describe, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import type { Caller } from '#test/support/http/api-client.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listAssets } from './assets.ts'
import { mergeAssets } from './editing/merge-and-unlink.ts'
import { csv, eventsOf, later, seen } from './observations.fixture.ts'

interface AssetJson {
  readonly id: string
  readonly name: string
}

const home = sharedTestApp()
let ctx: Ctx
let caller: Caller
beforeAll(async () => {
  ctx = await home().newTenant()
  caller = home().as(await home().key(ctx, ['read']))
  await submit(ctx, csv, [
    seen(
      '1',
      { hostname: 'web-1', ip: '10.0.0.5', mac: '3C2A.F402.345F' },
      { os: 'Debian', tags: ['b', 'a'] },
    ),
    seen('2', {}, { name: '=cmd()', assetType: 'user', minute: 1 }),
  ])
})
const byName = async (name: string) =>
  (await listAssets(ctx, { limit: 50, offset: 0 })).items.find((asset) => asset.name === name)?.id ?? ''

describe('GET /assets', () => {
  test('→ 200 with the contract’s fields and headers', async () => {
    const { status, headers, body } = await caller.get('/assets?limit=1&offset=1')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: await byName('web-1'),
          name: 'web-1',
          assetType: 'device',
          ipAddress: '10.0.0.5',
          macAddress: '3c:2a:f4:02:34:5f',
          os: 'Debian',
          riskScore: 0,
          lastSeen: '2026-01-05T08:00:00Z',
          tags: ['a', 'b'],
        },
      ],
    })
    expect(headers).toMatchObject({
      'x-total-count': '2',
      'x-total-pages': '2',
      'x-page': '2',
      'x-per-page': '1',
    })
    expect(headers['x-next-cursor']).toBeUndefined()
    expect((await caller.get('/assets?limit=1')).headers['x-next-cursor']).toBe('offset=1')
  })

  test.each([
    ['type=user', ['=cmd()']],
    ['type=nothing', []],
    ['search=WEB', ['web-1']],
    ['search=%25', []],
    ['search=&type=', ['=cmd()', 'web-1']],
    ['limit=0&offset=-1', ['=cmd()', 'web-1']],
    ['where=os:debian', ['web-1']],
    ['where=', ['=cmd()', 'web-1']],
    ['where=not%20has%20os&type=user', ['=cmd()']],
    ['where=has%20os&type=user', []],
    ['where=type%20in%20(user,device)&search=WEB', ['web-1']],
  ])('?%s → %j', async (query, names) => {
    const { status, body } = await caller.get<{ data: AssetJson[] }>(`/assets?${query}`)
    expect(status).toBe(200)
    expect(body.data.map(({ name }) => name)).toEqual(names)
  })
})

describe('GET /assets?search=', () => {
  let other: Caller
  beforeAll(async () => {
    const ctx = await home().newTenant()
    other = home().as(await home().key(ctx, ['read']))
    await submit(ctx, csv, [
      seen('local', { hostname: 'NAS-7.corp.local', serial: '12345' }),
      seen('bare', { hostname: 'nas-8' }),
    ])
  })
  test.each([
    ['nas-7', 1],
    ['nas-7.corp.local', 1],
    ['Corp.Local', 1],
    ['nas-8.corp.local', 0],
    ['12345', 1],
  ])('%s finds a name or serial as it was reported', async (search, total) => {
    const { headers } = await other.get(`/assets?search=${search}`)
    expect(headers['x-total-count']).toBe(String(total))
  })
})

describe('GET /assets?where=', () => {
  test('→ 200 with total and pages of what matches', async () => {
    const { headers, body } = await caller.get(
      '/assets?where=name:e%20or%20type%20%3D%20user&limit=1&offset=1',
    )
    expect(body).toMatchObject({ data: [{ name: 'web-1' }] })
    expect(headers).toMatchObject({ 'x-total-count': '2', 'x-total-pages': '2', 'x-page': '2' })
    expect((await caller.get('/assets?where=has%20id&limit=1')).headers['x-next-cursor']).toBe('offset=1')
    const beyond = await caller.get('/assets?where=has%20id&offset=9')
    expect([beyond.body, beyond.headers['x-total-count']]).toEqual([{ data: [] }, '2'])
  })
  test.each([
    ['os%20%3E%203', 'where: os takes = != :, not > (at character 4)'],
    ['nosuch=1', 'where: there is no field nosuch (at character 1)'],
    ['(os:x', 'where: expected ")" (at character 6)'],
    ['port%20%3D%20many', 'where: port takes a number, not "many" (at character 8)'],
    ['os:"%00"', 'where: must not contain the NUL character'],
    ['a'.repeat(4_097), 'where: a condition has at most 4096 characters (at character 4097)'],
    [`${'('.repeat(40)}a`, 'where: a condition is at most 32 levels deep (at character 33)'],
  ])('%s → 400', async (where, message) => {
    const { status, body } = await caller.get(`/assets?where=${where}`)
    expect([status, body]).toEqual([400, { error: 'invalid_request', message }])
  })
  test('finds nothing of another tenant', async () => {
    const stranger = home().as(await home().key(await home().newTenant()))
    expect((await stranger.get('/assets?where=has%20id')).headers['x-total-count']).toBe('0')
  })
})

describe('GET /assets/search', () => {
  test('→ 200 with what matches', async () => {
    const { headers, body } = await caller.get<{ data: AssetJson[] }>('/assets/search?q=10.0.0')
    expect(body.data.map(({ name }) => name)).toEqual(['web-1'])
    expect(headers['x-total-count']).toBe('1')
  })
  test('→ 400 without q', async () => {
    const { status, body } = await caller.get('/assets/search')
    expect([status, body]).toEqual([400, { error: 'invalid_request', message: 'q: is required' }])
  })
})

describe('GET /assets/:id', () => {
  test('→ 200', async () => {
    const id = await byName('web-1')
    expect((await caller.get(`/assets/${id}`)).body).toMatchObject({ id, name: 'web-1' })
  })
  test.each(['0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21', 'x'])('→ 404 for %s', async (id) => {
    const { status, body } = await caller.get(`/assets/${id}`)
    expect([status, body]).toMatchObject([404, { error: 'not_found' }])
  })
  test('→ 404 for an asset that was merged, saying into which', async () => {
    const other = await home().newTenant()
    await submit(other, csv, [seen('1', {}, { name: 'one' })])
    await submit(later(other), csv, [seen('2', {}, { name: 'two' })])
    const { items } = await listAssets(other, { limit: 2, offset: 0 })
    const [assetIdA = '', assetIdB = ''] = items.map(({ id }) => id)
    const survivor = await mergeAssets(other, { assetIdA, assetIdB, reason: '' })
    const gone = survivor.id === assetIdA ? assetIdB : assetIdA
    const { status, headers } = await home()
      .as(await home().key(other))
      .get(`/assets/${gone}`)
    expect([status, headers['x-merged-into']]).toEqual([404, survivor.id])
  })
})

describe('GET /assets/export', () => {
  test('→ 200 with all assets as CSV, guarded against formulas', async () => {
    const { status, headers, text } = await caller.get('/assets/export?format=csv')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-disposition': 'attachment; filename="assets.csv"' })
    expect(headers['content-type']).toMatch(/^text\/csv/)
    expect(headers['x-export-truncated']).toBeUndefined()
    expect(text.split('\r\n')).toEqual([
      'id,name,assetType,ipAddress,macAddress,os,riskScore,lastSeen,tags',
      `${await byName('=cmd()')},'=cmd(),user,,,,0,2026-01-05T08:01:00Z,`,
      `${await byName('web-1')},web-1,device,10.0.0.5,3c:2a:f4:02:34:5f,Debian,0,2026-01-05T08:00:00Z,a;b`,
      '',
    ])
    expect((await eventsOf(ctx)).at(-1)).toMatchObject({ type: 'EXPORT_COMPLETED', row_count: 2 })
    for (const id of [await byName('web-1'), '0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21', 'x', '%00']) {
      const alias = await caller.get(`/assets/${id}/export?format=csv`)
      expect([alias.status, alias.text]).toEqual([200, text])
      expect((await caller.get(`/assets/${id}/export`)).status).toBe(400)
    }
  })
  test.each(['', '?format=pdf', '?format=CSV', '?format=xml&format=csv', '?format=csv%00'])(
    '%s → 400',
    async (query) => {
      const { status, body } = await caller.get(`/assets/export${query}`)
      expect([status, body]).toMatchObject([400, { error: 'invalid_format' }])
    },
  )
  test('says when there is more than 10,000', async () => {
    const other = await home().newTenant()
    for (let batch = 0; batch < 11; batch++) {
      await submit(
        other,
        csv,
        Array.from({ length: 1_000 }, (_, n) => seen(`${batch}-${n}`, {})),
      )
    }
    const { headers, text } = await home()
      .as(await home().key(other))
      .get('/assets/export?format=csv')
    expect(headers['x-export-truncated']).toBe('true')
    expect(text.trimEnd().split('\r\n')).toHaveLength(10_001)
  })
})
