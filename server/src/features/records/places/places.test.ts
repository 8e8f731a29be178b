import { beforeEach, expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { setRecords } from '../records.ts'
import { placeFinder } from './place-finder.ts'
import type { Place } from './place.ts'
import { createPlace, deletePlace, listPlaces, placesByPath, updatePlace } from './places.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeEach(async () => {
  ctx = await shared().newTenant()
})

test('buildings are in sites, rooms in either; the list is in the order of paths', async () => {
  const oslo = await createPlace(ctx, { name: 'Oslo', kind: 'site' })
  const east = await createPlace(ctx, { name: 'East', kind: 'building', parentId: oslo.id })
  await createPlace(ctx, { name: 'Lab', kind: 'room', parentId: east.id })
  const bergen = await createPlace(ctx, { name: 'Bergen', kind: 'site' })
  await updatePlace(ctx, east.id, { parentId: bergen.id })
  expect((await listPlaces(ctx)).map(({ path, site }) => [path, site])).toEqual([
    ['Bergen', 'Bergen'],
    ['Bergen / East', 'Bergen'],
    ['Bergen / East / Lab', 'Bergen'],
    ['Oslo', 'Oslo'],
  ])
  await expect(createPlace(ctx, { name: 'x', kind: 'site', parentId: oslo.id })).rejects.toThrow('parentId')
  await expect(createPlace(ctx, { name: 'x', kind: 'building' })).rejects.toThrow('parentId')
  await expect(createPlace(ctx, { name: 'x', kind: 'building', parentId: east.id })).rejects.toThrow(
    'parentId',
  )
  await expect(createPlace(ctx, { name: 'Oslo', kind: 'site' })).rejects.toThrow('there is a place Oslo')
  await expect(updatePlace(ctx, bergen.id, { name: 'Oslo' })).rejects.toThrow('there is a place Oslo')
})

test.each([
  '10.0.0.0',
  '10.0.0.0/33',
  '10.0.0/8',
  'fe80::/129',
  'fe80::1%eth0/64',
  'x/8',
  '10.0.0.0/8/8',
  '/8',
])('%j is no network', async (network) => {
  await expect(createPlace(ctx, { name: 'x', kind: 'site', networks: [network] })).rejects.toThrow('networks')
})

test('a network is canonical and belongs to one place', async () => {
  const oslo = await createPlace(ctx, {
    name: 'Oslo',
    kind: 'site',
    networks: ['10.1.2.3/16', '2001:DB8::5/32'],
  })
  expect(oslo.networks).toEqual(['10.1.0.0/16', '2001:db8::/32'])
  await expect(createPlace(ctx, { name: 'x', kind: 'site', networks: ['10.1.0.0/16'] })).rejects.toThrow(
    '10.1.0.0/16 belongs to Oslo',
  )
  expect((await updatePlace(ctx, oslo.id, { networks: ['10.1.0.0/16'] })).networks).toEqual(['10.1.0.0/16'])
})

test('what is in use is not deleted', async () => {
  await submit(ctx, csv, [seen('1', { serial: 'PF0AAA11' })])
  const [asset] = (await listAssets(ctx, { limit: 1, offset: 0 })).items
  const oslo = await createPlace(ctx, { name: 'Oslo', kind: 'site' })
  const room = await createPlace(ctx, { name: 'Lab', kind: 'room', parentId: oslo.id })
  await setRecords(ctx, { assetIds: [asset?.id ?? ''], values: { placeId: room.id } })
  await expect(deletePlace(ctx, oslo.id)).rejects.toThrow('has 1 other places in it')
  await expect(deletePlace(ctx, room.id)).rejects.toThrow('1 assets are recorded in Oslo / Lab')
  await setRecords(ctx, { assetIds: [asset?.id ?? ''], values: { placeId: null } })
  await deletePlace(ctx, room.id)
  await deletePlace(ctx, oslo.id)
  expect(await listPlaces(ctx)).toEqual([])
})

test('missing sites are made once', async () => {
  const first = await placesByPath(ctx, ['Oslo', 'Bergen', 'Oslo'])
  expect([...first.keys()].sort()).toEqual(['Bergen', 'Oslo'])
  const lab = await createPlace(ctx, { name: 'Lab', kind: 'room', parentId: first.get('Oslo') ?? '' })
  const again = await placesByPath(ctx, ['Oslo', 'Oslo / Lab'])
  expect([again.get('Oslo'), again.get('Oslo / Lab')]).toEqual([first.get('Oslo'), lab.id])
})

test('by address: the longest network that has it', () => {
  const place = (id: string, networks: string[]): Place => ({
    id,
    parentId: null,
    name: id,
    kind: 'site',
    networks,
    meantFor: {},
  })
  const finder = placeFinder([
    place('all', ['0.0.0.0/0']),
    place('ten', ['10.0.0.0/8']),
    place('net', ['10.1.128.0/17', '2001:db8::/33']),
    place('host', ['10.1.128.7/32']),
  ])
  const at = (address: string) => finder.byAddress(address)?.id
  expect(
    ['10.1.128.7', '10.1.200.1', '10.1.127.255', '192.0.2.1', '2001:db8::1', '2001:db8:8000::1'].map(at),
  ).toEqual(['host', 'net', 'ten', 'all', 'net', undefined])
  expect(['', 'x', '10.1', '::ffff:10.1.128.7'].map(at)).toEqual([undefined, undefined, undefined, 'host'])
})
