import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { eventsOf } from '#features/assets/observations.fixture.ts'
import { searchAudit } from '#features/audit/audit.ts'
import { listSources } from '#features/sources/sources.ts'
import { AZURE_SECRET, azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import { connectAndRead, QUICK, work } from './cloud.fixture.ts'
import {
  deleteConnection,
  listConnections,
  listCoverage,
  listResourceDetails,
  listResources,
  syncConnection,
  updateConnection,
} from './cloud.ts'
import { runReading } from './reading/run-reading.ts'

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

test('an answer that is empty all of a sudden is asked for again before anything is gone', async () => {
  const clock = { now: new Date() }
  const app = await testApp({ now: () => clock.now })
  const ctx = await app.newTenant()
  const azure = await startAzure(25)
  const { id } = await connectAndRead(ctx, azureInput(azure))
  azure.machines = []
  azure.scaleSet = false
  await syncConnection(ctx, id)
  await work(ctx)
  const compute = async () => (await listResources(ctx, PAGE, { type: 'compute' })).total
  expect(await compute()).toBe(26)
  const { items } = await listCoverage(ctx, id, PAGE)
  expect(items.find(({ status }) => status === 'partial')?.reason).toContain(
    'read again before they are gone',
  )
  await syncConnection(ctx, id)
  await work(ctx)
  expect(await compute()).toBe(0)
})

test('few that are there no longer are gone at once', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(3)
  const { id } = await connectAndRead(ctx, azureInput(azure))
  azure.machines = []
  azure.scaleSet = false
  await syncConnection(ctx, id)
  await work(ctx)
  expect((await listResources(ctx, PAGE, { type: 'compute' })).total).toBe(0)
})

test('after they were there again an empty answer is as surprising as before', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(25)
  const { id } = await connectAndRead(ctx, azureInput(azure))
  const all = { machines: azure.machines, scaleSet: azure.scaleSet }
  for (const shown of [{ machines: [], scaleSet: false }, all, { machines: [], scaleSet: false }]) {
    Object.assign(azure, shown)
    await syncConnection(ctx, id)
    await work(ctx)
    expect((await listResources(ctx, PAGE, { type: 'compute' })).total).toBe(26)
  }
})

test('a subscription that is no longer listed is retired, and gone after a week', async () => {
  const clock = { now: new Date() }
  const app = await testApp({ now: () => clock.now })
  const ctx = await app.newTenant()
  const azure = await startAzure(2)
  const { id } = await connectAndRead(ctx, azureInput(azure))
  const [production] = azure.subscriptions
  Object.assign(production ?? {}, { state: 'Disabled' })
  const total = async () => (await listResources(ctx, PAGE)).total
  for (const [days, left] of [
    [0, 13],
    [6, 13],
    [8, 5],
  ] as const) {
    clock.now = new Date(Date.now() + days * 86_400_000)
    await syncConnection(ctx, id)
    await work(ctx)
    expect([days, await total()]).toEqual([days, left])
  }
})

test('a worker that dies within a page leaves everything in place, and the next one reads it whole', async () => {
  const ctx = await home().newTenant()
  const azure = Object.assign(await startAzure(6), { pageSize: 2 })
  const { id } = await connectAndRead(ctx, azureInput(azure))
  const stopping = new AbortController()
  let pages = 0
  azure.fault = ({ body }) => {
    if (body.includes("virtualmachines'") && (pages += 1) === 2) stopping.abort()
    return undefined
  }
  const reading = { connectionId: id, reading: 'compute/0' }
  await expect(runReading(ctx, reading, stopping.signal, QUICK)).rejects.toThrow(/abort/i)
  const compute = async () => (await listResources(ctx, PAGE, { type: 'compute' })).items
  expect(await compute()).toHaveLength(7)
  await runReading(ctx, reading, new AbortController().signal, QUICK)
  expect(await compute()).toHaveLength(7)
  const { items } = await listCoverage(ctx, id, PAGE)
  expect(items.filter(({ type, status }) => type === 'compute' && status === 'complete')).toHaveLength(2)
})

test('two tenants with the same account see their own rows alone, with ids of their own', async () => {
  const azure = await startAzure(2)
  const [a, b] = [await home().newTenant(), await home().newTenant()]
  for (const ctx of [a, b]) await connectAndRead(ctx, azureInput(azure))
  const [mine, theirs] = [await listResources(a, PAGE), await listResources(b, PAGE)]
  expect([mine.total, theirs.total]).toEqual([13, 13])
  const ids = new Set(theirs.items.map(({ id }) => id))
  expect(mine.items.filter(({ id }) => ids.has(id))).toEqual([])
})

test('two connections of one account: each resource is one row and one asset, and stays when one connection goes', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(2)
  const ids: string[] = []
  for (const name of ['first', 'second'])
    ids.push((await connectAndRead(ctx, { ...azureInput(azure), name })).id)
  const [first = '', second = ''] = ids
  const rows = async () =>
    (await listResourceDetails(ctx, PAGE)).items.map(({ id, assetId, connectionName }) => [
      id,
      assetId,
      connectionName,
    ])
  const before = [await rows(), await eventsOf(ctx)]
  expect((await listAssets(ctx, PAGE)).total).toBe(13)
  for (const id of [first, second, first, second]) {
    await syncConnection(ctx, id)
    await work(ctx)
  }
  expect([await rows(), await eventsOf(ctx)]).toEqual(before)
  expect(new Set((await rows()).map(([, , name]) => name))).toEqual(new Set(['first']))
  expect((await listConnections(ctx)).map(({ resources }) => resources)).toEqual([13, 13])
  await deleteConnection(ctx, first)
  const after = await rows()
  expect(after.map(([id, assetId]) => [id, assetId])).toEqual(
    (before[0] as string[][]).map(([id, assetId]) => [id, assetId]),
  )
  azure.machines.pop()
  await syncConnection(ctx, second)
  await work(ctx)
  expect((await rows()).length).toBe(12)
  expect((await listAssets(ctx, PAGE)).total).toBe(13)
})

test('a renamed connection stays one source, and two of one name are two', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(1)
  const { id } = await connectAndRead(ctx, azureInput(azure))
  await updateConnection(ctx, id, { name: 'renamed' })
  await syncConnection(ctx, id)
  await work(ctx)
  await connectAndRead(ctx, { ...azureInput(azure), name: 'renamed' })
  expect((await listSources(ctx)).map(({ name }) => name)).toEqual(['renamed', 'renamed'])
  const events = await eventsOf(ctx)
  expect(events.filter(({ type }) => type === 'NEW_SOURCE')).toHaveLength(2)
})

test('no secret is told by lists, the audit log or what is stored', async () => {
  const ctx = await home().newTenant()
  await connectAndRead(ctx, azureInput(await startAzure(1)))
  const told = [await listConnections(ctx), await searchAudit(ctx, PAGE)]
  const stored = await ctx.db.all(
    sql`select settings from cloud_connections where tenant_id = ${ctx.tenantId}`,
  )
  expect(JSON.stringify([told, stored])).not.toContain(AZURE_SECRET)
})
