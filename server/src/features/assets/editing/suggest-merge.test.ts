import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import { dryRun, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { archiveAsset } from '../archive/archive.ts'
import { listCandidates } from '../assets.ts'
import { assetsOf, csv, observationIds, seen } from '../observations.fixture.ts'
import { listDuplicates } from '../listing/possible-duplicates.ts'
import { keepApart, mergeAssets, undoKeepApart, unlinkObservations } from './merge-and-unlink.ts'
import { suggestMerge, suggestMergeOfSame } from './suggest-merge.ts'

const home = sharedTestApp()
const PAGE = { limit: 50, offset: 0 }

/** Assets with these host names, in a tenant of their own. */
async function assetsNamed(...names: readonly string[]): Promise<{ ctx: Ctx; ids: string[] }> {
  const ctx = await home().newTenant()
  for (const [n, hostname] of names.entries())
    await submit(ctx, csv, [seen(String(n), { hostname, serial: `PF0ABC1${n}` })])
  return { ctx, ids: (await assetsOf(ctx)).map(({ id }) => id) }
}

const suggested = async (...names: readonly string[]) => {
  const { ctx, ids } = await assetsNamed(...names)
  const [a = '', b = ''] = ids
  const pair = { assetIdA: b, assetIdB: a, reason: 'the same sticker' }
  await suggestMerge(ctx, pair)
  return { ctx, a, b, pair }
}

test('a suggestion makes two assets possible duplicates without a score, and says who suggested it and why', async () => {
  const { ctx, a, b, pair } = await suggested('one', 'two')
  await suggestMerge(ctx, { ...pair, reason: 'again' })
  const { items, total } = await listDuplicates(ctx, PAGE)
  expect(total).toBe(1)
  expect([items[0]?.assetA.id, items[0]?.assetB.id]).toEqual([a, b].toSorted())
  expect(items).toMatchObject([
    {
      score: 0,
      reasons: [],
      veto: null,
      suggestion: { by: `${ctx.actor.kind} ${ctx.actor.id}`, flowId: null, reason: 'the same sticker' },
    },
  ])
  expect((await listDuplicates(ctx, PAGE, a)).total).toBe(1)
  const { items: entries } = await searchAudit(ctx, PAGE)
  expect(entries.filter(({ action }) => action === 'asset.merge_suggested')).toMatchObject([
    { details: { reason: 'the same sticker' } },
  ])
})

test('a pair that the evidence lists, too, has its score and the suggestion', async () => {
  const ctx = await home().newTenant()
  const named = { hostname: 'web-1.corp.example' }
  await submit(ctx, csv, [seen('1', named), seen('2', named)])
  const [one, two] = await assetsOf(ctx)
  await suggestMerge(ctx, { assetIdA: one?.id ?? '', assetIdB: two?.id ?? '', reason: 'r' })
  const { items } = await listCandidates(ctx, PAGE)
  expect(items).toMatchObject([{ score: 0.7, suggestion: { reason: 'r' } }])
})

test('merging removes the suggestion', async () => {
  const { ctx, pair } = await suggested('one', 'two')
  await mergeAssets(ctx, pair)
  expect(await listCandidates(ctx, PAGE)).toEqual({ items: [], total: 0 })
})

test('keeping apart removes the suggestion, and it cannot be suggested again', async () => {
  const { ctx, pair } = await suggested('one', 'two')
  await keepApart(ctx, pair)
  expect((await listCandidates(ctx, PAGE)).total).toBe(0)
  await expect(suggestMerge(ctx, pair)).rejects.toMatchObject({ status: 409 })
})

test('what was kept apart is asked about again when that is undone', async () => {
  const ctx = await home().newTenant()
  const named = { hostname: 'web-1.corp.example' }
  await submit(ctx, csv, [seen('1', named), seen('2', named)])
  const [one, two] = await assetsOf(ctx)
  const pair = { assetIdA: one?.id ?? '', assetIdB: two?.id ?? '', reason: 'r' }
  await keepApart(ctx, pair)
  expect((await listCandidates(ctx, PAGE)).total).toBe(0)
  await expect(undoKeepApart(ctx, { ...pair, assetIdB: pair.assetIdA })).rejects.toThrow('from itself')
  await undoKeepApart(ctx, pair)
  expect(await listCandidates(ctx, PAGE)).toMatchObject({ total: 1, items: [{ score: 0.7 }] })
  await expect(undoKeepApart(ctx, pair)).rejects.toThrow('nothing keeps the two apart')
  await suggestMerge(ctx, pair)
  const { items } = await searchAudit(ctx, PAGE)
  expect(items.map(({ action }) => action)).toContain('asset.kept_apart_undone')
})

test('taking back that two are kept apart leaves what an unlink separated', async () => {
  const ctx = await home().newTenant()
  const named = { hostname: 'web-1.corp.example', serial: 'PF0ABC17' }
  await submit(ctx, csv, [seen('1', named), seen('2', named), seen('3', named)])
  const [asset] = await assetsOf(ctx)
  const leaving = [(await observationIds(ctx))['3'] ?? '']
  await unlinkObservations(ctx, { assetId: asset?.id ?? '', observationIds: leaving, reason: 'r' })
  await submit(ctx, csv, [seen('4', { hostname: 'web-1.corp.example' })])
  const idOf = async (key: string) => (await assetsOf(ctx)).find(({ keys }) => keys.includes(key))?.id ?? ''
  const separated = { assetIdA: await idOf('1'), assetIdB: await idOf('3'), reason: 'r' }
  await expect(undoKeepApart(ctx, separated)).rejects.toThrow('separated by unlinking')
  await keepApart(ctx, separated)
  await mergeAssets(ctx, { assetIdA: await idOf('3'), assetIdB: await idOf('4'), reason: 'r' })
  await keepApart(ctx, separated)
  await undoKeepApart(ctx, separated)
  const groups = (await assetsOf(ctx)).map(({ keys }) => keys.join(' '))
  expect(groups.toSorted((x, y) => (x < y ? -1 : 1))).toEqual(['1 2', '3 4'])
  await mergeAssets(ctx, separated)
  expect(await assetsOf(ctx)).toHaveLength(1)
})

test('an archived asset is in no pair', async () => {
  const { ctx, a } = await suggested('one', 'two')
  await archiveAsset(ctx, a)
  expect((await listCandidates(ctx, PAGE)).total).toBe(0)
})

test('assets with the same value are suggested, but not those that are kept apart', async () => {
  const { ctx, ids } = await assetsNamed('lap-7', 'lap-7', 'lap-7', 'other')
  const [one = '', two = '', three = ''] = ids
  await keepApart(ctx, { assetIdA: one, assetIdB: three, reason: '' })
  const request = { assetId: one, identifier: 'hostname' as const, reason: 'same name' }
  expect(await suggestMergeOfSame(ctx, request)).toEqual([two])
  const { items } = await listCandidates(ctx, PAGE)
  const pairs = items.filter(({ suggestion }) => suggestion).map((it) => [it.assetIdA, it.assetIdB])
  expect(pairs).toEqual([[one, two].toSorted()])
  const nobody = { ...request, assetId: '00000000-0000-7000-8000-000000000000' }
  await expect(suggestMergeOfSame(ctx, nobody)).rejects.toMatchObject({ status: 404 })
  const long = { ...request, reason: 'x'.repeat(1_001) }
  await expect(suggestMergeOfSame(ctx, long)).rejects.toMatchObject({ status: 400 })
})

test('at most ten with the same value are suggested', async () => {
  const { ctx, ids } = await assetsNamed(...Array.from({ length: 12 }, () => 'lap-7'))
  const request = { assetId: ids[0] ?? '', identifier: 'hostname' as const, reason: '' }
  expect(await suggestMergeOfSame(ctx, request)).toHaveLength(10)
})

test('only tried, nothing is suggested', async () => {
  const { ctx, ids } = await assetsNamed('one', 'two')
  const [a = '', b = ''] = ids
  await dryRun(ctx, (inner) => suggestMerge(inner, { assetIdA: a, assetIdB: b, reason: '' }))
  expect((await listCandidates(ctx, PAGE)).total).toBe(0)
})

test('bad input is refused, as are assets of other tenants', async () => {
  const { ctx, ids } = await assetsNamed('one')
  const { ids: foreign } = await assetsNamed('two')
  const [a = ''] = ids
  const [b = ''] = foreign
  await expect(suggestMerge(ctx, { assetIdA: a, assetIdB: a, reason: '' })).rejects.toMatchObject({
    status: 400,
  })
  await expect(suggestMerge(ctx, { assetIdA: a, assetIdB: b, reason: '' })).rejects.toMatchObject({
    status: 404,
  })
  const long = { assetIdA: a, assetIdB: b, reason: 'x'.repeat(1_001) }
  await expect(suggestMerge(ctx, long)).rejects.toMatchObject({ status: 400, extras: { field: 'reason' } })
})
