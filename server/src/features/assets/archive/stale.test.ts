import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { countAssets, listAssets } from '../assets.ts'
import { mergeAssets } from '../editing/merge-and-unlink.ts'
import { addTags } from '../editing/tags.ts'
import { archiveAsset, reviveAsset } from './archive.ts'
import { enqueueStaleJobs, noteStale } from './stale.ts'

const shared = sharedTestApp()
const page = { limit: 50, offset: 0 }
const DAY_MS = 86_400_000

interface Sighting {
  readonly name: string
  readonly kind: string
  readonly daysAgo: number
  /** Other content, so that the intake does more than to note the time. */
  readonly attempt?: number
}

const sighted = (ctx: Ctx, { name, kind, daysAgo, attempt = 0 }: Sighting) =>
  submit(ctx, { kind, name: kind }, [
    {
      sourceKey: name,
      seenAt: new Date(ctx.now().getTime() - daysAgo * DAY_MS),
      assetType: 'device',
      name,
      facts: { attempt },
      identifiers: [{ type: 'serial', value: `serial-${name}` }],
    },
  ])

const found = async (ctx: Ctx, where: string) =>
  (await listAssets(ctx, page, { where })).items.map(({ name }) => name).toSorted()
const idOf = async (ctx: Ctx, name: string) =>
  (await listAssets(ctx, page, { where: `name = ${name}` })).items[0]?.id ?? ''

const jobsOf = async (ctx: Ctx) =>
  (await ctx.db.all(sql<{ name: string }>`select name from jobs where tenant_id = ${ctx.tenantId}`)).map(
    ({ name }) => name,
  )

test('stale is what the best of its sources has not seen for three times its cadence, or 30 days', async () => {
  const ctx = await shared().newTenant()
  for (const [name, kind, daysAgo] of [
    ['daily-2', 'glpi', 2],
    ['daily-4', 'glpi', 4],
    ['agent-1', 'agent', 1],
    ['agent-4', 'agent', 4],
    ['weekly-8', 'sweep', 8],
    ['sweep-31', 'sweep', 31],
    ['typed-400', 'manual', 400],
  ] as const)
    await sighted(ctx, { name, kind, daysAgo })
  // the agent is the best source, and any sighting is one
  await sighted(ctx, { name: 'both-4', kind: 'agent', daysAgo: 9 })
  await sighted(ctx, { name: 'both-4', kind: 'sweep', daysAgo: 4 })
  await sighted(ctx, { name: 'both-2', kind: 'agent', daysAgo: 9 })
  await sighted(ctx, { name: 'both-2', kind: 'sweep', daysAgo: 2 })
  expect(await found(ctx, 'stale = yes')).toEqual([])
  await noteStale(ctx)
  expect(await found(ctx, 'stale = yes')).toEqual(['agent-4', 'both-4', 'daily-4', 'sweep-31'])
  expect(await found(ctx, 'stale = no')).toEqual(['agent-1', 'both-2', 'daily-2', 'typed-400', 'weekly-8'])
  expect(await countAssets(ctx)).toBe(9)
  expect((await listAssets(ctx, page)).items.filter(({ staleSince }) => staleSince !== null)).toHaveLength(4)
})

test.each([
  ['the same content', 0],
  ['other content', 1],
])('a sighting with %s ends it at once; one that is itself too old does not', async (_, attempt) => {
  const ctx = await shared().newTenant()
  await sighted(ctx, { name: 'lost', kind: 'glpi', daysAgo: 9 })
  await noteStale(ctx)
  await sighted(ctx, { name: 'lost', kind: 'glpi', daysAgo: 5, attempt })
  expect(await found(ctx, 'stale = yes')).toEqual(['lost'])
  await addTags(ctx, { assetIds: [await idOf(ctx, 'lost')], tags: ['x'] })
  expect(await found(ctx, 'stale = yes')).toEqual(['lost'])
  await sighted(ctx, { name: 'lost', kind: 'glpi', daysAgo: 0, attempt })
  expect(await found(ctx, 'stale = yes')).toEqual([])
})

test('a person who revives one ends it, and it counts from then', async () => {
  const ctx = await shared().newTenant()
  await sighted(ctx, { name: 'back', kind: 'glpi', daysAgo: 9 })
  await noteStale(ctx)
  const id = await idOf(ctx, 'back')
  await archiveAsset(ctx, id)
  await reviveAsset(ctx, id)
  await noteStale(ctx)
  expect(await found(ctx, 'stale = yes')).toEqual([])
  const later = new Date(ctx.now().getTime() + 4 * DAY_MS)
  await noteStale({ ...ctx, now: () => later })
  expect(await found(ctx, 'stale = yes')).toEqual(['back'])
})

test('merged with one that was seen, it is not stale any more', async () => {
  const ctx = await shared().newTenant()
  await sighted(ctx, { name: 'older', kind: 'glpi', daysAgo: 9 })
  await sighted(ctx, { name: 'newer', kind: 'sweep', daysAgo: 0 })
  await noteStale(ctx)
  const [assetIdA, assetIdB] = [await idOf(ctx, 'older'), await idOf(ctx, 'newer')]
  await mergeAssets(ctx, { assetIdA, assetIdB, reason: 'same' })
  expect(await found(ctx, 'stale = yes')).toEqual([])
})

test('tenants with nothing overdue get no job', async () => {
  const [quiet, busy] = [await shared().newTenant(), await shared().newTenant()]
  await sighted(quiet, { name: 'seen', kind: 'glpi', daysAgo: 1 })
  await sighted(busy, { name: 'unseen', kind: 'glpi', daysAgo: 4 })
  await enqueueStaleJobs(shared().runtime.system)
  expect(await jobsOf(quiet)).not.toContain('assets.noteStale')
  expect(await jobsOf(busy)).toContain('assets.noteStale')
})

test('of more assets than one transaction marks, each is marked once', async () => {
  const ctx = await shared().newTenant()
  const seenAt = new Date(ctx.now().getTime() - 40 * DAY_MS)
  const observations = Array.from({ length: 1_001 }, (_, at) => ({
    sourceKey: `${at}`,
    seenAt,
    assetType: 'device' as const,
    name: `host-${at}`,
    identifiers: [{ type: 'serial' as const, value: `overdue-${at}` }],
  }))
  for (const some of [observations.slice(0, 600), observations.slice(600)])
    await submit(ctx, { kind: 'sweep', name: 'sweep' }, some)
  await noteStale(ctx)
  const { total } = await listAssets(ctx, page, { where: 'stale = yes' })
  expect(total).toBe(1_001)
})
