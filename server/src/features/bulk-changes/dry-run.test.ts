import { expect, test } from 'vitest'
import { setArchiveRules, listArchiveRules } from '#features/assets/archive/archive-rules.ts'
import { mergeAssets } from '#features/assets/editing/merge-and-unlink.ts'
import { listAssets } from '#features/assets/assets.ts'
import { tried, wouldChange } from '#features/changes/changes.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listBulkChanges, startBulkChange } from './bulk-changes.ts'

const home = sharedTestApp()
const PAGE = { limit: 100, offset: 0 }

async function assetsNamed(ctx: Ctx, names: readonly string[], daysAgo = 0): Promise<string[]> {
  const seenAt = new Date(ctx.now().getTime() - daysAgo * 86_400_000)
  await submit(
    ctx,
    { kind: 'csv', name: 'list' },
    names.map((name) => ({ sourceKey: name, seenAt, identifiers: [{ type: 'hostname', value: name }] })),
  )
  const { items } = await listAssets(ctx, PAGE)
  return names.map((name) => items.find((it) => it.name === name)?.id ?? '')
}

const stateOf = async (ctx: Ctx) => (await listAssets(ctx, PAGE)).items

test('a bulk change says which assets would change, and changes none', async () => {
  const ctx = await home().newTenant()
  const [a = '', b = ''] = await assetsNamed(ctx, ['a', 'b'])
  const before = await stateOf(ctx)
  const { result, changes } = await tried(ctx, (inner) =>
    startBulkChange(inner, { verb: 'add_tags', values: { tags: ['urgent'] }, where: 'name in (a, b)' }),
  )
  expect(result).toMatchObject({ verb: 'add_tags' })
  expect(changes).toMatchObject({ total: 2, isWhole: true, counts: [{ kind: 'field_changed', count: 2 }] })
  expect(changes.subjects.toSorted((x, y) => (x.name < y.name ? -1 : 1))).toMatchObject([
    { type: 'asset', id: a, name: 'a', becomesTrue: ['tag = urgent'], becomesFalse: [] },
    { type: 'asset', id: b, name: 'b', becomesTrue: ['tag = urgent'], becomesFalse: [] },
  ])
  expect(await stateOf(ctx)).toEqual(before)
  expect((await listBulkChanges(ctx, PAGE)).total).toBe(0)
})

test('archive rules say what they would archive, and are not set', async () => {
  const ctx = await home().newTenant()
  await assetsNamed(ctx, ['new'])
  const old = await assetsNamed(ctx, ['old-1', 'old-2'], 40)
  const changes = await wouldChange(ctx, (inner) => setArchiveRules(inner, [{ sourceKind: 'csv', days: 30 }]))
  expect(changes).toMatchObject({ total: 2, counts: [{ kind: 'asset_archived', count: 2 }] })
  expect(changes.subjects.map(({ id }) => id).toSorted()).toEqual(old.toSorted())
  expect(changes.subjects.every(({ becomesTrue }) => becomesTrue.includes('archived'))).toBe(true)
  expect(await listArchiveRules(ctx)).toEqual([])
})

test('a merge says which asset is gone; what would be refused is refused', async () => {
  const ctx = await home().newTenant()
  const [a = '', b = ''] = await assetsNamed(ctx, ['a', 'b'])
  const merge = (ids: [string, string]) => (inner: Ctx) =>
    mergeAssets(inner, { assetIdA: ids[0], assetIdB: ids[1], reason: 'same' })
  const { subjects } = await wouldChange(ctx, merge([a, b]))
  expect(subjects.filter(({ becomesFalse }) => becomesFalse.includes('there'))).toHaveLength(1)
  expect(subjects.some(({ becomesTrue }) => becomesTrue.some((it) => it.endsWith('merged into it')))).toBe(
    true,
  )
  expect((await stateOf(ctx)).map(({ id }) => id).toSorted()).toEqual([a, b].toSorted())
  await expect(wouldChange(ctx, merge([a, a]))).rejects.toMatchObject({ status: 400 })
  const limited: Ctx = { ...ctx, actor: { ...ctx.actor, may: (it) => it === 'assets:read' } }
  await expect(wouldChange(limited, merge([a, b]))).rejects.toMatchObject({ status: 403 })
})
