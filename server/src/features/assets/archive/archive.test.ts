import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import { countAssets, deleteAsset, getAsset, listAssets } from '../assets.ts'
import { mergeAssets } from '../editing/merge-and-unlink.ts'
import { addTags, listTags } from '../editing/tags.ts'
import { queryAssets } from '../listing/filter-and-sort.ts'
import { getOverview } from '../listing/overview.ts'
import { archiveAsset, reviveAsset } from './archive.ts'
import { archiveUnseen, listArchiveRules, previewArchiveRules, setArchiveRules } from './archive-rules.ts'

const shared = sharedTestApp()
const page = { limit: 50, offset: 0 }
const DAY_MS = 86_400_000

/** `attempt` makes the content another one, so that the intake does more than to note the time. */
async function sighted(
  ctx: Ctx,
  names: readonly string[],
  { at = new Date(), kind = 'sweep', attempt = 0 } = {},
): Promise<void> {
  await submit(
    ctx,
    { kind, name: 'test' },
    names.map((name) => ({
      sourceKey: name,
      seenAt: at,
      assetType: 'device' as const,
      name,
      facts: { attempt },
      identifiers: [
        { type: 'serial' as const, value: `serial-${name}` },
        { type: 'hostname' as const, value: name },
      ],
    })),
  )
}

