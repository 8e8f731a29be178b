import { beforeAll, expect, test } from 'vitest'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import type { Caller } from '#test/support/http/api-client.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

interface Body {
  readonly data: readonly { readonly kind: string; readonly assetName: string }[]
  readonly meta: { readonly count: number; readonly tenant: string; readonly next: number }
}

const home = sharedTestApp()
let ctx: Ctx
let caller: Caller
beforeAll(async () => {
  ctx = await home().newTenant()
  caller = home().as(await home().key(ctx, ['read']))
  await submit(ctx, csv, [
    seen('1', { hostname: 'web-1' }, { os: 'Debian' }),
    seen('2', { hostname: 'web-2' }, { os: 'Windows' }),
  ])
})

test('GET /changes → 200: pages, how many there are, and where to go on', async () => {
  const { status, headers, body } = await caller.get<Body>('/changes?limit=2')
  expect(status).toBe(200)
  expect(body.meta).toEqual({ count: 3, tenant: ctx.tenantId, next: 2 })
  expect(headers).toMatchObject({ 'x-total-count': '3', 'x-total-pages': '2', 'x-next-cursor': 'offset=2' })
  const rest = await caller.get<Body>(`/changes?after=${body.meta.next}`)
  expect(rest.body.data).toHaveLength(1)
  expect(rest.body.meta).toMatchObject({ count: 1, next: 3 })
  expect((await caller.get<Body>('/changes?after=3')).body).toMatchObject({ data: [], meta: { next: 3 } })
})

test.each([
  ['kind=asset_appeared', 2],
  ['kind=asset_appeared,source_connected', 3],
  ['since=-1d', 3],
  ['since=2020-01-01', 3],
  ['since=2999-01-01T00:00:00Z', 0],
  ['since=&after=&kind=&asset=&where=', 3],
  ['where=os:debian', 1],
  ['asset=00000000-0000-7000-8000-000000000000', 0],
])('GET /changes?%s → %d', async (query, count) => {
  const { status, body } = await caller.get<Body>(`/changes?${query}`)
  expect([status, body.meta.count, body.data.length]).toEqual([200, count, count])
})

test.each([
  ['since=yesterday', 'since: must be a day such as'],
  ['since=2026-13-01', 'since: must be a day such as'],
  ['after=-1', 'after: must be a whole number'],
  ['after=1e3', 'after: must be a whole number'],
  ['kind=asset_appeared,nothing', 'kind: must be of asset_appeared'],
  ['asset=7', 'asset: is not a UUID'],
  ['where=colour%20%3D%20red', 'where: '],
])('GET /changes?%s → 400', async (query, message) => {
  const { status, body } = await caller.get<{ error: string; message: string }>(`/changes?${query}`)
  expect([status, body.error]).toEqual([400, 'invalid_request'])
  expect(body.message).toContain(message)
})
