import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { recordedIn } from '../../../../bench/requests/recorded-statements.ts'
import { archiveAsset, deleteAsset, listAssets, reviveAsset } from '../assets.ts'
import type { Observation } from '../observation.ts'
import { countAges } from './overview-store.ts'
import { getOverview } from './overview.ts'

const DAY_MS = 86_400_000
const NOW = new Date(Date.UTC(2026, 4, 1))
const CSV = { kind: 'csv', name: 'list' }
const SWEEP = { kind: 'sweep', name: 'net' }

const home = sharedTestApp()
let ctx: Ctx

const ago = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS)

const thing = (name: string, days: number): Observation => ({
  sourceKey: name,
  seenAt: ago(days),
  assetType: name.startsWith('vm') ? 'virtual_machine' : 'device',
  identifiers: [
    { type: 'hostname', value: name },
    { type: 'serial', value: `SN-${name}-7F3` },
  ],
})

beforeAll(async () => {
  ctx = { ...(await home().newTenant()), now: () => NOW }
})

const idOf = async (name: string): Promise<string> =>
  (await listAssets(ctx, { limit: 1, offset: 0 }, { search: name })).items[0]?.id ?? ''

const sources = async () => {
  const { bySource } = await getOverview(ctx)
  return ['csv', 'sweep']
    .flatMap((kind) => bySource.filter((it) => it.kind === kind))
    .map(({ kind, count }) => [kind, count])
}

test('the observations of each source follow what comes, is archived, revived and deleted', async () => {
  await submit(ctx, CSV, [thing('host-1', 1), thing('host-2', 1), thing('host-3', 1)])
  await submit(ctx, SWEEP, [thing('host-1', 0), thing('vm-4', 0)])
  await submit(ctx, CSV, [thing('host-1', 0)])
  expect(await sources()).toEqual([
    ['csv', 3],
    ['sweep', 2],
  ])
  await archiveAsset(ctx, await idOf('host-2'))
  const archived = await idOf('vm-4')
  await archiveAsset(ctx, archived)
  expect(await sources()).toEqual([
    ['csv', 2],
    ['sweep', 1],
  ])
  await reviveAsset(ctx, archived)
  await deleteAsset(ctx, await idOf('host-1'))
  expect(await sources()).toEqual([
    ['csv', 1],
    ['sweep', 1],
  ])
  await deleteAsset(ctx, archived)
  expect(await sources()).toEqual([['csv', 1]])
})

test('no count of the overview reads the observations of living assets', async () => {
  const statements = await recordedIn(ctx, getOverview)
  const reading = statements.filter(({ text }) => text.includes('asset_observations o'))
  expect(
    reading.map(({ text }) => /where a\.tenant_id = \$\d+ and a\.archived_at is not null/.test(text)),
  ).toEqual([true])
})

test.each([
  ['nothing', []],
  ['all seen lately', [0, 0.5, 0.9, 0.2, 0.1, 0.3]],
  ['all seen long ago', [40, 50, 60, 70, 31, 32]],
  ['some in each class', [0, 0.5, 1, 2, 6.9, 7, 8, 13, 14, 15, 29.9, 30, 31, 90]],
])('ages are counted from whichever side is shorter: %s', async (_, days) => {
  const here = { ...(await home().newTenant()), now: () => NOW }
  const all = days.map((each, n) => thing(`${n % 2 === 0 ? 'vm' : 'host'}-${n}`, each))
  if (all.length > 0) await submit(here, CSV, all)
  const instants = [1, 7, 14, 30].map(ago)
  const since = (instant: Date) => days.filter((each) => ago(each) >= instant).length
  for (const few of [1, 2, 3, 5, 100]) {
    const counts = await countAges(here, { seenSince: instants, newSince: ago(7) }, few)
    expect(counts.seenSince).toEqual(instants.map(since))
    expect(counts.newSince).toBe(since(ago(7)))
    expect(counts.byType.reduce((sum, { count }) => sum + count, 0)).toBe(days.length)
  }
})

test('where many were seen lately, they are not counted', async () => {
  const here = { ...(await home().newTenant()), now: () => NOW }
  await submit(
    here,
    CSV,
    Array.from({ length: 60 }, (_, n) => thing(`host-${n}`, n < 58 ? 0 : 45)),
  )
  // the total says more than there are: only what is left over shows it
  await here.db.run(sql`update asset_counts set n = n + 7 where tenant_id = ${here.tenantId}`)
  expect((await countAges(here, { seenSince: [ago(1), ago(30)], newSince: ago(7) }, 10)).seenSince).toEqual([
    65, 65,
  ])
  expect((await countAges(here, { seenSince: [ago(1), ago(30)], newSince: ago(7) }, 100)).seenSince).toEqual([
    58, 58,
  ])
})
