import { beforeEach, expect, test } from 'vitest'
import { listAssets, updateAllSites } from '#features/assets/assets.ts'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { mergeAssets } from '#features/assets/editing/merge-and-unlink.ts'
import { submit } from '#features/sources/sources.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sql } from 'kysely'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { importRecords, setRecords } from '../records.ts'
import { createPlace, deletePlace, updatePlace } from './places.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeEach(async () => {
  ctx = await shared().newTenant()
})

const at = async (where: string): Promise<string[]> =>
  (await listAssets(ctx, { limit: 50, offset: 0 }, { where })).items.map(({ name }) => name).toSorted()

const idOf = async (name: string): Promise<string> =>
  (await listAssets(ctx, { limit: 1, offset: 0 }, { where: `name = ${name}` })).items[0]?.id ?? ''

const report = (name: string, serial: string, ip: string) =>
  submit(ctx, csv, [seen(serial, { serial, ip }, { name })])

const waitingJobs = async (): Promise<number> => {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*) as n from jobs where tenant_id = ${ctx.tenantId} and name = 'assets.updateSites'`)
  return n
}

test('the site is written with the asset, and again when its address is another one', async () => {
  await createPlace(ctx, { name: 'Oslo', kind: 'site', networks: ['10.1.0.0/16'] })
  await createPlace(ctx, { name: 'Bergen', kind: 'site', networks: ['10.2.0.0/16'] })
  await report('a', 'PF0AAA01', '10.1.0.5')
  expect(await at('site = Oslo')).toEqual(['a'])
  await submit(ctx, csv, [
    {
      ...seen('PF0AAA01', { serial: 'PF0AAA01', ip: '10.2.0.5' }, { name: 'a' }),
      seenAt: new Date(ctx.now().getTime() - 1_000),
    },
  ])
  expect([await at('site = Oslo'), await at('site = Bergen')]).toEqual([[], ['a']])
})

test('one job writes the sites anew when networks, names or parents of places change', async () => {
  await report('a', 'PF0AAA01', '10.1.0.5')
  await report('b', 'PF0AAA02', '10.1.9.5')
  const oslo = await createPlace(ctx, { name: 'Oslo', kind: 'site', networks: ['10.1.0.0/16'] })
  const room = await createPlace(ctx, {
    name: 'Lab',
    kind: 'room',
    parentId: oslo.id,
    networks: ['10.1.9.0/24'],
  })
  const bergen = await createPlace(ctx, { name: 'Bergen', kind: 'site' })
  expect([await at('has site'), await waitingJobs()]).toEqual([[], 1])
  await updateAllSites(ctx)
  expect(await at('site = oslo')).toEqual(['a', 'b'])
  await updatePlace(ctx, room.id, { parentId: bergen.id })
  await updatePlace(ctx, oslo.id, { name: 'Óslo' })
  await updateAllSites(ctx)
  expect([await at('site = Óslo'), await at('site = bergen')]).toEqual([['a'], ['b']])
  await deletePlace(ctx, room.id)
  await updateAllSites(ctx)
  expect(await at('site = Óslo')).toEqual(['a', 'b'])
})

test('the recorded place goes before the address, and goes with a merge', async () => {
  const oslo = await createPlace(ctx, { name: 'Oslo', kind: 'site', networks: ['10.1.0.0/16'] })
  const bergen = await createPlace(ctx, { name: 'Bergen', kind: 'site' })
  await report('a', 'PF0AAA01', '10.1.0.5')
  await report('b', 'PF0AAA02', '192.0.2.1')
  const [a, b] = [await idOf('a'), await idOf('b')]
  await setRecords(ctx, { assetIds: [a], values: { placeId: bergen.id } })
  await atomically(ctx, (inner) =>
    importRecords(inner, 'a file', [{ assetId: b, values: { placeId: oslo.id } }]),
  )
  expect([await at('site = Oslo'), await at('site = Bergen')]).toEqual([['b'], ['a']])
  await setRecords(ctx, { assetIds: [a], values: { placeId: null } })
  expect(await at('site = Oslo')).toEqual(['a', 'b'])
  await setRecords(ctx, { assetIds: [b], values: { placeId: bergen.id } })
  await mergeAssets(ctx, { assetIdA: a, assetIdB: b, reason: 'one' })
  expect((await at('site = Bergen')).length).toBe(1)
})
