import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { assetsOf, MINUTE, START } from '#features/assets/observations.fixture.ts'
import type { Observation } from '#features/assets/observation.ts'
import { createCollector } from '#features/collectors/collectors.ts'
import { createPlace } from '#features/records/records.ts'
import { deletePlace } from '#features/records/places/places.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import type { Probe } from '../probes/probe.ts'
import { listScanHosts } from '../results/scan-hosts.ts'
import { runScan } from '../running/run-scan.ts'
import { createScan, createTarget, listTargets, updateTarget } from '../scans.ts'
import { moveObservations, moveObservationsJob } from './moved-targets.ts'

/** In which network a scan sees addresses: of the target's site, of its collectors, else of the server. */

const CIDR = '10.0.0.0/24'
const { signal } = new AbortController()

async function scene() {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const site = async (name: string) => (await createPlace(ctx, { name, kind: 'site' })).id
  return { ctx, site }
}

async function sweep(ctx: Ctx, targetId: string, addresses: readonly string[], minute = 0): Promise<string> {
  const probe: Probe = {
    type: 'sweep',
    title: 'Network sweep',
    accepts: () => true,
    async *run() {
      for (const address of addresses) yield seenAt(address, minute)
    },
  }
  const { id } = await createScan(ctx, { type: 'sweep', targetId })
  await runScan(ctx, { scanId: id }, signal, { shelf: [probe] })
  return id
}

const seenAt = (address: string, minute: number): Observation => ({
  sourceKey: `${address}|`,
  seenAt: new Date(START + minute * MINUTE),
  identifiers: [{ type: 'ip', value: address }],
})

/** The jobs that move observations, the oldest first. */
async function runJobs(ctx: Ctx): Promise<void> {
  const waiting = await ctx.db.all(sql<{ payload: Parameters<typeof moveObservations>[1] }>`
    select payload from jobs where tenant_id = ${ctx.tenantId} and name = ${moveObservationsJob.name} order by id`)
  for (const { payload } of waiting) await moveObservations(ctx, payload)
}

const keysOf = async (ctx: Ctx) => (await assetsOf(ctx)).map(({ keys }) => keys)

test('one address of two targets at two sites is two assets, and each scan shows its own', async () => {
  const { ctx, site } = await scene()
  const [oslo, bergen] = [await site('Oslo'), await site('Bergen')]
  const here = await createTarget(ctx, { name: 'Oslo', cidr: CIDR, siteId: oslo })
  const there = await createTarget(ctx, { name: 'Bergen', cidr: CIDR, siteId: bergen })
  const scans = [await sweep(ctx, here.id, ['10.0.0.5']), await sweep(ctx, there.id, ['10.0.0.5'])]
  const keys = await keysOf(ctx)
  expect(keys).toHaveLength(2)
  for (const id of [oslo, bergen]) expect(keys).toContainEqual([`site:${id} 10.0.0.5|`])
  const shown = await Promise.all(
    scans.map(async (id) => (await listScanHosts(ctx, id, { limit: 9, offset: 0 })).items[0]?.asset?.id),
  )
  expect(new Set(shown).size).toBe(2)
  expect(shown).not.toContain(undefined)
})

test('one target twice, and two targets of one site, are one asset', async () => {
  const { ctx, site } = await scene()
  const siteId = await site('Oslo')
  const first = await createTarget(ctx, { name: 'all', cidr: CIDR, siteId })
  const second = await createTarget(ctx, { name: 'one', host: '10.0.0.5', siteId })
  await sweep(ctx, first.id, ['10.0.0.5'])
  await sweep(ctx, first.id, ['10.0.0.5'], 5)
  await sweep(ctx, second.id, ['10.0.0.5'], 10)
  expect(await keysOf(ctx)).toEqual([[`site:${siteId} 10.0.0.5|`]])
})

test('targets without site and collectors are of the network that was there before', async () => {
  const { ctx } = await scene()
  await submit(ctx, { kind: 'sweep', name: 'Network sweep' }, [seenAt('10.0.0.5', 0)])
  const target = await createTarget(ctx, { name: 'all', cidr: CIDR })
  await sweep(ctx, target.id, ['10.0.0.5'], 5)
  expect(await keysOf(ctx)).toEqual([['10.0.0.5|']])
})

test('each collector has a network of its own, unless its target has a site', async () => {
  const { ctx, site } = await scene()
  const siteId = await site('Oslo')
  const [a, b] = await Promise.all(['a', 'b'].map((name) => createCollector(ctx, { name })))
  const of = async (name: string, more: object) =>
    (await createTarget(ctx, { name, cidr: CIDR, ...more })).scope
  const idOf = (it: typeof a) => it?.collector.id ?? ''
  expect(await of('none', {})).toBe('default')
  expect(await of('a', { collectorIds: [idOf(a)] })).toBe(`collector:${idOf(a)}`)
  expect(await of('b', { collectorIds: [idOf(b)] })).toBe(`collector:${idOf(b)}`)
  expect(await of('with site', { collectorIds: [idOf(a)], siteId })).toBe(`site:${siteId}`)
})

test('what was found at a target goes with it to another site, but for what another target sees too', async () => {
  const { ctx, site } = await scene()
  const siteId = await site('Oslo')
  const target = await createTarget(ctx, { name: 'all', cidr: CIDR })
  await createTarget(ctx, { name: 'one', host: '10.0.0.6' })
  await sweep(ctx, target.id, ['10.0.0.5', '10.0.0.6'])
  await submit(ctx, { kind: 'sweep', name: 'Network sweep' }, [seenAt('10.9.0.5', 0)])
  const before = await assetsOf(ctx)
  await updateTarget(ctx, target.id, { siteId })
  const { id: targetId, entries, exclusions } = target
  const move = { targetId, from: 'default', entries, exclusions }
  for (const _ of ['once', 'again']) await moveObservations(ctx, move)
  const after = await assetsOf(ctx)
  expect(after.flatMap(({ keys }) => keys).toSorted()).toEqual(
    ['10.0.0.6|', '10.9.0.5|', `site:${siteId} 10.0.0.5|`].toSorted(),
  )
  expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted())
  await sweep(ctx, target.id, ['10.0.0.5'], 5)
  expect(await assetsOf(ctx)).toHaveLength(3)
})