async function idOf(ctx: Ctx, name: string): Promise<string> {
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and name = ${name}`)
  return id
}

const namesOf = async (list: Promise<{ items: readonly { name: string }[]; total: number }>) => {
  const { items, total } = await list
  return { names: items.map(({ name }) => name).sort(), total }
}

const countedByType = (ctx: Ctx) =>
  ctx.db.one(sql<{ counted: number; there: number }>`
    select (select coalesce(sum(n), 0)::int from asset_counts where tenant_id = ${ctx.tenantId}) as counted,
      (select count(*)::int from assets where tenant_id = ${ctx.tenantId} and archived_at is null) as there`)

const eventsOf = (ctx: Ctx) =>
  ctx.db.all(sql<{ type: string }>`select type from events where tenant_id = ${ctx.tenantId} order by type`)

const auditOf = async (ctx: Ctx, action: string) =>
  (await searchAudit(ctx, { limit: 50, offset: 0, action })).items

test('an archived asset leaves every list, search, export and count, and is still found by its id', async () => {
  const app = shared()
  const ctx = await app.newTenant()
  await sighted(ctx, ['alpha-1', 'alpha-2'])
  const id = await idOf(ctx, 'alpha-1')
  await addTags(ctx, { assetIds: [id], tags: ['lab'] })
  const events = await eventsOf(ctx)

  const archived = await archiveAsset(ctx, id)

  expect(archived).toMatchObject({
    name: 'alpha-1',
    archivedAt: expect.any(String),
    archivedBy: expect.any(String),
  })
  const left = { names: ['alpha-2'], total: 1 }
  expect(await namesOf(listAssets(ctx, page))).toEqual(left)
  expect(await namesOf(listAssets(ctx, page, { type: 'device' }))).toEqual(left)
  expect(await namesOf(listAssets(ctx, page, { search: 'alpha' }))).toEqual(left)
  expect(await namesOf(listAssets(ctx, page, { search: 'alpha', type: 'device' }))).toEqual(left)
  expect(await namesOf(queryAssets(ctx, page, { search: 'alpha' }))).toEqual(left)
  expect(await namesOf(queryAssets(ctx, page, { tag: 'lab' }))).toEqual({ names: [], total: 0 })
  expect(await namesOf(queryAssets(ctx, page, { sort: 'name' }))).toEqual(left)
  expect(await namesOf(listAssets(ctx, page, { where: 'name:alpha' }))).toEqual(left)
  const found = { names: ['alpha-1'], total: 1 }
  expect(await namesOf(listAssets(ctx, page, { where: 'archived = yes' }))).toEqual(found)
  expect(await namesOf(listAssets(ctx, page, { where: 'archived in (yes, no)' }))).toMatchObject({ total: 2 })
  expect(await namesOf(queryAssets(ctx, page, { archived: true }))).toEqual(found)
  expect(await namesOf(queryAssets(ctx, page, { archived: true, search: 'ALPHA', tag: 'lab' }))).toEqual(
    found,
  )
  expect(await countAssets(ctx)).toBe(1)
  expect(await getOverview(ctx)).toMatchObject({ total: 1, newThisWeek: 1, bySource: [{ count: 1 }] })
  expect(await listTags(ctx, { limit: 9 })).toEqual([])
  expect(await getAsset(ctx, id)).toMatchObject({ id, name: 'alpha-1' })
  const rest = app.as(await app.key(ctx))
  expect((await rest.get(`/assets/${id}`)).body).toMatchObject({ id })
  expect((await rest.get('/assets')).headers['x-total-count']).toBe('1')
  expect((await rest.get('/assets/export?format=csv')).text).not.toContain('alpha-1')
  expect(await eventsOf(ctx)).toEqual(
    [...events, { type: 'EXPORT_COMPLETED' }].sort((a, b) => (a.type < b.type ? -1 : 1)),
  )
})

test('a person revives it; doing it twice changes nothing, and both are in the log once', async () => {
  const ctx = await shared().newTenant()
  await sighted(ctx, ['beta'])
  const id = await idOf(ctx, 'beta')
  const first = await archiveAsset(ctx, id)
  expect(await archiveAsset(ctx, id)).toEqual(first)
  await reviveAsset(ctx, id)
  expect(await reviveAsset(ctx, id)).toMatchObject({ archivedAt: null, archivedBy: null })
  expect(await countedByType(ctx)).toEqual({ counted: 1, there: 1 })
  expect(await auditOf(ctx, 'asset.archived')).toMatchObject([{ subject: { id }, details: { name: 'beta' } }])
  expect(await auditOf(ctx, 'asset.revived')).toHaveLength(1)
})

test.each([
  ['with nothing new', 0],
  ['with something new', 1],
])('a sighting %s revives it, without an event of its own', async (_, attempt) => {
  const ctx = await shared().newTenant()
  await sighted(ctx, ['gamma', 'delta'])
  await archiveAsset(ctx, await idOf(ctx, 'gamma'))
  const events = await eventsOf(ctx)
  await sighted(ctx, ['gamma', 'delta'], { attempt, at: new Date(Date.now() + 1_000) })
  expect(await namesOf(listAssets(ctx, page))).toEqual({ names: ['delta', 'gamma'], total: 2 })
  expect(await countedByType(ctx)).toEqual({ counted: 2, there: 2 })
  expect(await eventsOf(ctx)).toEqual(events)
  expect(await auditOf(ctx, 'asset.revived')).toMatchObject([{ details: { name: 'gamma', by: 'sighting' } }])
})

test.each([0, 1])('a report of the time before it was archived does not revive it (%s)', async (attempt) => {
  const ctx = await shared().newTenant()
  await sighted(ctx, ['late'], { at: new Date(Date.now() - 5_000) })
  await archiveAsset(ctx, await idOf(ctx, 'late'))
  await sighted(ctx, ['late'], { attempt, at: new Date(Date.now() - 2_000) })
  expect(await countedByType(ctx)).toEqual({ counted: 0, there: 0 })
})

test('counts stay exact when an archived asset is edited, merged or deleted', async () => {
  const ctx = await shared().newTenant()
  await sighted(ctx, ['one', 'two', 'three'])
  const ids = await Promise.all(['one', 'two', 'three'].map((name) => idOf(ctx, name)))
  await archiveAsset(ctx, ids[0] ?? '')
  await addTags(ctx, { assetIds: [ids[0] ?? ''], tags: ['x'] })
  expect(await countedByType(ctx)).toEqual({ counted: 2, there: 2 })
  const survivor = await mergeAssets(ctx, { assetIdA: ids[0] ?? '', assetIdB: ids[1] ?? '', reason: 'same' })
  expect(survivor).toMatchObject({ archivedAt: null })
  expect(await countedByType(ctx)).toEqual({ counted: 2, there: 2 })
  await archiveAsset(ctx, ids[2] ?? '')
  await deleteAsset(ctx, ids[2] ?? '')
  expect(await countedByType(ctx)).toEqual({ counted: 1, there: 1 })
})

test('a rule archives what every source has left unseen, and counts from a revival by a person', async () => {
  const ctx = await shared().newTenant()
  const ago = (days: number) => ({ at: new Date(Date.now() - days * DAY_MS) })
  await sighted(ctx, ['old'], ago(40))
  await sighted(ctx, ['revived'], ago(40))
  await sighted(ctx, ['recent'], ago(5))
  await sighted(ctx, ['listed'], { ...ago(40), kind: 'csv' })
  await sighted(ctx, ['both'], ago(40))
  await sighted(ctx, ['both'], { ...ago(40), kind: 'csv' })
  const id = await idOf(ctx, 'revived')
  await archiveAsset(ctx, id)
  await reviveAsset(ctx, id)
  const rules = [{ sourceKind: 'sweep', days: 30 }]

  expect(await previewArchiveRules(ctx, rules)).toBe(1)
  expect(await previewArchiveRules(ctx, [{ sourceKind: '', days: 30 }])).toBe(3)
  expect(await listArchiveRules(ctx)).toEqual([])
  await archiveUnseen(ctx)
  expect(await countAssets(ctx)).toBe(5)

  expect(await setArchiveRules(ctx, rules)).toEqual(rules)
  await archiveUnseen(ctx)
  expect(await namesOf(queryAssets(ctx, page, { archived: true }))).toEqual({ names: ['old'], total: 1 })
  expect(await getAsset(ctx, await idOf(ctx, 'old'))).toMatchObject({ archivedBy: 'rule' })
  expect(await auditOf(ctx, 'asset.archived')).toContainEqual(
    expect.objectContaining({ details: expect.objectContaining({ name: 'old', by: 'rule' }) }),
  )
})

test.each([
  [[{ sourceKind: 'sweep', days: 0 }], 'days'],
  [[{ sourceKind: 'sweep', days: 1.5 }], 'days'],
  [[{ sourceKind: 'SWEEP; drop', days: 3 }], 'sourceKind'],
  [
    [
      { sourceKind: 'sweep', days: 3 },
      { sourceKind: 'sweep', days: 4 },
    ],
    'rules',
  ],
])('refuses the rules %j', async (rules, field) => {
  const ctx = await shared().newTenant()
  await expect(setArchiveRules(ctx, rules)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(field),
  })
})

test.each<[string, number, (size: number) => Parameters<typeof setArchiveRules>[1]]>([
  ['days', 3_650, (n) => [{ sourceKind: 'sweep', days: n }]],
  ['rules', 100, (n) => Array.from({ length: n }, (_, at) => ({ sourceKind: `kind-${at}`, days: 3_650 }))],
])('%s of archive rules go to %i, and no further', async (field, most, rules) => {
  const ctx = await shared().newTenant()
  expect(await refusedBeyond(most, (size) => setArchiveRules(ctx, rules(size)))).toBe(field)
})
