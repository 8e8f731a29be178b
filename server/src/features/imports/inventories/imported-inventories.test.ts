import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { searchAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import { getRecord } from '#features/records/records.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { importFile } from '../import-file.ts'
import { startImport } from '../imports.ts'
import { comparisonOf } from '../running/comparison.ts'
import { upload, work } from '../uploads.fixture.ts'
import { bytes, device, hardware, page } from './inventories.fixture.ts'

const shared = sharedTestApp()
const take = (ctx: Ctx, text: string, more = {}) =>
  importFile(ctx, { name: 'export.json', content: bytes(text), ...more })
const assets = async (ctx: Ctx) => (await listAssets(ctx, { limit: 50, offset: 0 })).items

test('a machine that two products know is one asset; the same file again changes nothing', async () => {
  const ctx = await shared().newTenant()
  const same = { ...hardware, serial: 'FCW2140L0GH', manufacturer: { name: 'Cisco' }, custom_fields: [] }
  const snipe = JSON.stringify({ total: 1, rows: [same] })
  expect(await take(ctx, page(device))).toMatchObject({ created: 1 })
  expect(await take(ctx, snipe, { currency: 'EUR' })).toMatchObject({ created: 0, updated: 1 })
  expect(await take(ctx, snipe, { currency: 'EUR' })).toMatchObject({ unchanged: 1 })
  const [one, ...others] = await assets(ctx)
  expect(others).toEqual([])
  expect((await getRecord(ctx, one?.id ?? '')).values).toMatchObject({ price: '1299.50', currency: 'EUR' })
})

test('addresses of a second file complete the device of the first', async () => {
  const ctx = await shared().newTenant()
  await take(ctx, page(device))
  const url = 'https://netbox.example.org/api/dcim/interfaces/1/'
  await take(
    ctx,
    page({ url, name: 'Gi1', mac_address: '00:1b:21:0a:0b:0c', device: { id: 5, name: 'sw-core-1' } }),
  )
  expect(await assets(ctx)).toMatchObject([
    { serial: 'FCW2140L0GH', macAddress: '00:1b:21:0a:0b:0c', ipAddress: '10.0.0.2', os: 'IOS-XE' },
  ])
})

test('what each side missed, and where they differ, is told with the import', async () => {
  const ctx = await shared().newTenant()
  const csv = 'serial,name,os,hostname\nFCW2140L0GH,core,JunOS,sw-core-1\nPF0AAA02,printer,,\n'
  await take(ctx, csv)
  const other = {
    ...device,
    id: 77,
    name: 'spare',
    serial: 'FCW2140L0ZZ',
    primary_ip4: null,
    primary_ip6: null,
  }
  const { comparison } = await take(ctx, page(device, other))
  expect(comparison).toMatchObject({
    shared: 1,
    different: {
      total: 1,
      assets: [{ values: [{ attribute: 'os', there: 'IOS-XE', here: 'JunOS' }] }],
    },
    onlyThere: { total: 1, assets: [{ name: 'spare' }] },
    onlyHere: { total: 1, assets: [{ name: 'printer' }] },
  })
  const { id } = await upload(ctx, page(device, other), { name: 'devices.json' })
  await work(ctx, id)
  await startImport(ctx, id)
  expect(await work(ctx, id)).toMatchObject({ status: 'completed', unchanged: 2, comparison })
})

test('a comparison that fails leaves the import as it is, and says so', async () => {
  const ctx = await shared().newTenant()
  const other = { kind: 'netbox', name: 'NetBox import', key: 'of another' }
  await submit(ctx, other, [
    { sourceKey: '1', seenAt: new Date(), identifiers: [{ type: 'serial', value: 'PF0AAA09' }] },
  ])
  const warned: unknown[] = []
  const log = Object.assign(Object.create(ctx.log) as Ctx['log'], { warn: (it: unknown) => warned.push(it) })
  const heard = { ...ctx, log }
  const direct = await take(heard, page(device))
  expect(direct).toMatchObject({ created: 1, message: expect.stringContaining('could not be found out') })
  expect(direct).not.toHaveProperty('comparison')
  const { id } = await upload(heard, page(device), { name: 'devices.json' })
  await work(heard, id)
  await startImport(heard, id)
  expect(await work(heard, id)).toMatchObject({
    status: 'completed',
    unchanged: 1,
    comparison: null,
    message: direct.message,
  })
  const audited = (await searchAudit(ctx, { limit: 10, offset: 0 })).items.map(({ action }) => action)
  expect(audited.filter((it) => it === 'import.finished')).toHaveLength(2)
  expect(warned).toHaveLength(2)
})

test('a comparison stops between two stretches when it is told to', async () => {
  const ctx = await shared().newTenant()
  await take(ctx, page(device))
  const stopped = { format: 'netbox', observed: 1 }
  await expect(comparisonOf(ctx, stopped, AbortSignal.abort())).rejects.toThrow('aborted')
  expect(await comparisonOf(ctx, stopped)).toMatchObject({ comparison: { onlyThere: { total: 1 } } })
})
