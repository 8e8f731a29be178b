import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { restRecordFactories } from '#test/support/api-coverage/rest-record-factories.ts'
import { entitlementCommands } from './entitlements.ts'

const shared = sharedTestApp()

test('contracts and entitlements are saved, changed, assigned and deleted', async () => {
  const ctx = await shared().newTenant()
  const assetId = (await restRecordFactories['assets']?.(ctx)) ?? ''
  const run = async (path: string, args: Record<string, string>, options: Record<string, string> = {}) => {
    const command = entitlementCommands.find((it) => it.path === path)
    return (await command?.run(ctx, { args, options }))?.json as Record<string, unknown> & { id: string }
  }
  const contract = await run('contract save', { name: 'Frame' }, { supplier: 'Bechtle', ends: '2027-12-31' })
  expect(await run('contract save', { name: 'Frame 2' }, { id: contract.id, number: 'N-1' })).toMatchObject({
    id: contract.id,
    name: 'Frame 2',
    supplier: 'Bechtle',
    number: 'N-1',
    ends: '2027-12-31',
  })
  const { id } = await run('entitlement save', { product: 'Office' }, { count: '5', contract: contract.id })
  expect(await run('entitlement save', { product: 'Office' }, { id, metric: 'user' })).toMatchObject({
    metric: 'user',
    count: 5,
    contractId: contract.id,
  })
  await expect(run('entitlement save', { product: 'x' }, { count: 'many' })).rejects.toThrow('count')
  await expect(run('contract delete', { id: contract.id })).rejects.toThrow('1 entitlements rest on')
  expect((await run('entitlement assign', { id }, { asset: assetId, person: 'Ada\nBob' }))['used']).toBe(3)
  const uses = (await run('entitlement uses', { id })) as unknown as { id: string }[]
  expect((await run('entitlement unassign', { id, uses: uses[0]?.id ?? '' }))['used']).toBe(2)
  await run('entitlement delete', { id })
  await run('contract delete', { id: contract.id })
  expect(await run('contract list', {})).toEqual([])
})
