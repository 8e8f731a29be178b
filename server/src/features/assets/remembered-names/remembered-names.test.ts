import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { explainAsset } from '../details/explain-asset.ts'
import { moveToScope } from '../intake/move-to-scope.ts'
import { listDuplicates } from '../listing/possible-duplicates.ts'
import { assetsOf, MINUTE, observationIds, seen, sweep } from '../observations.fixture.ts'
import { mergeAssets, unlinkObservations } from '../editing/merge-and-unlink.ts'
import { forgetName, listRememberedNames, mergeByName } from './remembered-names.ts'

/** Phones take another random MAC address each week: people are asked once. */

const app = sharedTestApp()
const WEEK = 7 * 24 * 60
const FIRST = { limit: 20, offset: 0 }

const week = (n: number, name = 'jans-phone', letter = 'a') =>
  seen(
    `${letter}-${n}`,
    { mac: `da:a1:1${letter}:00:00:0${n}`, hostname: name, ip: `10.0.${letter.charCodeAt(0)}.${n}` },
    { minute: n * WEEK },
  )

const keys = async (ctx: Ctx) => (await assetsOf(ctx)).map((it) => it.keys.join(' ')).toSorted()
const asked = async (ctx: Ctx) => (await listDuplicates(ctx, FIRST)).items

async function answered(): Promise<{ readonly ctx: Ctx; readonly first: string; readonly second: string }> {
  const ctx = await app().newTenant()
  for (const n of [1, 2]) await submit(ctx, sweep, [week(n)])
  const [pair] = await asked(ctx)
  expect(pair?.reasons).toMatchObject([{ type: 'hostname', value: 'jans-phone', canBeRemembered: true }])
  const [first = '', second = ''] = (await assetsOf(ctx)).map(({ id }) => id)
  await mergeByName(ctx, { assetIdA: first, assetIdB: second, reason: 'Jan says so' })
  return { ctx, first, second }
}

test('a name that is remembered is asked about once: later weeks are the same asset', async () => {
  const { ctx, first } = await answered()
  for (const n of [3, 4]) await submit(ctx, sweep, [week(n)])
  expect(await assetsOf(ctx)).toMatchObject([{ id: first, keys: ['a-1', 'a-2', 'a-3', 'a-4'] }])
  expect(await asked(ctx)).toEqual([])
  expect(await listRememberedNames(ctx)).toMatchObject([{ name: 'jans-phone', reason: 'Jan says so' }])
})

test('weeks of before that were never asked about follow, in whatever order they came', async () => {
  const ctx = await app().newTenant()
  for (const n of [4, 1, 3, 2]) await submit(ctx, sweep, [week(n)])
  const [one, two] = await assetsOf(ctx)
  await mergeByName(ctx, { assetIdA: one?.id ?? '', assetIdB: two?.id ?? '', reason: '' })
  expect(await keys(ctx)).toEqual(['a-1 a-2 a-3 a-4'])
})

test('a name that is forgotten is asked about again, and the assets are what they were', async () => {
  const { ctx, first, second } = await answered()
  await submit(ctx, sweep, [week(3)])
  const [name] = await listRememberedNames(ctx)
  await forgetName(ctx, name?.id ?? '')
  expect(await listRememberedNames(ctx)).toEqual([])
  expect(await keys(ctx)).toEqual(['a-1', 'a-2', 'a-3'])
  expect((await assetsOf(ctx)).map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]))
  expect(await asked(ctx)).toHaveLength(2)
  await expect(forgetName(ctx, name?.id ?? '')).rejects.toMatchObject({ status: 404 })
})

test('two phones of one name that are there at once stay two', async () => {
  const { ctx } = await answered()
  const both = [week(3), week(3, 'jans-phone', 'b')]
  for (const later of [0, 60])
    await submit(
      ctx,
      sweep,
      both.map((it) => ({ ...it, seenAt: new Date(it.seenAt.getTime() + later * MINUTE) })),
    )
  expect((await assetsOf(ctx)).length).toBeGreaterThan(1)
  for (const { keys: own } of await assetsOf(ctx))
    expect(own).not.toEqual(expect.arrayContaining(['a-3', 'b-3']))
})

test('a person’s word on one observation goes before the name', async () => {
  const { ctx, first } = await answered()
  const ids = await observationIds(ctx)
  await unlinkObservations(ctx, { assetId: first, observationIds: [ids['a-2'] ?? ''], reason: 'a guest' })
  expect(await keys(ctx)).toEqual(['a-1', 'a-2'])
})

test('names are remembered of phones alone', async () => {
  const ctx = await app().newTenant()
  await submit(ctx, sweep, [
    seen('x', { mac: '00:25:90:10:00:01', hostname: 'web-1' }),
    seen('y', { mac: '00:25:90:10:00:02', hostname: 'web-1' }, { minute: 9 * WEEK }),
  ])
  const [one, two] = await assetsOf(ctx)
  const pair = { assetIdA: one?.id ?? '', assetIdB: two?.id ?? '', reason: '' }
  await expect(mergeByName(ctx, pair)).rejects.toThrow('goes with phones alone')
  expect(await listRememberedNames(ctx)).toEqual([])
  await mergeAssets(ctx, pair)
})

test('other names, and the same name in another network, stay apart', async () => {
  const { ctx } = await answered()
  await submit(ctx, sweep, [week(3, 'annas-phone')])
  await submit(ctx, sweep, [{ ...week(4), scope: 'site:elsewhere', sourceKey: 'site:elsewhere a-4' }])
  expect(await keys(ctx)).toEqual(['a-1 a-2', 'a-3', 'site:elsewhere a-4'])
})

test('a name is remembered of what moves to another network too', async () => {
  const { ctx, first } = await answered()
  const move = { from: 'default', to: 'site:elsewhere', moves: () => true }
  await atomically(ctx, (inner) => moveToScope(inner, move, ''))
  expect(await assetsOf(ctx)).toMatchObject([
    { id: first, keys: ['site:elsewhere a-1', 'site:elsewhere a-2'] },
  ])
  const told = await listRememberedNames(ctx)
  expect(told.map(({ scope, reason }) => [scope, reason])).toContainEqual(['site:elsewhere', 'Jan says so'])
})

test('who is limited to some assets has their pages and their names, and remembers none for the others', async () => {
  const { ctx, first } = await answered()
  await submit(ctx, sweep, [week(3, 'annas-phone', 'b'), week(4, 'annas-phone', 'b')])
  const [one, two] = (await assetsOf(ctx)).filter(({ id }) => id !== first)
  const pair = { assetIdA: one?.id ?? '', assetIdB: two?.id ?? '', reason: '' }
  const [mine, theirs] = [`id = ${first}`, `id in (${pair.assetIdA}, ${pair.assetIdB})`].map((condition) =>
    ctx.conditions.limit(ctx, condition),
  )
  if (!mine || !theirs) throw new Error('two limits')
  expect((await explainAsset(mine, first)).links).not.toEqual([])
  await expect(mergeByName(theirs, pair)).rejects.toMatchObject({ status: 403 })
  await mergeByName(ctx, pair)
  expect((await listRememberedNames(mine)).map(({ name }) => name)).toEqual(['jans-phone'])
  expect((await listRememberedNames(theirs)).map(({ name }) => name)).toEqual(['annas-phone'])
  const [name] = await listRememberedNames(mine)
  await expect(forgetName(mine, name?.id ?? '')).rejects.toMatchObject({ status: 403 })
})
