import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { assetsOf, observationIds } from '../observations.fixture.ts'
import { mergeAssets, unlinkObservations } from '../editing/merge-and-unlink.ts'
import { cluster, type Constraint } from '../identity/identity.ts'
import { observedOfAssets } from './observation-read-store.ts'
import type { Identifier, Observation } from '../observation.ts'
import { matchRecordOf } from './observation-record.ts'
import { allShared } from '../identity/shared-identifier-values.ts'

const MINUTE = 60_000
const START = Date.parse('2026-01-05T08:00:00Z')

/** Few values for many observations, so that clones, shared cards, reused leases and contradictions abound. */
const identifiers: readonly Identifier[] = [
  ...['k1', 'k2'].map((value) => ({ type: 'agent_key' as const, value })),
  ...['PF0ABC12', 'PF0XYZ99', 'PF0QRS55'].map((value) => ({ type: 'serial' as const, value })),
  { type: 'smbios_uuid', value: '4c4c4544-0043-3510-8052-b9c04f4a3632' },
  { type: 'smbios_uuid', value: '44454c4c-4300-1035-8052-b9c04f4a3632' },
  { type: 'smbios_uuid', value: '564d1234-aaaa-bbbb-cccc-000000000001' },
  ...['a1b2', 'c3d4'].map((value) => ({ type: 'machine_id' as const, value })),
  ...['3c:2a:f4:02:34:5f', '3c:2a:f4:02:34:60', 'da:a1:19:00:00:01'].map((value) => ({
    type: 'mac' as const,
    value,
  })),
  ...['web-1', 'web-1.corp.example', 'db-2'].map((value) => ({ type: 'hostname' as const, value })),
  ...['10.0.0.5', '10.0.0.6'].map((value) => ({ type: 'ip' as const, value })),
]
const addresses = identifiers.filter(({ type }) => type === 'ip')

interface Batch {
  readonly source: { kind: string; name: string }
  readonly observations: Observation[]
}

