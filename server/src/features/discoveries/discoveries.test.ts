import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createCredential } from '#features/credentials/credentials.ts'
import { createTarget, deleteTarget, Governor, listScans, updateTarget } from '#features/scans/scans.ts'
import { assetsOfKeys, submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf } from '#test/support/http/graphql-client.ts'
import {
  cancelRun,
  createDiscovery,
  deleteDiscovery,
  getDiscovery,
  getRun,
  listDiscoveries,
  listHosts,
  listRuns,
  scanNow,
  startDiscovery,
  updateDiscovery,
} from './discoveries.ts'
import { addHosts, hostsToAsk, noteLogins } from './host-store.ts'
import * as store from './run-store.ts'
import { logInToHost } from './running/log-in-to-host.ts'
import { LoginPace } from './running/login-pace.ts'
import { runDiscovery } from './running/run-discovery.ts'
import { startDue } from './scheduling/start-due.ts'

const home = sharedTestApp({ contextOf: believed })
const unrestrained = () => ({ governor: new Governor(), pace: new LoginPace(16), sweepSlowed: '' })
const SWEPT = { sweepScanId: null, isSwept: true, targetIdOf: () => null }
const PROGRESS = {
  addressesTotal: 1,
  addressesDone: 1,
  addressesSettled: 1,
  unreachable: [],
  stops: [],
  slowed: '',
}
const ALL = { limit: 100, offset: 0 }
const HOST = {
  address: '127.0.0.1',
  name: '127.0.0.1',
  hints: { ports: [], hasSnmp: false, isVmware: false, isHypervisor: false },
  seen: {},
  sourceKey: '127.0.0.1|',
}

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
  expect((await listRuns(ctx, ALL, { discoveryId: discovery.id })).items).toMatchObject([
    { cause: 'schedule' },
  ])
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
  expect((await listRuns(ctx, ALL, { discoveryId: discovery.id })).total).toBe(1)
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

test('a run whose excluded host name does not resolve looks at nothing and says why', async () => {
  const { ctx, target, discovery } = await scene(['127.0.0.1-127.0.0.3'])
  // a name that never resolves (RFC 6761, 6.4)
  await updateTarget(ctx, target.id, { exclusions: ['fragile.invalid'] })
  const { id } = await startDiscovery(ctx, discovery.id)
  await run(ctx, id)
  expect(await getRun(ctx, id)).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('the sweep: the excluded host name fragile.invalid does not resolve'),
    hostsFound: 0,
  })
})

test('a host may call itself what looks like an escape of JSON', async () => {
  const { ctx, discovery } = await scene()
  const { id } = await startDiscovery(ctx, discovery.id)
  const name = String.raw`A\u0000`
  await addHosts(ctx, id, [{ ...HOST, name, seen: { name } }])
  expect((await listHosts(ctx, id, {}, ALL)).items).toMatchObject([{ name, seen: { name } }])
})

test('when its hours end during a login the next one is left to the next attempt, with what was learned', async () => {
  const { ctx, discovery } = await scene()
  const pause = new AbortController()
  const server = createServer((socket) => {
    pause.abort()
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const values = { username: 'scan', password: 'secret of the host' }
  const bound = { cidrs: ['127.0.0.0/8'], targetIds: [], port, values }
  await createCredential(ctx, { ...bound, name: 'Linux', kind: 'ssh_password' })
  await createCredential(ctx, { ...bound, name: 'Windows', kind: 'winrm' })
  await updateDiscovery(ctx, discovery.id, { types: ['ssh', 'wmi'] })
  const { id } = await startDiscovery(ctx, discovery.id)
  const started = await store.start(ctx, id)
  if (!started) throw new Error('the run is there')
  await addHosts(ctx, id, [HOST])
  const { signal } = new AbortController()
  const visit = async (paused: AbortSignal): Promise<void> => {
    const [host] = await hostsToAsk(ctx, id, [], 1)
    if (!host) throw new Error('the host is to be asked')
    const progress = { ...PROGRESS }
    const attempt = { run: started, signal, pause: paused, progress, ...SWEPT, ...unrestrained() }
    await logInToHost(ctx, attempt, host)
  }
  await visit(pause.signal)
  expect((await listScans(ctx, ALL)).items).toMatchObject([{ type: 'ssh', status: 'failed' }])
  expect((await listHosts(ctx, id, {}, ALL)).items).toMatchObject([{ state: 'asking', outcome: null }])
  const [host = HOST] = await hostsToAsk(ctx, id, [], 1)
  const learned = { seen: { os: 'Proxmox' }, hints: { ...HOST.hints, isHypervisor: true } }
  await noteLogins(ctx, id, HOST.address, { logins: [], ...host, ...learned })
  expect(await hostsToAsk(ctx, id, [], 1)).toMatchObject([learned])
  await visit(signal)
  expect((await listScans(ctx, ALL)).items.map(({ type }) => type).toSorted()).toEqual(['ssh', 'wmi'])
  expect((await listHosts(ctx, id, {}, ALL)).items).toMatchObject([{ state: 'done', seen: learned.seen }])
})

test('a port that no sweep asks is asked before a login is left out for which there is a credential', async () => {
  const { ctx, discovery } = await scene()
  const address = '127.0.0.85'
  const server = createServer((socket) =>
    socket.on('error', () => undefined).end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'),
  )
  onTestFinished(() => void server.close())
  await once(server.listen(5_985, address), 'listening')
  const windows = { name: 'Windows', kind: 'winrm', cidrs: ['127.0.0.0/8'], targetIds: [] }
  await createCredential(ctx, { ...windows, values: { username: 'scan', password: 'secret of the host' } })
  await updateDiscovery(ctx, discovery.id, { types: ['wmi', 'hypervisor'] })
  const { id } = await startDiscovery(ctx, discovery.id)
  const started = await store.start(ctx, id)
  if (!started) throw new Error('the run is there')
  await addHosts(ctx, id, [{ ...HOST, address }])
  const [host] = await hostsToAsk(ctx, id, [], 1)
  if (!host) throw new Error('the host is to be asked')
  const { signal } = new AbortController()
  const progress = { ...PROGRESS }
  const attempt = { run: started, signal, pause: signal, progress, ...SWEPT, ...unrestrained() }
  await logInToHost(ctx, attempt, host)
  const [done] = (await listHosts(ctx, id, {}, ALL)).items
  expect(done?.logins).toMatchObject([
    { type: 'wmi', scanId: expect.any(String) },
    { type: 'hypervisor', outcome: 'not_asked' },
  ])
})

test('null leaves the schedule as it is, and an empty one ends it', async () => {
  const { ctx, target, discovery } = await scene()
  const ask = asker(home().as(), headersOf(ctx))
  const update = async (cron: string | null): Promise<unknown> => {
    const asked = 'mutation ($id: ID!, $cron: String) { updateDiscovery(id: $id, cron: $cron) { cron } }'
    return (await ask(asked, { id: discovery.id, cron })).data
  }
  expect(await update('0 2 * * *')).toEqual({ updateDiscovery: { cron: '0 2 * * *' } })
  expect(await update(null)).toEqual({ updateDiscovery: { cron: '0 2 * * *' } })
  expect(await update('')).toEqual({ updateDiscovery: { cron: null } })
  expect(await createDiscovery(ctx, { name: 'by hand', targetId: target.id, cron: '' })).toMatchObject({
    cron: null,
  })
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
