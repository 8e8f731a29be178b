import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCollector } from '#features/collectors/collectors.ts'
import { createPlace } from '#features/records/places/places.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf } from '#test/support/http/graphql-client.ts'
import { cancelScan, createScan, createTarget } from './scans.ts'
import { addTouches } from './touches/touch-store.ts'

const shared = sharedTestApp({ contextOf: believed })

test('a target is made, scanned, and not deleted while it is scanned', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  const made = await ask<{ createTarget: { id: string } }>(
    'mutation { createTarget(name: "office", cidr: "192.0.2.0/30") { id name kind address } }',
  )
  expect(made.data).toMatchObject({ createTarget: { name: 'office', kind: 'cidr', address: '192.0.2.0/30' } })
  const id = made.data?.createTarget.id
  expect((await ask('{ targets { id } availableScanTypes }')).data).toEqual({
    targets: [{ id }],
    availableScanTypes: expect.arrayContaining(['sweep']),
  })
  const started = await ask<{ startScan: { id: string } }>(
    'mutation ($id: ID!) { startScan(targetId: $id) { id type status progress { done } startedAt } }',
    { id },
  )
  expect(started.data?.startScan).toMatchObject({
    type: 'sweep',
    status: 'pending',
    progress: null,
    startedAt: null,
  })
  const scan = { id: started.data?.startScan.id }
  expect(
    (await ask('{ scans(status: pending) { total items { id } } done: scans(status: completed) { total } }'))
      .data,
  ).toEqual({ scans: { total: 1, items: [scan] }, done: { total: 0 } })
  const remove = 'mutation ($id: ID!) { deleteTarget(id: $id) }'
  expect((await ask(remove, { id })).errors?.[0]?.extensions.code).toBe('conflict')
  expect((await ask('mutation ($id: ID!) { cancelScan(id: $id) { status } }', scan)).data).toEqual({
    cancelScan: { status: 'cancelled' },
  })
  expect((await ask('query ($id: ID!) { scan(id: $id) { status message } }', scan)).data).toEqual({
    scan: { status: 'cancelled', message: 'cancelled' },
  })
  expect((await ask(remove, { id })).data).toEqual({ deleteTarget: id })
})

const TARGET = 'id name kind address entries exclusions collectorIds siteId industrialReads'

test('a target is of entries, a site and collectors, and what is not given stays', async () => {
  const ctx = await shared().newTenant()
  const ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
  const { collector } = await createCollector(ctx, { name: 'Oslo' })
  const site = await createPlace(ctx, { name: 'Oslo', kind: 'site' })
  const made = await ask<{ id: string }>(
    `mutation ($site: ID!, $collector: ID!) { createTarget(name: "sites", entries: ["192.0.2.0/28", "192.0.2.32/28"],
      exclusions: ["192.0.2.1"], collectorIds: [$collector], siteId: $site, industrialReads: [bacnet]) { ${TARGET} } }`,
    { site: site.id, collector: collector.id },
  )
  const { id } = made
  expect(made).toEqual({
    id,
    name: 'sites',
    kind: 'range',
    address: '192.0.2.0/28, 192.0.2.32/28',
    entries: ['192.0.2.0/28', '192.0.2.32/28'],
    exclusions: ['192.0.2.1'],
    collectorIds: [collector.id],
    siteId: site.id,
    industrialReads: ['bacnet'],
  })
  const update = (changes: string) =>
    ask(`mutation ($id: ID!) { updateTarget(id: $id${changes}) { ${TARGET} } }`, { id })
  expect(await update('')).toEqual(made)
  expect(await update(', siteId: ""')).toEqual({ ...made, siteId: null })
  const changed = { ...made, name: 'one', siteId: null, collectorIds: [], industrialReads: [] }
  expect(await update(', name: "one", collectorIds: [], industrialReads: []')).toEqual(changed)
  expect(await ask(`{ targets { ${TARGET} } }`)).toEqual([changed])
  await expect(update(`, siteId: "${id}"`)).rejects.toThrow('not_found')
  const room = await createPlace(ctx, { name: 'Lab', kind: 'room', parentId: site.id })
  await expect(update(`, siteId: "${room.id}"`)).rejects.toThrow('siteId: is no site: Oslo / Lab is a room')
})

