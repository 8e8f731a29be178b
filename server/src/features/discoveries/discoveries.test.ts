import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCredential } from '#features/credentials/credentials.ts'
import { createTarget, deleteTarget, listScans, updateTarget } from '#features/scans/scans.ts'
import { assetsOfKeys, submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import {
  cancelRun,
  createDiscovery,
  deleteDiscovery,
  getDiscovery,
  getRun,
  listDiscoveries,
  listRuns,
  scanNow,
  startDiscovery,
  updateDiscovery,
} from './discoveries.ts'
import { runDiscovery } from './running/run-discovery.ts'
import { startDue } from './scheduling/start-due.ts'

const home = sharedTestApp()
const ALL = { limit: 100, offset: 0 }

async function scene(entries: readonly string[] = ['192.0.2.0/30']) {
  const ctx = await home().newTenant()
  const target = await createTarget(ctx, { name: 'sites', entries })
  const discovery = await createDiscovery(ctx, { name: 'nightly', targetId: target.id })
  return { ctx, target, discovery }
}

const run = (ctx: Ctx, id: string): Promise<void> =>
  runDiscovery(ctx, { runId: id }, new AbortController().signal)

test('a discovery is made, changed, listed and deleted, and its target stays as long as it is there', async () => {
  const { ctx, target, discovery } = await scene()
  expect(discovery).toMatchObject({
    types: ['ssh', 'wmi', 'snmp', 'vmware', 'hypervisor'],
    hostsAtOnce: 16,
    cron: null,
    nextAt: null,
  })
  const changed = await updateDiscovery(ctx, discovery.id, {
    cron: '0 2 * * *',
    zone: 'Europe/Berlin',
    types: ['ssh'],
  })
  expect(changed).toMatchObject({
    name: 'nightly',
    types: ['ssh'],
    nextAt: expect.stringMatching(/T0[01]:00/),
  })
  await expect(createDiscovery(ctx, { name: 'NIGHTLY', targetId: target.id })).rejects.toThrow('name: ')
  await expect(deleteTarget(ctx, target.id)).rejects.toMatchObject({ status: 409 })
  await deleteDiscovery(ctx, discovery.id)
  expect(await listDiscoveries(ctx)).toEqual([])
  await deleteTarget(ctx, target.id)
})

test.each<[object, string]>([
  [{ name: ' ' }, 'name'],
  [{ types: ['telnet'] }, 'types'],
  [{ types: ['sweep'] }, 'types'],
  [{ hostsAtOnce: 65 }, 'hostsAtOnce'],
  [{ hostsAtOnce: 0.5 }, 'hostsAtOnce'],
  [{ cron: '* * * * *' }, 'cron'],
  [{ cron: '0 2 * *' }, 'cron'],
  [{ zone: 'Mars/Base' }, 'zone'],
  [{ windows: [{ days: [7], from: '22:00', to: '05:00' }] }, 'windows[0].days'],
  [{ windows: [{ days: [1], from: '24:00', to: '05:00' }] }, 'windows[0].from'],
  [{ windows: [{ days: [1], from: '22:00', to: '5:00' }] }, 'windows[0].to'],
])('%j is refused and names %s', async (changes, field) => {
  const { ctx, discovery } = await scene()
  await expect(updateDiscovery(ctx, discovery.id, changes)).rejects.toMatchObject({ extras: { field } })
})

test('a run is one at a time, and one that is cancelled before its worker came touches nothing', async () => {
  const { ctx, discovery } = await scene()
  const { id } = await startDiscovery(ctx, discovery.id)
  await expect(startDiscovery(ctx, discovery.id)).rejects.toMatchObject({ status: 409 })
  await expect(deleteDiscovery(ctx, discovery.id)).rejects.toMatchObject({ status: 409 })
  expect(await cancelRun(ctx, id)).toMatchObject({ status: 'cancelled' })
  await run(ctx, id)
  expect(await getRun(ctx, id)).toMatchObject({ status: 'cancelled', sweepScanId: null })
  await expect(cancelRun(ctx, id)).rejects.toMatchObject({ status: 409 })
})

test('outside of its window a run touches nothing and waits for the next', async () => {
  const { ctx, discovery } = await scene()
  const monday = new Date('2026-03-02T12:00:00Z')
  const noon = { ...ctx, now: () => monday }
  await updateDiscovery(noon, discovery.id, { windows: [{ days: [1], from: '22:00', to: '05:00' }] })
  const { id } = await startDiscovery(noon, discovery.id)
  await run(noon, id)
  expect(await getRun(noon, id)).toMatchObject({
    status: 'waiting',
    waitsUntil: '2026-03-02T22:00:00Z',
    sweepScanId: null,
  })
  expect((await listScans(noon, ALL)).total).toBe(0)
})

test('each due time starts one run, a late one once, and one that is under way has the next skipped', async () => {
  const { ctx, discovery } = await scene()
  const at = (time: string) => ({ ...ctx, now: () => new Date(time) })
  await updateDiscovery(at('2026-03-02T12:00:00Z'), discovery.id, { cron: '0 2 * * *' })
  const due = { discoveryId: discovery.id, dueAt: '2026-03-03T02:00:00.000Z' }
  await startDue(at('2026-03-03T09:00:00Z'), due)
  await startDue(at('2026-03-03T09:00:01Z'), due)
  expect((await listRuns(ctx, ALL, discovery.id)).items).toMatchObject([{ cause: 'schedule' }])
  expect(await getDiscovery(ctx, discovery.id)).toMatchObject({
    nextAt: '2026-03-04T02:00:00Z',
    skipped: '',
  })
  await startDue(at('2026-03-04T02:00:00Z'), { ...due, dueAt: '2026-03-04T02:00:00.000Z' })
  expect(await getDiscovery(ctx, discovery.id)).toMatchObject({
    skipped: expect.stringContaining('under way'),
  })
  await startDue(at('2026-03-06T09:00:00Z'), { ...due, dueAt: '2026-03-05T02:00:00.000Z' })
  expect(await getDiscovery(ctx, discovery.id)).toMatchObject({
    skipped: expect.stringContaining('more than a day'),
  })
  expect((await listRuns(ctx, ALL, discovery.id)).total).toBe(1)
})

test('scan now touches only addresses that a scan target names, and says what it left out', async () => {
  const { ctx } = await scene(['192.0.2.0/30'])
  const seen = (key: string, ip: string) => ({
    sourceKey: key,
    seenAt: new Date(),
    name: key,
    identifiers: [{ type: 'ip' as const, value: ip }],
  })
  const source = { kind: 'csv', name: 'list' }
  await submit(ctx, source, [seen('a', '192.0.2.1'), seen('b', '192.0.2.2'), seen('c', '203.0.113.9')])
  const ids = await assetsOfKeys(ctx, source, ['a', 'b', 'c'])
  const { run: made, leftOut } = await scanNow(ctx, { where: 'name in (a, b, c)' })
  expect(made).toMatchObject({ cause: 'scan_now', discoveryId: null, entries: ['192.0.2.1-192.0.2.2'] })
  expect(leftOut).toEqual([{ assetId: ids.get('c'), why: 'no scan target names 203.0.113.9 (c)' }])
  await expect(scanNow(ctx, { assetIds: [ids.get('c') ?? ''] })).rejects.toThrow(
    'no scan target names 203.0.113.9',
  )
  await expect(scanNow(ctx, {})).rejects.toThrow('assetIds: ')
  await expect(scanNow(ctx, { where: 'name = nobody' })).rejects.toThrow('where: no asset is selected')
})

test('a target that a credential is bound to can shrink, and not grow', async () => {
  const { ctx, target } = await scene(['192.0.2.0/29', '192.0.2.16/29'])
  const values = { username: 'scan', password: 'secret of the host' }
  await createCredential(ctx, {
    name: 'Linux',
    kind: 'ssh_password',
    cidrs: [],
    targetIds: [target.id],
    values,
  })
  expect(await updateTarget(ctx, target.id, { exclusions: ['192.0.2.1'] })).toMatchObject({ kind: 'range' })
  const wider = updateTarget(ctx, target.id, { entries: ['192.0.2.0/28'] })
  await expect(wider).rejects.toThrow(/^entries: .*Linux is bound to this target/)
  const { kept } = await ctx.db.one(sql<{ kept: string }>`
    select address as kept from scan_targets where tenant_id = ${ctx.tenantId} and id = ${target.id}`)
  expect(kept).toBe('192.0.2.0/29, 192.0.2.16/29')
})
