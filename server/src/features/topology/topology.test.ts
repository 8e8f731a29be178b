import { beforeEach, describe, expect, test } from 'vitest'
import { deleteAsset, listAssets } from '#features/assets/assets.ts'
import { archiveAsset } from '#features/assets/archive/archive.ts'
import { mergeAssets } from '#features/assets/editing/merge-and-unlink.ts'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { searchAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { linksFromFacts } from './links-from-facts.ts'
import { addRelation, deriveLinks, listLinks, relationsOf, removeRelation } from './topology.ts'

const PAGE = { limit: 100, offset: 0 }
const snmp = { kind: 'snmp', name: 'poll' }
const vcenter = { kind: 'vmware', name: 'vCenter' }
const shared = sharedTestApp()
let ctx: Ctx
beforeEach(async () => {
  ctx = await shared().newTenant()
})

const idsByName = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await listAssets(ctx, PAGE)).items.map(({ name, id }) => [name, id]))
const shown = async (id: string) =>
  (await relationsOf(ctx, id)).map((it) =>
    [it.direction, it.kind, it.other, it.port, it.otherPort].filter(Boolean).join(' '),
  )

describe('links that observations report', () => {
  const mac = (n: number) => `3c:2a:f4:00:00:0${n}`
  const core = (neighbours: unknown[], more = {}) =>
    seen(
      'core',
      { serial: 'FOC0001', chassis_id: mac(1) },
      {
        name: 'core',
        facts: { neighbours, ...more } as never,
      },
    )
  const toEdge = {
    by: 'lldp',
    localInterface: 'Te1/1',
    remoteChassis: mac(2),
    remoteInterface: 'Gi0/1',
    remoteName: 'edge-1',
  }

  beforeEach(async () => {
    await submit(ctx, snmp, [
      core([toEdge, { by: 'cdp', localInterface: 'Te1/2', remoteName: 'unknown-switch' }]),
      seen(
        'edge',
        { serial: 'FOC0002', chassis_id: mac(2) },
        {
          name: 'edge',
          facts: {
            stations: [
              { mac: mac(3), vlan: 20, localInterface: 'Gi0/3' },
              { mac: mac(9), localInterface: 'Gi0/4' },
            ],
            nearby: [{ address: '10.0.0.3', mac: mac(3), localInterface: 'Vlan20' }],
          },
        },
      ),
    ])
    await submit(ctx, csv, [seen('pc', { mac: mac(3), ip: '10.0.0.3' }, { name: 'pc' })])
    await submit(ctx, vcenter, [
      seen('h', { serial: 'CZ0001', hostname: 'esx-1.example' }, { name: 'esx-1', assetType: 'hypervisor' }),
      seen('v', { cloud_id: 'v1' }, { name: 'vm', assetType: 'virtual_machine', facts: { host: 'esx-1' } }),
    ])
    await deriveLinks(ctx)
  })

  test('are listed between living assets alone', async () => {
    const { total } = await listLinks(ctx, PAGE)
    await archiveAsset(ctx, (await idsByName())['edge'] ?? '')
    const { items, total: living } = await listLinks(ctx, PAGE)
    expect([items.length, total - living]).toEqual([living, 3])
    expect(items.filter(({ aName, bName }) => [aName, bName].includes('edge'))).toEqual([])
  })

  test('join assets by chassis, hardware address and name, at both ends', async () => {
    const ids = await idsByName()
    expect((await shown(ids['core'] ?? '')).sort()).toEqual([
      'out cdp unknown-switch Te1/2',
      'out lldp edge Te1/1 Gi0/1',
    ])
    expect((await shown(ids['edge'] ?? '')).sort()).toEqual([
      'in lldp core Gi0/1 Te1/1',
      'out arp pc Vlan20',
      'out fdb pc Gi0/3',
    ])
    expect(await shown(ids['vm'] ?? '')).toEqual(['out vm_on_host esx-1'])
    expect((await relationsOf(ctx, ids['pc'] ?? '')).find(({ kind }) => kind === 'fdb')).toMatchObject({
      vlan: 20,
      id: null,
      observationId: expect.any(String),
    })
    expect((await listLinks(ctx, PAGE)).total).toBe(5)
  })

  test('change nothing when derived again, and go when they are no longer reported', async () => {
    const before = await listLinks(ctx, PAGE)
    await deriveLinks(ctx)
    expect(await listLinks(ctx, PAGE)).toEqual(before)
    await submit(
      ctx,
      snmp,
      [core([toEdge], { sysName: 'core' })].map((it) => ({ ...it, seenAt: new Date() })),
    )
    await deriveLinks({ ...ctx, now: () => new Date(Date.now() + 1_000) })
    const { items } = await listLinks(ctx, PAGE)
    expect(items.map(({ kind }) => kind)).not.toContain('cdp')
    expect(items.find(({ kind }) => kind === 'lldp')?.firstSeen).toBe(
      before.items.find(({ kind }) => kind === 'lldp')?.firstSeen,
    )
  })

  test('of a deleted asset go; those that lead to it keep what was reported', async () => {
    const ids = await idsByName()
    await deleteAsset(ctx, ids['edge'] ?? '')
    expect((await shown(ids['core'] ?? '')).sort()).toEqual([
      'out cdp unknown-switch Te1/2',
      'out lldp edge-1 Te1/1 Gi0/1',
    ])
    expect(await relationsOf(ctx, ids['pc'] ?? '')).toEqual([])
  })
})

