import { beforeAll, expect, test } from 'vitest'
import { listChanges } from '#features/changes/changes.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { ComputedAsset } from '../asset.ts'
import { mergeAssets, unlinkObservations } from '../editing/merge-and-unlink.ts'
import { observedOfAssets } from '../intake/observation-read-store.ts'
import { assetsOf } from '../observations.fixture.ts'
import { portChanges } from './port-changes.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
})

const computed = (openPorts?: readonly number[], knownPorts?: readonly number[] | null) =>
  ({ id: 'a', name: 'db', facets: { facts: { openPorts, knownPorts } } }) as unknown as ComputedAsset

const MANY = Array.from({ length: 14 }, (_, at) => at + 1)

test.each([
  { what: 'all are known', was: [22], is: [22, 443], told: ['port_opened 443'] },
  { what: 'one is closed', was: [22, 443], is: [22], told: ['port_closed 443'] },
  { what: 'both at once', was: [22], is: [443], told: ['port_opened 443', 'port_closed 22'] },
  {
    what: '443 was not asked about',
    was: [22],
    asked: [22, 80],
    is: [22, 80, 443],
    told: ['port_opened 80'],
  },
  { what: '443 is not asked about now', was: [22, 443], is: [22], askedNow: [22, 80], told: [] },
  { what: 'nothing was collected now', was: [22], is: undefined, told: [] },
  { what: 'many', was: [], is: MANY, told: ['port_opened 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more'] },
])('where $what', ({ was, asked = null, is, askedNow = null, told }) => {
  const before = [{ id: 'a', openPorts: was, knownPorts: asked }]
  const changes = portChanges(before, [computed(is, askedNow)], new Map())
  expect(changes.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(told)
})

test('what came with one asset or went with another has neither opened nor closed', () => {
  const joined = [
    { id: 'a', openPorts: [22], knownPorts: null },
    { id: 'a', openPorts: [80], knownPorts: [80, 81] },
  ]
  expect(portChanges(joined, [computed([22, 80])], new Map())).toEqual([])
  const parted = new Map([['a', [computed([443])]]])
  const [before] = [{ id: 'a', openPorts: [22, 25, 443], knownPorts: null }]
  expect(portChanges([before], [computed([22])], parted)).toMatchObject([
    { kind: 'port_closed', subject: '25' },
  ])
})

test('merging and unlinking open and close no port', async () => {
  const of = await home().newTenant()
  const look = (host: string, ports: readonly number[]) =>
    submit(of, { kind: 'ssh', name: 'logins' }, [
      {
        sourceKey: host,
        seenAt: of.now(),
        name: host,
        identifiers: [{ type: 'serial', value: `SN-${host}-4711` }],
        facts: { listening: ports.map((port) => `tcp 0.0.0.0 ${port}`) },
      },
    ])
  await look('one', [22])
  await look('two', [443])
  const [a, b] = await assetsOf(of)
  const { id } = await mergeAssets(of, { assetIdA: a?.id ?? '', assetIdB: b?.id ?? '', reason: '' })
  const [first] = await observedOfAssets(of, [id])
  await unlinkObservations(of, { assetId: id, observationIds: [first?.id ?? ''], reason: '' })
  const kinds = (await listChanges(of, { limit: 50, offset: 0 }, {})).items.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind.startsWith('port_'))).toEqual([])
  expect(kinds).toContain('asset_split')
})

test('a scan that sees other ports than the one before is a change, the first look is none', async () => {
  const look = (openPorts: number[], minutes: number) =>
    submit(ctx, { kind: 'ssh', name: 'logins' }, [
      {
        sourceKey: 'db',
        seenAt: new Date(ctx.now().getTime() - 600_000 + minutes * 60_000),
        name: 'db',
        identifiers: [{ type: 'serial', value: 'SN-DB-4711' }],
        facts: { listening: openPorts.map((port) => `tcp 0.0.0.0 ${port}`) },
      },
    ])
  const changes = async () =>
    (await listChanges(ctx, { limit: 50, offset: 0 }, { kinds: ['port_opened', 'port_closed'] })).items
  await look([22, 443], 1)
  expect(await changes()).toEqual([])
  await look([22, 5432], 2)
  expect(await changes()).toMatchObject([
    { kind: 'port_opened', subject: '5432', before: null, after: [5_432], assetName: 'db' },
    { kind: 'port_closed', subject: '443', before: [443], after: null, assetName: 'db' },
  ])
  await look([22, 5432], 3)
  expect(await changes()).toHaveLength(2)
  const other = await home().newTenant()
  expect((await listChanges(other, { limit: 50, offset: 0 }, {})).items).toEqual([])
})