test('what was found goes along when the site was a mistake that is mended before the first job ran', async () => {
  const { ctx, site } = await scene()
  const [oslo, bergen] = [await site('Oslo'), await site('Bergen')]
  const target = await createTarget(ctx, { name: 'all', cidr: CIDR })
  await sweep(ctx, target.id, ['10.0.0.5'])
  for (const siteId of [oslo, bergen]) await updateTarget(ctx, target.id, { siteId })
  await runJobs(ctx)
  expect(await keysOf(ctx)).toEqual([[`site:${bergen} 10.0.0.5|`]])
})

test('what a scan finds after its target was given another site is of that one, with what it found before', async () => {
  const { ctx, site } = await scene()
  const siteId = await site('Oslo')
  const target = await createTarget(ctx, { name: 'all', cidr: CIDR })
  const firstTaken = Promise.withResolvers<void>()
  const probe: Probe = {
    type: 'sweep',
    title: 'Network sweep',
    accepts: () => true,
    async *run() {
      yield seenAt('10.0.0.5', 0)
      await firstTaken.promise
      await updateTarget(ctx, target.id, { siteId })
      await runJobs(ctx)
      yield seenAt('10.0.0.6', 0)
    },
  }
  const { id } = await createScan(ctx, { type: 'sweep', targetId: target.id })
  const onSeen = async (): Promise<void> => firstTaken.resolve()
  await runScan(ctx, { scanId: id }, signal, { shelf: [probe], onSeen })
  expect((await keysOf(ctx)).flat().toSorted()).toEqual([
    `site:${siteId} 10.0.0.5|`,
    `site:${siteId} 10.0.0.6|`,
  ])
  await sweep(ctx, target.id, ['10.0.0.5', '10.0.0.6'], 5)
  expect(await assetsOf(ctx)).toHaveLength(2)
})

test.each(['site', 'collector'])(
  'a key that begins with %s: is refused, whatever network it is of',
  async (noun) => {
    const { ctx, site } = await scene()
    const siteId = await site('Oslo')
    const there = await createTarget(ctx, { name: 'Oslo', cidr: CIDR, siteId })
    const here = await createTarget(ctx, { name: 'here', cidr: CIDR })
    await sweep(ctx, there.id, ['10.0.0.5'])
    const own = noun === 'site' ? siteId : crypto.randomUUID()
    const probe: Probe = {
      type: 'sweep',
      title: 'Network sweep',
      accepts: () => true,
      async *run() {
        yield { ...seenAt('10.0.0.5', 5), sourceKey: `${noun}:${own} 10.0.0.5|`, name: 'taken over' }
      },
    }
    for (const { id: targetId } of [here, there]) {
      const { id } = await createScan(ctx, { type: 'sweep', targetId })
      await runScan(ctx, { scanId: id }, signal, { shelf: [probe] })
    }
    const wanted = { sourceKey: `${noun}:${own} 10.0.0.5|`, name: 'taken over' }
    const imported = await submit(ctx, { kind: 'csv', name: 'list' }, [
      { ...seenAt('10.0.0.5', 5), ...wanted },
    ])
    expect(imported.rejected).toEqual([
      { index: 0, field: 'sourceKey', message: 'must not begin with site: or collector:' },
    ])
    expect(await assetsOf(ctx)).toMatchObject([{ keys: [`site:${siteId} 10.0.0.5|`], name: '10.0.0.5' }])
  },
)

test('what moves leaves an asset that it shared with an agent by its address alone', async () => {
  const { ctx, site } = await scene()
  const target = await createTarget(ctx, { name: 'all', cidr: CIDR })
  await sweep(ctx, target.id, ['10.0.0.5'])
  const identifiers = [
    { type: 'ip' as const, value: '10.0.0.5' },
    { type: 'agent_key' as const, value: 'k1' },
  ]
  await submit(ctx, { kind: 'agent', name: 'agents' }, [
    { ...seenAt('10.0.0.5', 1), sourceKey: 'k1', identifiers },
  ])
  expect(await assetsOf(ctx)).toHaveLength(1)
  await updateTarget(ctx, target.id, { siteId: await site('Oslo') })
  await moveObservations(ctx, {
    targetId: target.id,
    from: 'default',
    entries: [CIDR],
    exclusions: [],
  })
  expect(await assetsOf(ctx)).toHaveLength(2)
})

test('the site must be one, and stays while a target is of it', async () => {
  const { ctx, site } = await scene()
  const siteId = await site('Oslo')
  const room = await createPlace(ctx, { name: 'Room', kind: 'room', parentId: siteId })
  const target = { name: 'all', cidr: CIDR }
  await expect(createTarget(ctx, { ...target, siteId: room.id })).rejects.toThrow('siteId: is no site')
  await expect(createTarget(ctx, { ...target, siteId: crypto.randomUUID() })).rejects.toThrow(
    'site not found',
  )
  const other = await site('Bergen')
  const { id } = await createTarget(ctx, { ...target, siteId: other })
  await expect(deletePlace(ctx, other)).rejects.toThrow('scan targets are of Bergen')
  await updateTarget(ctx, id, { siteId: null })
  expect((await listTargets(ctx))[0]).toMatchObject({ siteId: null, scope: 'default' })
  await deletePlace(ctx, other)
})
