import { beforeAll, expect, test } from 'vitest'
import { listAssets, updateAllSites } from '#features/assets/assets.ts'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createPlace } from '../places/places.ts'
import { setRecords } from '../records.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await shared().newTenant()
  await submit(ctx, csv, [
    seen('a', { serial: 'PF0AAA01', ip: '10.1.0.5' }, { name: 'a' }),
    seen('b', { serial: 'PF0AAA02', ip: '10.1.9.5' }, { name: 'b' }),
    seen('c', { serial: 'PF0AAA03', ip: '192.0.2.1' }, { name: 'c' }),
  ])
  const { items } = await listAssets(ctx, { limit: 10, offset: 0 })
  const set = (name: string, values: object) =>
    setRecords(ctx, { assetIds: items.filter((it) => it.name === name).map(({ id }) => id), values })
  const oslo = await createPlace(ctx, { name: 'Oslo', kind: 'site', networks: ['10.1.0.0/16'] })
  const east = await createPlace(ctx, { name: 'East', kind: 'building', parentId: oslo.id })
  await createPlace(ctx, { name: 'Zürich', kind: 'site', networks: ['10.1.9.0/24'] })
  const room = await createPlace(ctx, { name: 'Lab', kind: 'room', parentId: east.id })
  await set('a', {
    owner: 'Zoë Straße',
    department: 'IT',
    price: '1299.50',
    currency: 'EUR',
    state: 'in_use',
  })
  await set('b', {
    owner: 'Facilities',
    warrantyEnds: '2026-03-31',
    purchasedOn: '2023-03-31',
    supplier: 'Dell',
  })
  await set('c', { placeId: room.id, costCentre: 'CC-1', orderNumber: 'PO-7', leaseEnds: '2027-01-01' })
  await updateAllSites(ctx)
})

test.each([
  ['owner = "ZOË straße"', ['a']],
  ['owner:facil', ['b']],
  ['not has owner', ['c']],
  ['department = it and price > 1000 and currency = eur', ['a']],
  ['state = in_use', ['a']],
  ['warranty_ends < 2026-04-01', ['b']],
  ['purchased < 2024-01-01 supplier = dell', ['b']],
  ['cost_centre = cc-1 order_number = po-7 lease_ends > 2026-12-31', ['c']],
  ['site = oslo', ['a', 'c']],
  ['site = Zürich', ['b']],
  ['has site', ['a', 'b', 'c']],
  ['has replace_on or has hardware_eol', []],
])('%s', async (where, names) => {
  const { items, total } = await listAssets(ctx, { limit: 50, offset: 0 }, { where })
  expect(items.map(({ name }) => name).toSorted()).toEqual(names)
  expect(total).toBe(names.length)
})
