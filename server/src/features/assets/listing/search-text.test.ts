import { expect, test } from 'vitest'
import { listAssets } from '../assets.ts'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { csv, seen } from '../observations.fixture.ts'
import { queryAssets } from './filter-and-sort.ts'

const COMPOSED = 'B\u00fcro-Drucker'
const DECOMPOSED = 'Bu\u0308ro-Drucker'

test('letters written in two ways find each other in the API, in conditions and in the app', async () => {
  const ctx = await (await testApp()).newTenant()
  await submit(ctx, csv, [seen('1', {}, { name: DECOMPOSED }), seen('2', {}, { name: `${COMPOSED} 2` })])
  const [page, sought] = [{ limit: 5, offset: 0 }, 'B\u00dcRO-']
  for (const term of [sought, sought.normalize('NFD')]) {
    expect((await listAssets(ctx, page, { search: term })).total).toBe(2)
    expect((await listAssets(ctx, page, { where: `"${term}"` })).total).toBe(2)
    expect((await queryAssets(ctx, page, { search: term })).total).toBe(2)
  }
})

test('terms are found wherever they are, in pages from a few and from many', async () => {
  const ctx = await (await testApp()).newTenant()
  const things = Array.from({ length: 6_000 }, (_, n) => {
    const type = n % 3 === 0 ? ({ assetType: 'virtual_machine' } as const) : {}
    return seen(
      `${n}`,
      { hostname: `srv_${n}.corp-a.example`, ip: `10.1.${n >> 8}.${n & 255}` },
      { minute: n, ...type },
    )
  })
  for (let from = 0; from < things.length; from += 1_000) {
    await submit(ctx, csv, things.slice(from, from + 1_000))
  }
  const find = async (
    search: string,
    { limit = 2, offset = 0, type }: Partial<Record<'limit' | 'offset', number>> & { type?: string } = {},
  ) => {
    const { items, total } = await listAssets(ctx, { limit, offset }, { search, type })
    return [total, ...items.map(({ hostname }) => /\d+/.exec(hostname)?.[0])]
  }
  expect(await find('SRV_5999.corp-A.example')).toEqual([1, '5999'])
  expect(await find('srv-5999')).toEqual([0])
  expect(await find('rv_599')).toEqual([11, '5999', '5998'])
  expect(await find('10.1.23.111')).toEqual([1, '5999'])
  expect(await find('.1.23.1')).toEqual([23, '5999', '5998'])
  expect(await find('%')).toEqual([0])
  expect(await find('\\')).toEqual([0])
  expect(await find('corp-a')).toEqual([6_000, '5999', '5998'])
  expect(await find('corp-a', { offset: 5_999 })).toEqual([6_000, '0'])
  expect(await find('corp-a', { offset: 6_000 })).toEqual([6_000])
  expect(await find('corp-a', { type: 'virtual_machine', offset: 1 })).toEqual([2_000, '5994', '5991'])
  expect(await find('_59', { type: 'device' })).toEqual([75, '5999', '5998'])
  expect(await find('corp-a', { type: 'user' })).toEqual([0])
  expect(await find('a')).toEqual([6_000, '5999', '5998'])
  // only among the oldest, beyond the part of the list that is walked
  expect(await find('srv_1')).toEqual([1_111, '1999', '1998'])
})
