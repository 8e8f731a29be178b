import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { createTarget } from '#features/scans/scans.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf } from '#test/support/http/graphql-client.ts'
import { createDiscovery, startDiscovery } from './discoveries.ts'
import { addHosts, endHost, noteLogins } from './host-store.ts'
import * as store from './run-store.ts'

const home = sharedTestApp({ contextOf: believed })
const NOWHERE = '00000000-0000-4000-8000-000000000000'

async function scene() {
  const ctx = await home().newTenant()
  const target = await createTarget(ctx, { name: 'site', entries: ['192.0.2.0/30'] })
  return { ctx, target, ask: fieldAsker(asker(home().as(), headersOf(ctx))) }
}

const SETTINGS =
  'id name targetId targetName targetAddress types hostsAtOnce cron zone windows { days from to } isEnabled nextAt skipped'

test('a discovery is made, changed, read and deleted', async () => {
  const { target, ask } = await scene()
  const made = await ask<{ id: string }>(
    `mutation ($target: ID!) { createDiscovery(name: "nightly", targetId: $target, types: [snmp], hostsAtOnce: 3,
      windows: [{ days: [6, 1], from: "22:00", to: "05:00" }]) { ${SETTINGS} } }`,
    { target: target.id },
  )
  const { id } = made
  expect(made).toEqual({
    id,
    name: 'nightly',
    targetId: target.id,
    targetName: 'site',
    targetAddress: '192.0.2.0/30',
    types: ['snmp'],
    hostsAtOnce: 3,
    cron: null,
    zone: 'UTC',
    isEnabled: true,
    nextAt: null,
    skipped: '',
    windows: [{ days: [1, 6], from: '22:00', to: '05:00' }],
  })
  const update = (changes: string) =>
    ask(`mutation ($id: ID!) { updateDiscovery(id: $id, ${changes}) { ${SETTINGS} } }`, { id })
  const weekly = { ...made, name: 'weekly', cron: '0 2 * * 1', isEnabled: false }
  expect(await update('name: "weekly", cron: "0 2 * * 1", isEnabled: false')).toEqual(weekly)
  expect(await update('windows: []')).toEqual({ ...weekly, windows: [] })
  expect(await ask(`query ($id: ID!) { discovery(id: $id) { ${SETTINGS} } }`, { id })).toEqual({
    ...weekly,
    windows: [],
  })
  expect(await ask('{ discoveries { name createdAt } }')).toEqual([
    { name: 'weekly', createdAt: expect.stringMatching(/Z$/) as string },
  ])
  expect(await ask('mutation ($id: ID!) { deleteDiscovery(id: $id) }', { id })).toBe(id)
  await expect(ask('query ($id: ID!) { discovery(id: $id) { id } }', { id })).rejects.toThrow('not_found')
})

test('the next five times of a schedule are those of its zone', async () => {
  const { ask } = await scene()
  const times = (cron: string, zone = 'Asia/Tokyo') =>
    ask<string[]>(`{ discoveryTimes(cron: "${cron}", zone: "${zone}") }`)
  const found = await times('30 2 * * *')
  expect(found).toHaveLength(5)
  for (const time of found) expect(time).toMatch(/T17:30:00\.000Z$/)
  expect(found).toEqual([...found].toSorted())
  await expect(times('* * *')).rejects.toThrow('invalid_request cron')
  await expect(times('30 2 * * *', 'Mars/Base')).rejects.toThrow('invalid_request zone')
})

