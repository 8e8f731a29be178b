import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { eventsOf } from '#features/assets/observations.fixture.ts'
import { azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { connectAndRead, work } from './cloud.fixture.ts'
import { listCoverage, listResources, syncConnection } from './cloud.ts'

const home = sharedTestApp()
const PAGE = { limit: 1_000, offset: 0 }

const azureInput = (azure: Awaited<ReturnType<typeof startAzure>>) => ({
  provider: 'Azure',
  signIn: 'client_secret',
  values: azureValues(azure),
})

test('Azure: every type of every open subscription is listed, and is an asset of a cloud provider', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(3)
  const { problem } = await connectAndRead(ctx, azureInput(azure))
  expect(problem).toBe('')
  const { items, total } = await listResources(ctx, PAGE)
  expect(total).toBe(14)
  expect(items.map(({ name, type, region, status }) => [name, type, region, status])).toEqual([
    ['aks1', 'kubernetes', 'northeurope', 'Running'],
    ['aks1', 'kubernetes', 'northeurope', 'Running'],
    ['db1', 'database', 'northeurope', 'Online'],
    ['db1', 'database', 'northeurope', 'Online'],
    ['func1', 'function', 'northeurope', 'Running'],
    ['func1', 'function', 'northeurope', 'Running'],
    ['pg1', 'database', 'northeurope', 'Ready'],
    ['pg1', 'database', 'northeurope', 'Ready'],
    ['sto1', 'storage', 'northeurope', 'succeeded'],
    ['sto1', 'storage', 'northeurope', 'succeeded'],
    ['vm0', 'compute', 'northeurope', 'running'],
    ['vm1', 'compute', 'northeurope', 'running'],
    ['vm2', 'compute', 'northeurope', 'running'],
    ['vmss1000000', 'compute', 'northeurope', 'running'],
  ])
  const assets = await listAssets(ctx, PAGE)
  expect(assets.total).toBe(14)
  expect(assets.items.find(({ name }) => name === 'vm0')).toMatchObject({
    assetType: 'virtual_machine',
    ipAddress: '10.0.0.4',
    os: 'Windows Server 2022 Datacenter 10.0.20348.2340',
    tags: ['env:prod'],
  })
  const events = await eventsOf(ctx)
  expect(events.filter(({ type }) => type === 'NEW_SOURCE')).toHaveLength(1)
  const news = events.filter(({ type }) => type === 'NEW_ASSET')
  expect(news).toHaveLength(14)
  expect(new Set(news.map(({ source }) => source))).toEqual(new Set(['cloud_provider']))
})

test('a second reading of the same changes nothing and tells nobody', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(3)
  const { id } = await connectAndRead(ctx, azureInput(azure))
  const before = [await listResources(ctx, PAGE), await eventsOf(ctx)]
  await syncConnection(ctx, id)
  await work(ctx)
  expect([await listResources(ctx, PAGE), await eventsOf(ctx)]).toEqual(before)
})

test('a subscription without access is said to be that, and what was in it stays', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(3)
  const { id } = await connectAndRead(ctx, azureInput(azure))
  const [production] = azure.subscriptions
  Object.assign(production ?? {}, { isForbidden: true })
  await syncConnection(ctx, id)
  await work(ctx)
  expect((await listResources(ctx, PAGE)).total).toBe(14)
  const { items } = await listCoverage(ctx, id, PAGE)
  const failed = items.filter(({ status }) => status === 'failed')
  expect(failed.map(({ accountName, type }) => `${accountName} ${type}`)).toEqual([
    ...['compute', 'database', 'function', 'kubernetes', 'storage'].map((type) => `production ${type}`),
    ...['compute', 'database', 'function', 'kubernetes', 'storage'].map((type) => `forbidden ${type}`),
  ])
  for (const { reason } of failed) expect(reason).toContain('no access')
})