const observation = fc
  .record({
    sourceKey: fc.constantFrom('1', '2', '3', '4'),
    minute: fc.constantFrom(0, 1, 2, 3, 4, 6, 8, 300, 310, 900),
    identifiers: fc.oneof(
      fc.subarray([...identifiers], { maxLength: 4 }),
      fc.subarray([...identifiers], { maxLength: 4 }),
      fc.subarray(addresses, { minLength: 1 }),
    ),
    said: fc.record(
      {
        name: fc.constantFrom('one', 'two'),
        os: fc.constantFrom('Debian', 'Windows'),
        vendor: fc.constantFrom('Dell', 'Lenovo'),
        assetType: fc.constantFrom('virtual_machine', 'device'),
        tags: fc.subarray(['a', 'b']),
        facts: fc.dictionary(fc.constantFrom('ports', 'banner'), fc.integer({ min: 0, max: 1 })),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ minute, said, ...rest }): Observation => ({
    ...rest,
    ...said,
    seenAt: new Date(START + minute * 10 * MINUTE),
  }))

const report = fc.tuple(fc.constantFrom('sweep', 'csv', 'agent'), observation)
const history = fc.array(report, { minLength: 2, maxLength: 12 }).chain((reports) =>
  fc.record({
    reports: fc.constant(reports),
    other: fc.shuffledSubarray(reports, { minLength: reports.length }),
    cuts: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    otherCuts: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  }),
)

/** Batches of one source each: a new one wherever the source changes or `cuts` says so. */
function batchesOf(reports: readonly (readonly [string, Observation])[], cuts: readonly boolean[]): Batch[] {
  const batches: Batch[] = []
  reports.forEach(([kind, seen], index) => {
    const last = batches.at(-1)
    if (last?.source.kind === kind && !cuts[index]) last.observations.push(seen)
    else batches.push({ source: { kind, name: kind }, observations: [seen] })
  })
  return batches
}

/** What the inventory holds in the end: for each asset its observations, and what is shown of it. */
async function inventory(ctx: Ctx): Promise<unknown[]> {
  const rows = await ctx.db.all<{ keys: string[] }>(sql`
    select array(select o.source_kind || ' ' || o.source_key from asset_observations o
                 where o.asset_id = a.id order by 1) as keys, os, name, first_seen, last_seen, ip_address, tags,
      asset_type, vendor, hostname, mac_address, serial, confidence,
      (select array(select * from string_to_table(replace(text, translate(a.id::text, '-', 'Z'), ''), E'\\n') order by 1)
       from asset_search s where s.asset_id = a.id) as texts,
      array(select jsonb_build_array(payload_hash, kept) from asset_observations o
            where o.asset_id = a.id order by source_kind, source_key) as kept
    from assets a`)
  return rows.toSorted((x, y) => (x.keys.join() < y.keys.join() ? -1 : 1))
}

/** What it has learned, and what it asks. */
async function doubts(ctx: Ctx): Promise<unknown[]> {
  const name = (side: string) =>
    sql`(select source_kind || ' ' || source_key from asset_observations o where o.id = ${sql.ref(side)})`
  return ctx.db.all(sql`
    select type, value, why::text, null as score from asset_shared_values
    union all select least(${name('a')}, ${name('b')}), greatest(${name('a')}, ${name('b')}), (veto is null)::text, score::text
      from asset_candidates order by 1, 2`)
}

const byFirst = ([x = '']: string[], [y = '']: string[]): number => (x < y ? -1 : 1)

async function wholeTruth(ctx: Ctx): Promise<string[][]> {
  const assets = await ctx.db.all<{ id: string }>(sql`select id from assets`)
  const observed = await observedOfAssets(
    ctx,
    assets.map(({ id }) => id),
  )
  const matchRecords = observed.map((each) => matchRecordOf(each))
  const constraints = await ctx.db.all<Constraint>(sql`select kind, a, b from asset_constraints`)
  const clusters = cluster({ matchRecords, constraints, shared: new Set(allShared(matchRecords).keys()) })
  const nameOf = new Map(observed.map((each) => [each.id, `${each.source.kind} ${each.sourceKey}`]))
  return clusters
    .map(({ members }) => members.map(({ id }) => nameOf.get(id) ?? '').toSorted())
    .toSorted(byFirst)
}

test('any order and any batches of the same observations give the same inventory, the one that all of them give at once', async () => {
  const { newTenant } = await testApp()
  await fc.assert(
    fc.asyncProperty(history, async ({ reports, other, cuts, otherCuts }) => {
      const [here, there] = [await newTenant(), await newTenant()]
      for (const { source, observations } of batchesOf(reports, cuts))
        await submit(here, source, observations)
      for (const { source, observations } of batchesOf(other, otherCuts))
        await submit(there, source, observations)
      const found = await inventory(here)
      expect(await inventory(there)).toEqual(found)
      expect(found.map((asset) => (asset as { keys: string[] }).keys).toSorted(byFirst)).toEqual(
        await wholeTruth(here),
      )
      expect(await doubts(there)).toEqual(await doubts(here))
      const [count] = await here.db.all<{ n: number }>(sql`select sum(n)::int as n from asset_counts`)
      expect(count?.n).toBe(found.length)
      const kept = sql`select source_id, n from asset_observation_counts order by source_id`
      const plain = sql`select source_id, count(*) as n from asset_observations group by source_id order by source_id`
      expect(await here.db.all(kept)).toEqual(await here.db.all(plain))
    }),
    { numRuns: Number(process.env['RUNS'] ?? 60) },
  )
})

const step = fc.oneof(
  { weight: 3, arbitrary: report.map((it) => ({ kind: 'arrive' as const, it })) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(20), fc.nat(20)).map((it) => ({ kind: 'merge' as const, it })) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(20), fc.nat(20)).map((it) => ({ kind: 'unlink' as const, it })) },
)

/** Does what can be done: nothing where there are no two assets or observations. */
async function take(
  ctx: Ctx,
  { kind, it }: { kind: string; it: readonly [unknown, unknown] },
): Promise<void> {
  const [one, other] = it as [number, number]
  const assets = await assetsOf(ctx)
  const asset = assets[one % assets.length]
  const second = assets[other % assets.length]
  if (kind === 'arrive') {
    const [source, seen] = it as [string, Observation]
    await submit(ctx, { kind: source, name: source }, [{ ...seen, sourceKey: `${source}${seen.sourceKey}` }])
  }
  if (kind === 'merge' && asset && second && asset !== second) {
    await mergeAssets(ctx, { assetIdA: asset.id, assetIdB: second.id, reason: '' })
  }
  if (kind === 'unlink' && asset && asset.keys.length > 1) {
    const id = (await observationIds(ctx))[asset.keys[other % asset.keys.length] ?? ''] ?? ''
    const made = await unlinkObservations(ctx, { assetId: asset.id, observationIds: [id], reason: '' })
    if (made.some((each) => each.id === asset.id)) throw new Error('nothing left')
  }
}

test('whatever people join and separate in between, the inventory is what all observations and all that was said give', async () => {
  const { newTenant } = await testApp()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const ctx = await newTenant()
      for (const each of steps) await take(ctx, each)
      const found = (await inventory(ctx))
        .map((asset) => (asset as { keys: string[] }).keys)
        .toSorted(byFirst)
      expect(found).toEqual(await wholeTruth(ctx))
    }),
    { numRuns: Number(process.env['RUNS'] ?? 100) },
  )
})