/** A run under way: one host that let us in by its second login, one that is asked, one that waits. */
async function runOfThree(ctx: Ctx, targetId: string) {
  const { id: discoveryId } = await createDiscovery(ctx, { name: 'nightly', targetId })
  const { id } = await startDiscovery(ctx, discoveryId)
  const run = await store.start(ctx, id)
  if (!run) throw new Error('the run is there')
  const hints = { ports: [], hasSnmp: false, isVmware: false, isHypervisor: false }
  const hosts = ['192.0.2.3', '192.0.2.1', '192.0.2.2'].map((address) => ({
    address,
    name: `host-${address}`,
    hints,
    seen: {},
    sourceKey: address,
  }))
  await addHosts(ctx, id, hosts)
  await noteLogins(ctx, id, '192.0.2.2', {
    logins: [{ type: 'ssh', scanId: NOWHERE, message: '' }],
    seen: {},
    hints,
  })
  const logins = [
    { type: 'ssh', outcome: 'not_asked', message: 'port 22 is closed' },
    { type: 'wmi', scanId: NOWHERE, outcome: 'logged_in', message: 'read' },
  ] as const
  const end = { outcome: 'logged_in', why: '', logins, seen: {}, name: 'win-1', assetId: null } as const
  await endHost(ctx, id, '192.0.2.1', end)
  await store.note(ctx, run, {
    addressesTotal: 4,
    addressesDone: 3,
    addressesSettled: 2,
    unreachable: ['198.51.100.0/24'],
    stops: Array.from({ length: 101 }, (_, n) => ({
      at: `10.0.0.${n}`,
      reason: 'it is silent',
      isHarm: n === 0,
    })),
    slowed: 'half the pace',
  })
  return { id, discoveryId }
}

test('a run under way tells how far it is, where it stopped and what came of each host', async () => {
  const { ctx, target, ask } = await scene()
  const { id, discoveryId } = await runOfThree(ctx, target.id)
  const run = await ask<{ stops: unknown[] }>(
    `query ($id: ID!) { discoveryRun(id: $id) { discoveryId name cause status message share entries exclusions types
      sweepScanId addressesTotal addressesDone unreachable slowed hostsFound hostsDone loggedIn refused unanswered notAsked
      comparedRunId newHosts changedHosts goneHosts waitsUntil finishedAt stops { at reason isHarm } } }`,
    { id },
  )
  expect(run).toEqual({
    discoveryId,
    name: 'nightly',
    cause: 'manual',
    status: 'running',
    message: '',
    share: 0.25,
    entries: ['192.0.2.0/30'],
    exclusions: [],
    types: ['ssh', 'wmi', 'snmp', 'vmware', 'hypervisor'],
    sweepScanId: null,
    addressesTotal: 4,
    addressesDone: 3,
    unreachable: ['198.51.100.0/24'],
    slowed: 'half the pace',
    hostsFound: 3,
    hostsDone: 1,
    loggedIn: 1,
    refused: 0,
    unanswered: 0,
    notAsked: 0,
    comparedRunId: null,
    newHosts: null,
    changedHosts: null,
    goneHosts: null,
    waitsUntil: null,
    finishedAt: null,
    stops: expect.any(Array) as unknown[],
  })
  expect(run.stops).toHaveLength(100)
  expect(run.stops.slice(0, 2)).toEqual([
    { at: '10.0.0.0', reason: 'it is silent', isHarm: true },
    { at: '10.0.0.1', reason: 'it is silent', isHarm: false },
  ])
  const hosts = (more: string) =>
    ask(
      `query ($id: ID!) { discoveryHosts(runId: $id${more}) { total items { address name isDone outcome why
      logins { type scanId outcome message } assetId assetName change changedFields doneAt } } }`,
      { id },
    )
  const untold = { outcome: null, why: '', assetId: null, assetName: null, change: null, changedFields: [] }
  const waiting = {
    ...untold,
    address: '192.0.2.3',
    name: 'host-192.0.2.3',
    isDone: false,
    logins: [],
    doneAt: null,
  }
  const asked = { type: 'ssh', scanId: NOWHERE, outcome: null, message: '' }
  const done = {
    ...untold,
    address: '192.0.2.1',
    name: 'win-1',
    isDone: true,
    outcome: 'logged_in',
    logins: [
      { type: 'ssh', scanId: null, outcome: 'not_asked', message: 'port 22 is closed' },
      { type: 'wmi', scanId: NOWHERE, outcome: 'logged_in', message: 'read' },
    ],
    doneAt: expect.stringMatching(/Z$/) as string,
  }
  const asking = { ...waiting, address: '192.0.2.2', name: 'host-192.0.2.2', logins: [asked] }
  expect(await hosts('')).toEqual({ total: 3, items: [done, asking, waiting] })
  expect(await hosts(', first: 1, offset: 1')).toEqual({ total: 3, items: [asking] })
  expect(await hosts(', outcome: "logged_in"')).toEqual({ total: 1, items: [done] })
  expect(await hosts(', change: "gone"')).toEqual({ total: 0, items: [] })
  await expect(hosts(', outcome: "in"')).rejects.toThrow(
    'invalid_request outcome: outcome: must be one of logged_in',
  )
  await expect(hosts(', change: "lost"')).rejects.toThrow(
    'invalid_request change: change: must be one of new',
  )
})