test('facts of any form are read: what is no link is left out, and ports that lead to other switches are', () => {
  const station = (n: number, localInterface: string) => ({ mac: `3c:2a:f4:00:01:${10 + n}`, localInterface })
  expect(linksFromFacts({ neighbours: 'x', stations: [1, null, { mac: 'y' }], nearby: {}, host: 7 })).toEqual(
    [],
  )
  const links = linksFromFacts({
    neighbours: [{ by: 'lldp', localInterface: 'up', remoteName: 'a' }, { by: 'stp' }, { by: 'cdp' }],
    stations: [
      ...Array.from({ length: 9 }, (_, n) => station(n, 'trunk')),
      station(1, 'up'),
      station(2, 'desk'),
    ],
  })
  expect(links.map(({ kind, port }) => `${kind} ${port}`)).toEqual(['lldp up', 'fdb desk'])
})

describe('relations that people record', () => {
  let ids: Record<string, string>
  beforeEach(async () => {
    await submit(
      ctx,
      csv,
      ['app', 'db', 'web'].map((name) => seen(name, { serial: `PF0${name}01` }, { name })),
    )
    ids = await idsByName()
  })
  const of = (name: string) => ids[name] ?? ''
  const relate = (from: string, to: string, kind = 'depends_on') =>
    addRelation(ctx, { fromId: of(from), kind: kind as never, toId: of(to), note: 'orders' })

  test('stand at both ends until they are taken away, and are audited', async () => {
    const { id } = await relate('app', 'db')
    expect([await shown(of('app')), await shown(of('db'))]).toEqual([
      ['out depends_on db'],
      ['in depends_on app'],
    ])
    await expect(relate('app', 'db')).rejects.toThrow('app depends_on db: is recorded already')
    await removeRelation(ctx, id ?? '')
    expect(await shown(of('db'))).toEqual([])
    const { items } = await searchAudit(ctx, { limit: 2, offset: 0 })
    expect(items.map(({ action }) => action)).toEqual(['asset.unrelated', 'asset.related'])
  })

  test('go with merged assets, once, and not to themselves; go with deleted ones', async () => {
    await relate('app', 'db')
    await relate('web', 'db')
    await relate('app', 'web', 'connected_to')
    const { id, name } = await mergeAssets(ctx, { assetIdA: of('app'), assetIdB: of('web'), reason: '' })
    expect(await shown(id)).toEqual(['out depends_on db'])
    expect(await shown(of('db'))).toEqual([`in depends_on ${name}`])
    await deleteAsset(ctx, of('db'))
    expect(await shown(id)).toEqual([])
  })

  test.each([
    ['app', 'app', 'runs_on', 'toId: an asset has no relation to itself'],
    ['app', 'none', 'runs_on', 'asset not found'],
    ['app', 'db', 'likes', 'kind: is none of'],
  ])('%s %s %s is refused', async (from, to, kind, why) => {
    await expect(relate(from, to, kind)).rejects.toThrow(why)
  })

  test('at the command line', async () => {
    const run = (path: string, args: Record<string, string>) =>
      commands.find((it) => it.path === path)!.run(ctx, { args, options: {} })
    const { json } = await run('asset relate', { id: of('app'), kind: 'runs-on', other: of('db') })
    expect((await run('asset relations', { id: of('db') })).text).toContain('<- runs on  app')
    await run('asset unrelate', { relation: (json as { id: string }).id })
    expect((await run('asset relations', { id: of('db') })).text).toBe('None is known.')
    expect((await run('topology derive', {})).json).toEqual({ links: 0 })
  })
})