test('scans are asked for by a condition or by a status, and not by both', async () => {
  const ctx = await shared().newTenant()
  const ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
  const target = await createTarget(ctx, { name: 'office', cidr: '192.0.2.0/30' })
  const [one, two] = [await start(ctx, target.id), await start(ctx, target.id)]
  await cancelScan(ctx, one.id)
  const found = async (args: string) =>
    (await ask<{ items: { id: string }[] }>(`{ scans(${args}) { items { id } } }`)).items.map(({ id }) => id)
  expect(await found('first: 10')).toEqual([two.id, one.id])
  expect(await found('first: 1, offset: 1')).toEqual([one.id])
  expect(await found('status: cancelled')).toEqual([one.id])
  expect(await found('where: "status = cancelled"')).toEqual([one.id])
  expect(await found('sort: "created_at"')).toEqual([one.id, two.id])
  for (const query of ['where: "type = sweep"', 'sort: "created_at"'])
    await expect(found(`${query}, status: failed`)).rejects.toThrow('invalid_request status: ')
})

test('what was sent to a device is told with its reason', async () => {
  const ctx = await shared().newTenant()
  const ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
  const target = await createTarget(ctx, { name: 'office', cidr: '192.0.2.0/30' })
  const [alone, ofRun] = [await start(ctx, target.id), await start(ctx, target.id)]
  await ctx.db.run(sql`
    update scans set run = '{"id": "r", "name": "nightly", "cause": "schedule"}'
    where tenant_id = ${ctx.tenantId} and id = ${ofRun.id}`)
  const [address, assetId] = ['192.0.2.1', '00000000-0000-4000-8000-00000000000a']
  const touch = {
    address,
    seconds: 1.5,
    packets: 30,
    probes: 12,
    logins: 1,
    isEstimated: true,
    assetId: null,
  }
  const at = (hour: number) => new Date(Date.UTC(2026, 2, 1, hour))
  await addTouches(ctx, alone.id, [{ ...touch, beganAt: at(1) }])
  await addTouches(ctx, ofRun.id, [{ ...touch, address: '192.0.2.2', assetId, beganAt: at(2) }])
  const touches = (args: string) =>
    ask(`{ deviceTouches${args} { total items { scanId scanType address assetId seconds packets probes logins isEstimated
      cause runId runName } } }`)
  const said = { scanType: 'sweep', seconds: 1.5, packets: 30, probes: 12, logins: 1, isEstimated: true }
  const first = {
    ...said,
    scanId: alone.id,
    address,
    assetId: null,
    cause: 'scan',
    runId: null,
    runName: null,
  }
  const second = {
    ...said,
    scanId: ofRun.id,
    address: '192.0.2.2',
    assetId,
    cause: 'schedule',
    runId: 'r',
    runName: 'nightly',
  }
  expect(await touches('')).toEqual({ total: 2, items: [second, first] })
  expect(await touches('(first: 1, offset: 1)')).toEqual({ total: 2, items: [first] })
  expect(await touches(`(address: "${address}")`)).toEqual({ total: 1, items: [first] })
  expect(await touches(`(assetId: "${assetId}")`)).toEqual({ total: 1, items: [second] })
})

const start = (ctx: Ctx, targetId: string) => createScan(ctx, { type: 'sweep', targetId })

test.each([
  ['createTarget(name: "x") { id }', 'cidr'],
  ['createTarget(name: "x", cidr: "nowhere") { id }', 'cidr'],
  ['createTarget(name: "", host: "a.example") { id }', 'name'],
  ['startScan(targetId: "x") { id }', 'target'],
])('%s names the field at fault', async (mutation, field) => {
  const ask = asker(shared().as(), headersOf(await shared().newTenant()))
  expect((await ask(`mutation { ${mutation} }`)).errors?.[0]?.extensions).toEqual({
    code: 'invalid_request',
    field,
  })
})