test('runs are listed of one discovery or of all, started and cancelled', async () => {
  const { ctx, target, ask } = await scene()
  const { id, discoveryId } = await runOfThree(ctx, target.id)
  const other = await createDiscovery(ctx, { name: 'weekly', targetId: target.id })
  const started = await ask<{ id: string }>('mutation ($id: ID!) { startDiscovery(id: $id) { id } }', {
    id: other.id,
  })
  const runs = async (more: string) => {
    const page = await ask<{ total: number; items: { id: string }[] }>(
      `{ discoveryRuns${more} { total items { id } } }`,
    )
    return [page.total, ...page.items.map((it) => it.id)]
  }
  expect(await runs('')).toEqual([2, started.id, id])
  expect(await runs('(first: 1, offset: 1)')).toEqual([2, id])
  expect(await runs(`(discoveryId: "${discoveryId}")`)).toEqual([1, id])
  expect(await runs('(where: "name = weekly")')).toEqual([1, started.id])
  await expect(runs('(discoveryId: "nightly")')).rejects.toThrow('not_found')
  const cancelled = await ask(
    'mutation ($id: ID!) { cancelDiscoveryRun(id: $id) { id status finishedAt } }',
    { id },
  )
  expect(cancelled).toEqual({ id, status: 'cancelled', finishedAt: expect.stringMatching(/Z$/) as string })
})

test('scan now answers the run and what is left out', async () => {
  const { ctx, ask } = await scene()
  const seen = (name: string, ip: string) => ({
    sourceKey: name,
    seenAt: new Date(),
    name,
    identifiers: [{ type: 'ip' as const, value: ip }],
  })
  await submit(ctx, { kind: 'csv', name: 'list' }, [seen('a', '192.0.2.1'), seen('b', '203.0.113.9')])
  const { items } = await listAssets(ctx, { limit: 9, offset: 0 })
  const scanned = (selection: string) =>
    ask(
      `mutation { scanNow(${selection}) { run { name cause entries discoveryId } leftOut { assetId why } } }`,
    )
  const ids = items.map((it) => `"${it.id}"`).join()
  expect(await scanned(`assetIds: [${ids}]`)).toEqual({
    run: { name: 'a', cause: 'scan_now', entries: ['192.0.2.1'], discoveryId: null },
    leftOut: [
      { assetId: items.find((it) => it.name === 'b')?.id, why: 'no scan target names 203.0.113.9 (b)' },
    ],
  })
  await expect(scanned('where: "name = nobody"')).rejects.toThrow(
    'invalid_request where: where: no asset is selected',
  )
})

test('who may not read scans reads none of it, who may not write starts none', async () => {
  const { ctx, target } = await scene()
  const { id, discoveryId } = await runOfThree(ctx, target.id)
  const as = (...permissions: string[]) => fieldAsker(asker(home().as(), headersOf(ctx, permissions)))
  const [stranger, reader] = [as('assets:read'), as('scans:read', 'assets:read')]
  for (const query of [
    '{ discoveries { id } }',
    `{ discovery(id: "${discoveryId}") { id } }`,
    '{ discoveryRuns { total } }',
    `{ discoveryRun(id: "${id}") { id } }`,
    `{ discoveryHosts(runId: "${id}") { total } }`,
    '{ discoveryTimes(cron: "0 2 * * *", zone: "UTC") }',
  ]) {
    await expect(stranger(query)).rejects.toThrow('forbidden')
    expect(await reader(query)).toBeTruthy()
  }
  for (const mutation of [
    `createDiscovery(name: "x", targetId: "${target.id}") { id }`,
    `updateDiscovery(id: "${discoveryId}") { id }`,
    `deleteDiscovery(id: "${discoveryId}")`,
    `startDiscovery(id: "${discoveryId}") { id }`,
    `cancelDiscoveryRun(id: "${id}") { id }`,
    'scanNow(where: "name = x") { run { id } }',
  ])
    await expect(reader(`mutation { ${mutation} }`)).rejects.toThrow('forbidden')
})
