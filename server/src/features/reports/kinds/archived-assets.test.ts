import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { archiveAsset, reviveAsset } from '#features/assets/archive/archive.ts'
import { listAssets } from '#features/assets/assets.ts'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import {
  assignEntitlement,
  listEntitlements,
  saveEntitlement,
  setRecords,
} from '#features/records/records.ts'
import { listSoftware, systemsInUse } from '#features/software/software.ts'
import { submit } from '#features/sources/sources.ts'
import { addRelation } from '#features/topology/topology.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { sectionsOf } from '#test/support/reports/report-xml.ts'
import { generated } from '../reports.fixture.ts'

const app = sharedTestApp()

const rowsOf = async (ctx: Ctx, type: string): Promise<number> =>
  parse((await generated(ctx, { name: 'n', type })).file, { columns: true }).length

const unplacedIn = async (ctx: Ctx): Promise<number | undefined> => {
  const { file } = await generated(ctx, { name: 'n', type: 'topology', format: 'xml' })
  return sectionsOf(file.toString()).get('unplaced')?.rows.length
}

test('archived assets do not count in software, systems, topology, budget and entitlements, until they are revived', async () => {
  const ctx = await app().newTenant()
  const software = {
    release: { id: 'debian', versionId: '12', prettyName: 'Debian GNU/Linux 12 (bookworm)' },
    complete: ['windows' as const],
    items: [{ origin: 'windows' as const, name: 'requests', version: '2.0', arch: '' }],
  }
  await submit(
    ctx,
    agent,
    ['a', 'b'].map((key) =>
      seen(key, { serial: `PF0AAA0${key}` }, { name: key, assetType: 'device', software }),
    ),
  )
  const { items } = await listAssets(ctx, { limit: 2, offset: 0 })
  const [a = '', b = ''] = items.map(({ id }) => id)
  const replaceOn = new Date(ctx.now().getTime() + 100 * 86_400_000).toISOString().slice(0, 10)
  await setRecords(ctx, { assetIds: [a, b], values: { replaceOn, price: '100', currency: 'EUR' } })
  await addRelation(ctx, { fromId: a, kind: 'depends_on', toId: b })
  const { id: entitlementId } = await saveEntitlement(ctx, { product: 'Office', metric: 'device' })
  await assignEntitlement(ctx, { entitlementId, assetIds: [a, b], persons: ['Ada'] })
  // the licence of Office has a row of its own, as a product that is installed nowhere
  const counts = async () => ({
    software: (await listSoftware(ctx, { limit: 5, offset: 0 })).items.map(({ assets }) => assets),
    systems: (await systemsInUse(ctx)).map(({ assets }) => assets),
    licences: parse((await generated(ctx, { name: 'n', type: 'software_license' })).file, {
      columns: true,
    }).map((row) => (row as Record<string, string>)['installed']),
    links: await rowsOf(ctx, 'topology'),
    unplaced: await unplacedIn(ctx),
    budget: await rowsOf(ctx, 'budget_forecast'),
    uses: (await listEntitlements(ctx)).map(({ used }) => used),
  })
  const before = await counts()
  expect(before).toEqual({
    software: [2],
    systems: [2],
    licences: ['0', '2'],
    links: 1,
    unplaced: 0,
    budget: 2,
    uses: [3],
  })
  await archiveAsset(ctx, b)
  expect(await counts()).toEqual({
    software: [1],
    systems: [1],
    licences: ['0', '1'],
    links: 0,
    unplaced: 1,
    budget: 1,
    uses: [2],
  })
  expect((await listAssets(ctx, { limit: 5, offset: 0 }, { where: 'archived = yes' })).total).toBe(1)
  await reviveAsset(ctx, b)
  expect(await counts()).toEqual(before)
})
