import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { matching } from '#platform/conditions/matching.ts'
import { withCondition } from '#platform/conditions/with-condition.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { whileOthersWrite } from '#test/support/app/while-others-write.ts'
import { deleteAsset, listAssets } from '../assets.ts'
import { csv, seen } from '../observations.fixture.ts'
import { listWhere } from './where.ts'
import { idsAfter, narrowed, pageOfMatches } from './where-store.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  const [mine, other] = [await home().newTenant(), await home().newTenant()]
  ctx = mine
  // web-3 and web-2 are seen at once: of these the one found later comes first
  for (const [name, minute] of [
    ['web-1', 1],
    ['web-2', 5],
    ['web-3', 5],
    ['db-1', 9],
  ] as const)
    for (const of of [mine, other])
      await submit(of, csv, [
        seen(name, { hostname: name }, { minute, assetType: name === 'web-1' ? 'hypervisor' : 'device' }),
      ])
})

const WHERE = 'name:web'
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)
const pages = [
  [0, 10, ['web-3', 'web-2', 'web-1']],
  [0, 1, ['web-3']],
  [1, 1, ['web-2']],
  [2, 9, ['web-1']],
  [3, 9, []],
] as const

/** As a page is read that is deep among the matches: of few, or of more than are held. */
async function deepPage(
  page: { limit: number; offset: number },
  holds: boolean,
  more: Parameters<typeof narrowed>[1] = {},
) {
  const found = await matching(ctx, {
    subject: 'asset',
    text: WHERE,
    narrowed: (inner) => narrowed(inner, more),
  })
  if (!found) throw new Error('answers are not shared')
  const matches = {
    ...found.matches,
    total: found.matches.total,
    subjects: (max: number) => (holds ? found.matches.subjects(max) : undefined),
  }
  return pageOfMatches(ctx, page, { ...found, ...more, matches: matches as typeof found.matches })
}

test.each(pages)(
  'from the %i. on, %i are the same whoever works them out',
  async (offset, limit, expected) => {
    const page = { limit, offset }
    for (const way of [
      () => listWhere(ctx, page, { where: WHERE }),
      // where answers are not shared
      () => atomically(ctx, (inner) => listWhere(inner, page, { where: WHERE })),
    ]) {
      const { items, total } = await way()
      expect([total, names(items)]).toEqual([3, expected])
    }
    for (const holds of [true, false]) expect(names(await deepPage(page, holds))).toEqual(expected)
  },
)

test.each([
  [{ type: 'hypervisor' }, ['web-1']],
  [{ type: 'device' }, ['web-3', 'web-2']],
  [{ search: 'EB-2' }, ['web-2']],
  [{ search: '', type: 'device' }, ['web-3', 'web-2']],
  [{ search: 'xyz' }, []],
])('%j holds beside the condition', async (more, expected) => {
  const page = { limit: 9, offset: 0 }
  for (const way of [
    () => listWhere(ctx, page, { where: WHERE, ...more }),
    () => atomically(ctx, (inner) => listWhere(inner, page, { where: WHERE, ...more })),
  ])
    expect(names((await way()).items)).toEqual(expected)
  for (const holds of [true, false]) expect(names(await deepPage(page, holds, more))).toEqual(expected)
})

test('ids are read in their order, behind one', async () => {
  const after = (id?: string, limit = 9) =>
    withCondition(ctx, { subject: 'asset', text: WHERE }, (inner, filter) =>
      idsAfter(inner, filter, { after: id, limit }),
    )
  const all = await after()
  expect(all).toEqual(all.toSorted())
  expect(all).toHaveLength(3)
  expect(await after(all[0])).toEqual(all.slice(1))
  expect(await after(undefined, 2)).toEqual(all.slice(0, 2))
})

test.each([{ search: 'eb-' }, { where: WHERE }])(
  'of what is held for %j, an asset that is gone is not counted',
  async (asked) => {
    const [web] = (await listAssets(ctx, { limit: 1, offset: 0 }, asked)).items
    const ids = [web?.id ?? '', '00000000-0000-4000-8000-000000000000']
    const held = async () => ({ total: 2, subjects: () => undefined, page: () => ids })
    const reader = { ...ctx, db: { ...ctx.db, matches: held, cachedMatches: held } }
    expect(await listAssets(reader, { limit: 9, offset: 0 }, asked)).toEqual({ items: [web], total: 1 })
  },
)

test('an asset that is deleted while it is searched for is found and counted, or neither', async () => {
  const tenant = await home().newTenant()
  await submit(tenant, csv, [seen('gone-1', { hostname: 'gone-1' }), seen('gone-2', { hostname: 'gone-2' })])
  const asked = { search: 'gone' }
  const { items } = await listAssets(tenant, { limit: 9, offset: 0 }, asked)
  const left = items.map(({ id }) => id)
  const reader = whileOthersWrite(tenant, async () => {
    const id = left.pop()
    if (id !== undefined) await deleteAsset(tenant, id)
  })
  const found = await listAssets(reader, { limit: 9, offset: 0 }, asked)
  expect(found.total).toBe(found.items.length)
  expect((await listAssets(tenant, { limit: 9, offset: 0 }, asked)).total).toBeLessThan(2)
})
