import { beforeAll, expect, inject, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { seedTenant } from '../../../../bench/seed/seed.ts'
import { observationOf, SOURCE } from '../../../../bench/seed/seeded-assets.ts'
import { archiveAsset, listAssets } from '../assets.ts'
import { countAssets, queryAssetPage } from './filter-and-sort.ts'
import * as appStore from './filter-and-sort-store.ts'
import * as apiStore from './newest-first-store.ts'
import { readSearchTerm } from './search-term.ts'

/** More than are looked for each time. */
const SIZE = 5_200
const PAGE = { limit: 50, offset: 0 }

const home = sharedTestApp()
let ctx: Ctx

beforeAll(async () => {
  const { runtime, where } = home()
  const superuser = { ...inject('superuser'), database: String(where.database) }
  ctx = runtime.contextFor((await seedTenant(runtime, superuser, SIZE)).id)
  // a tenant that was never written to has no version
  await submit(ctx, SOURCE, [observationOf(SIZE)])
}, 180_000)

const asked = () =>
  Promise.all([
    listAssets(ctx, PAGE, { search: 'corp' }),
    listAssets(ctx, { limit: 10, offset: 990 }, { search: 'corp' }),
    queryAssetPage(ctx, PAGE, { search: 'corp' }),
    countAssets(ctx, { search: 'corp' }),
  ])

/** In a transaction nothing is remembered. */
const anew = () =>
  ctx.db.transaction(async (db) => {
    const inner = { ...ctx, db }
    return [
      await listAssets(inner, PAGE, { search: 'corp' }),
      await listAssets(inner, { limit: 10, offset: 990 }, { search: 'corp' }),
      await queryAssetPage(inner, PAGE, { search: 'corp' }),
      await countAssets(inner, { search: 'corp' }),
    ]
  })

test('what many match is remembered once it was asked again, and says what is true after each change', async () => {
  const known = () => ctx.db.cachedMatches?.(apiStore.searchQuestion(ctx, 'corp'))
  expect(await known()).toBe(undefined)
  await listAssets(ctx, PAGE, { search: 'corp' })
  expect(await known()).toBe(undefined)
  expect(await asked()).toEqual(await anew())
  await expect.poll(known, { timeout: 30_000 }).toBeDefined()
  expect(await asked()).toEqual(await anew())
  await submit(
    ctx,
    SOURCE,
    Array.from({ length: 20 }, (_, n) => observationOf(SIZE - 10 + n)),
  )
  expect(await asked()).toEqual(await anew())
  expect((await listAssets(ctx, PAGE, { search: 'corp' })).total).toBe(SIZE + 10)
  await submit(ctx, { kind: 'csv', name: 'other' }, [observationOf(3)])
  expect(await asked()).toEqual(await anew())
})

test.each([
  ['alone', undefined],
  ['beside a type', 'device'],
])('a search %s is remembered without archived assets', async (_, type) => {
  const asked = { search: 'example', type }
  const [first] = (await listAssets(ctx, PAGE, asked)).items
  await archiveAsset(ctx, first?.id ?? '')
  const { total } = await listAssets(ctx, PAGE, asked)
  const questions = [
    apiStore.searchQuestion(ctx, 'example', type),
    appStore.searchQuestion(ctx, { term: readSearchTerm('example'), type }),
  ]
  for (const question of questions) expect(question && (await ctx.db.matches?.(question))?.total).toBe(total)
})
