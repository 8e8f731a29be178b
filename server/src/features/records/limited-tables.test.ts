import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { seenWithinLimit } from '#test/support/seen-within-limit.ts'
import { createPlace } from './places/places.ts'
import { setRecords } from './records.ts'

const home = sharedTestApp()

test('who sees some assets sees what is recorded of these, and all places', async () => {
  const ctx = await home().newTenant()
  await submit(ctx, csv, [
    seen('a', { serial: 'PF0AAA01' }, { name: 'a', tags: ['near'] }),
    seen('b', { serial: 'PF0AAA02' }, { name: 'b' }),
    seen('c', { serial: 'PF0AAA03' }, { name: 'c' }),
  ])
  const { items } = await listAssets(ctx, { limit: 9, offset: 0 })
  await setRecords(ctx, { assetIds: items.map(({ id }) => id), values: { owner: 'IT' } })
  for (const n of [1, 2])
    await createPlace(ctx, { name: `site ${n}`, kind: 'site', networks: [`10.${n}.0.0/16`] })
  expect(await seenWithinLimit(ctx, ['asset_records', 'places', 'place_networks'])).toEqual({
    asset_records: '1 of 3',
    places: '2 of 2',
    place_networks: '2 of 2',
  })
})
