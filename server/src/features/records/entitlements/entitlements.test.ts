import { beforeEach, expect, test } from 'vitest'
import { deleteAsset, listAssets } from '#features/assets/assets.ts'
import { mergeAssets } from '#features/assets/editing/merge-and-unlink.ts'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { searchAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { beforeTransaction } from '#test/support/app/before-transaction.ts'
import {
  assignEntitlement,
  changeContract,
  changeEntitlement,
  deleteContract,
  deleteEntitlement,
  listContracts,
  listEntitlements,
  saveContract,
  saveEntitlement,
  unassignEntitlement,
  usesOf,
  type EntitlementInput,
} from './entitlements.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeEach(async () => {
  ctx = await shared().newTenant()
})

const office: EntitlementInput = { product: 'Office', vendor: 'Contoso', metric: 'user', count: 2 }

test('contracts and the entitlements that rest on them are kept, changed and deleted, and audited', async () => {
  const contract = await saveContract(ctx, {
    name: 'Frame',
    supplier: 'Bechtle',
    begins: '2025-01-01',
    ends: '2027-12-31',
  })
  const entitlement = await saveEntitlement(ctx, {
    ...office,
    contractId: contract.id,
    cost: '99.9',
    currency: 'eur',
  })
  expect(await listEntitlements(ctx)).toMatchObject([
    { contract: 'Frame', cost: '99.90', currency: 'EUR', used: 0 },
  ])
  await expect(deleteContract(ctx, contract.id)).rejects.toThrow('1 entitlements rest on Frame')
  await saveEntitlement(ctx, { id: entitlement.id, ...office, count: 5 })
  expect(await listEntitlements(ctx)).toMatchObject([{ contract: null, cost: null, count: 5 }])
  await saveContract(ctx, { id: contract.id, name: 'Frame 2' })
  expect(await listContracts(ctx)).toMatchObject([{ name: 'Frame 2', supplier: null }])
  await deleteContract(ctx, contract.id)
  await deleteEntitlement(ctx, entitlement.id)
  expect([await listContracts(ctx), await listEntitlements(ctx)]).toEqual([[], []])
  const { items } = await searchAudit(ctx, { limit: 6, offset: 0 })
  expect(items.map(({ action }) => action)).toEqual([
    'entitlement.deleted',
    'contract.deleted',
    'contract.changed',
    'entitlement.changed',
    'entitlement.created',
    'contract.created',
  ])
})

test('uses are of assets and persons, once each, follow merges and go with deleted assets', async () => {
  await submit(
    ctx,
    csv,
    ['a', 'b'].map((name) => seen(name, { serial: `PF0${name}01` }, { name })),
  )
  const { items } = await listAssets(ctx, { limit: 5, offset: 0 })
  const assetIds = items.map(({ id }) => id)
  const { id: entitlementId } = await saveEntitlement(ctx, office)
  expect(await assignEntitlement(ctx, { entitlementId, assetIds, persons: ['Ada', 'Ada'] })).toMatchObject({
    used: 3,
  })
  expect(await assignEntitlement(ctx, { entitlementId, assetIds })).toMatchObject({ used: 3 })
  const { id } = await mergeAssets(ctx, { assetIdA: assetIds[0]!, assetIdB: assetIds[1]!, reason: '' })
  const names = async () =>
    (await usesOf(ctx, entitlementId))
      .map((it) => it.person ?? it.assetId ?? '')
      .toSorted((a, b) => (a < b ? -1 : 1))
  expect(await names()).toEqual([id, 'Ada'].toSorted((a, b) => (a < b ? -1 : 1)))
  await deleteAsset(ctx, id)
  expect(await names()).toEqual(['Ada'])
  const [ada] = await usesOf(ctx, entitlementId)
  expect(await unassignEntitlement(ctx, { entitlementId, useIds: [ada?.id ?? ''] })).toMatchObject({
    used: 0,
  })
})

test('two changes at once are both there, and each is audited as what it changed', async () => {
  const { id: contractId } = await saveContract(ctx, { name: 'Frame', supplier: 'Bechtle' })
  const { id } = await saveEntitlement(ctx, office)
  await changeContract(
    beforeTransaction(ctx, () => changeContract(ctx, contractId, { supplier: 'Cancom' })),
    contractId,
    { number: '7' },
  )
  expect(await listContracts(ctx)).toMatchObject([{ supplier: 'Cancom', number: '7' }])
  await changeEntitlement(
    beforeTransaction(ctx, () => changeEntitlement(ctx, id, { vendor: 'Fabrikam' })),
    id,
    { count: 9 },
  )
  expect(await listEntitlements(ctx)).toMatchObject([{ vendor: 'Fabrikam', count: 9 }])
  const { items } = await searchAudit(ctx, { limit: 3, offset: 0 })
  expect(items.map(({ action, details }) => ({ action, details }))).toMatchObject([
    { action: 'entitlement.changed', details: { before: { count: 2 }, after: { count: 9 } } },
    { action: 'entitlement.changed', details: { before: { vendor: 'Contoso' } } },
    { action: 'contract.changed', details: { before: { number: null }, after: { number: '7' } } },
  ])
  expect(items[0]?.details).not.toHaveProperty('after.vendor')
})

test.each([
  [{ metric: 'cup' as never }, 'metric: is none of'],
  [{ count: -1 }, 'count: must be'],
  [{ cost: '5' }, 'currency: must say'],
  [{ begins: '2026-01-02', ends: '2026-01-01' }, 'ends: is before it begins'],
  [{ product: ' ' }, 'product: '],
  [{ contractId: '00000000-0000-7000-8000-000000000000' }, 'contractId: names no contract'],
  [{ id: '00000000-0000-7000-8000-000000000000' }, 'entitlement not found'],
])('%j is refused', async (wrong, why) => {
  await expect(saveEntitlement(ctx, { ...office, ...wrong })).rejects.toThrow(why)
  expect(await listEntitlements(ctx)).toEqual([])
})
