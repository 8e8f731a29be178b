import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { archiveAsset } from '#features/assets/archive/archive.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { setCustomField } from '#features/assets/editing/custom-values.ts'
import { mergeAssets, unlinkObservations } from '#features/assets/editing/merge-and-unlink.ts'
import { deleteAsset } from '#features/assets/assets.ts'
import { agent, assetsOf, csv, seen } from '#features/assets/observations.fixture.ts'
import { createPlace, setRecords } from '#features/records/records.ts'
import { submit } from '#features/sources/sources.ts'
import { createFindings } from '#features/vulnerabilities/findings.fixture.ts'
import { setAssetWeight } from '#features/vulnerabilities/vulnerabilities.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { Change } from './change.ts'
import {
  addChanges,
  countChanges,
  listChangedAssets,
  listChangers,
  listChanges,
  removeOldChanges,
  type ChangeQuery,
} from './changes.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeEach(async () => {
  ctx = await shared().newTenant()
})

const PAGE = { limit: 1_000, offset: 0 }
const all = async (query: ChangeQuery = {}): Promise<readonly Change[]> =>
  (await listChanges(ctx, PAGE, query)).items
const line = ({ kind, assetName, subject, before, after }: Change) =>
  [kind, assetName, subject, JSON.stringify(before), JSON.stringify(after)].join(' ')
const lines = async (query?: ChangeQuery) => (await all(query)).map(line)
const idOf = async (name: string) => (await assetsOf(ctx)).find((it) => it.name === name)?.id ?? ''

test('the life of an asset: appeared, other values, archived, seen again, deleted', async () => {
  await submit(ctx, csv, [seen('1', { hostname: 'web-1' }, { os: 'Debian 11', tags: ['b'] })])
  const { next } = await listChanges(ctx, PAGE, {})
  expect(await lines()).toEqual(['asset_appeared web-1  null null', 'source_connected  list null "csv"'])
  await submit(ctx, csv, [seen('1', { hostname: 'web-1' }, { os: 'Debian 12', tags: ['b', 'a'], minute: 1 })])
  expect(await lines({ after: next })).toEqual([
    'field_changed web-1 os "Debian 11" "Debian 12"',
    'field_changed web-1 tag ["b"] ["a","b"]',
  ])
  const id = await idOf('web-1')
  await archiveAsset(ctx, id)
  await submit(ctx, csv, [
    {
      ...seen('1', { hostname: 'web-1' }, { os: 'Debian 12', tags: ['b', 'a'] }),
      seenAt: new Date(Date.now() + 1_000),
    },
  ])
  await deleteAsset(ctx, id)
  expect((await all({ assetId: id })).map(({ kind }) => kind)).toEqual([
    'asset_appeared',
    'field_changed',
    'field_changed',
    'asset_archived',
    'asset_revived',
    'asset_deleted',
  ])
})

test('merging and splitting name the other asset', async () => {
  await submit(ctx, csv, [
    seen('1', { serial: 'A' }, { name: 'one' }),
    seen('2', { serial: 'B' }, { name: 'two', minute: 1 }),
  ])
  const [one, two] = [await idOf('one'), await idOf('two')]
  const { next } = await listChanges(ctx, PAGE, {})
  const survivor = await mergeAssets(ctx, { assetIdA: one, assetIdB: two, reason: '' })
  const gone = survivor.id === one ? two : one
  expect(await all({ after: next, kinds: ['asset_merged'] })).toMatchObject([
    { assetId: survivor.id, relatedId: gone },
  ])
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from asset_observations where tenant_id = ${ctx.tenantId} and source_key = ${gone === two ? '2' : '1'}`)
  await unlinkObservations(ctx, {
    assetId: survivor.id,
    observationIds: rows.map(({ id }) => id),
    reason: '',
  })
  expect(await all({ kinds: ['asset_split'] })).toMatchObject([{ assetId: gone, relatedId: survivor.id }])
})

test('what people say: records, places by their names, custom fields, weights', async () => {
  await submit(ctx, csv, [seen('1', { serial: 'A' }, { name: 'one' })])
  const id = await idOf('one')
  const { next } = await listChanges(ctx, PAGE, {})
  const oslo = await createPlace(ctx, { name: 'Oslo', kind: 'site' })
  await setRecords(ctx, { assetIds: [id], values: { owner: 'Ops', placeId: oslo.id } })
  await setRecords(ctx, { assetIds: [id], values: { owner: null } })
  const field = await defineCustomField(ctx, { name: 'Rack', kind: 'text' })
  await setCustomField(ctx, { assetId: id, fieldId: field.id, value: 'R1' })
  await setAssetWeight(ctx, { assetId: id, criticality: 'high', exposure: 'unknown' })
  expect(await lines({ after: next })).toEqual([
    'field_changed one owner null "Ops"',
    'field_changed one site null "Oslo"',
    'field_changed one owner "Ops" null',
    'field_changed one custom_field:Rack null "R1"',
    'field_changed one criticality "normal" "high"',
  ])
})

test('software and findings', async () => {
  const tell = (minute: number, ...items: [string, string][]) =>
    submit(ctx, agent, [
      seen(
        '1',
        { serial: 'A' },
        {
          name: 'one',
          minute,
          software: {
            complete: ['dpkg'],
            items: items.map(([name, version]) => ({ origin: 'dpkg', name, version, arch: 'amd64' })),
          },
        },
      ),
    ])
  await tell(1, ['bash', '5.1'], ['zsh', '5.9'])
  const { next } = await listChanges(ctx, PAGE, {})
  await tell(2, ['bash', '5.2'], ['vim', '9'])
  expect((await lines({ after: next })).toSorted()).toEqual([
    'software_installed one vim null "9"',
    'software_removed one zsh "5.9" null',
    'software_updated one bash "5.1" "5.2"',
  ])
  await createFindings(ctx, [{ cveId: 'CVE-2024-3094' }])
  expect(await all({ kinds: ['finding_opened'] })).toMatchObject([
    { subject: 'CVE-2024-3094', after: 'open' },
  ])
})

test('who goes on behind the last page misses nothing, in whatever order transactions are committed', async () => {
  const add = (subject: string, until?: Promise<void>) =>
    atomically(ctx, async (inner) => {
      addChanges(inner, [{ kind: 'source_connected', subject }])
      // holds its transaction open until the other one has been committed and read
      await inner.db.all(sql`select 1`)
      await until
    })
  const { promise: isRead, resolve } = Promise.withResolvers<void>()
  const late = add('late', isRead)
  await add('early')
  const first = await listChanges(ctx, PAGE, {})
  expect(first.items.map(({ subject }) => subject)).toEqual(['early'])
  resolve()
  await late
  const second = await listChanges(ctx, PAGE, { after: first.next })
  expect(second.items.map(({ subject }) => subject)).toEqual(['late'])
})

test('eight writers at once, and a reader that pages meanwhile: each change once, in order', async () => {
  const WRITERS = 8
  const EACH = 12
  const writers = Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; n < EACH; n += 1)
        await atomically(ctx, async (inner) => {
          addChanges(inner, [{ kind: 'source_connected', subject: `${writer} ${n}` }])
          await inner.db.all(sql`select 1`)
        })
    }),
  )
  const read: string[] = []
  let [after, isDone] = [0, false]
  const end = writers.then(() => (isDone = true))
  for (;;) {
    const wasDone = isDone
    const { items, next } = await listChanges(ctx, { limit: 7, offset: 0 }, { after })
    read.push(...items.map(({ subject }) => subject))
    after = next
    if (wasDone && items.length === 0) break
  }
  await end
  expect(read).toHaveLength(WRITERS * EACH)
  expect(new Set(read).size).toBe(WRITERS * EACH)
})

test('a change that is rolled back leaves no change; counts by day and kind; conditions on the asset', async () => {
  await submit(ctx, csv, [
    seen('1', { serial: 'A' }, { name: 'one', os: 'Debian' }),
    seen('2', { serial: 'B' }, { name: 'two', os: 'Windows 11' }),
  ])
  const failed = atomically(ctx, (inner) => {
    addChanges(inner, [{ kind: 'asset_appeared', subject: 'never' }])
    throw new Error('undone')
  })
  await expect(failed).rejects.toThrow('undone')
  const day = new Date().toISOString().slice(0, 10)
  expect(await countChanges(ctx, { since: '-1d' })).toEqual([
    { day, kind: 'asset_appeared', count: 2 },
    { day, kind: 'source_connected', count: 1 },
  ])
  await archiveAsset(ctx, await idOf('one'))
  expect(await lines({ where: 'os:debian' })).toEqual([
    'asset_appeared one  null null',
    'asset_archived one  null null',
  ])
  expect(await countChanges(ctx, { where: 'os:windows' })).toEqual([
    { day, kind: 'asset_appeared', count: 1 },
  ])
})

test('kinds that the reader may not read are left out, and refused where they are asked for', async () => {
  await createFindings(ctx)
  const reader: Ctx = { ...ctx, actor: { ...ctx.actor, may: (permission) => permission === 'assets:read' } }
  const { items } = await listChanges(reader, PAGE, {})
  expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['asset_appeared']))
  await expect(listChanges(reader, PAGE, { kinds: ['finding_opened'] })).rejects.toThrow(
    'vulnerabilities:read',
  )
})

test('after the retention they are removed, and who asks for them is told', async () => {
  await submit(ctx, csv, [seen('1', { serial: 'A' }), seen('2', { serial: 'B' })])
  await ctx.db.run(sql`
    update asset_changes set at = at - interval '91 days' where tenant_id = ${ctx.tenantId} and position <= 2`)
  await removeOldChanges({ ...shared().runtime.system, now: () => new Date() })
  expect((await all()).map(({ position }) => position)).toEqual([3])
  await expect(listChanges(ctx, PAGE, { after: 1 })).rejects.toThrow('after: changes behind it were removed')
  expect((await listChanges(ctx, PAGE, { after: 2 })).items).toHaveLength(1)
})

test('assets that changed, each with what and how much, the latest changed first', async () => {
  await submit(ctx, csv, [
    seen('1', { hostname: 'web-1' }, { os: 'Debian 11' }),
    seen('2', { hostname: 'web-2' }, { os: 'Debian 11' }),
  ])
  await submit(ctx, csv, [seen('1', { hostname: 'web-1' }, { os: 'Debian 12', tags: ['a'], minute: 1 })])
  await archiveAsset(ctx, await idOf('web-2'))
  await deleteAsset(ctx, await idOf('web-2'))
  const { items, total } = await listChangedAssets(ctx, PAGE, {})
  expect(total).toBe(3)
  expect(items.map(({ assetName, assetType, total }) => [assetName, assetType === null, total])).toEqual([
    ['web-2', true, 3],
    ['web-1', false, 3],
    ['', true, 1],
  ])
  expect(items[1]).toMatchObject({
    fields: ['os', 'tag'],
    counts: [
      { kind: 'field_changed', count: 2 },
      { kind: 'asset_appeared', count: 1 },
    ],
  })
  const second = await listChangedAssets(ctx, { limit: 1, offset: 1 }, {})
  expect([second.total, second.items[0]?.assetName]).toEqual([3, 'web-1'])
  expect((await listChangedAssets(ctx, PAGE, { where: 'os = "Debian 12"' })).items).toHaveLength(1)
})

test('changes until an instant, by one person, and by people or the system alone', async () => {
  const person = {
    ...ctx,
    actor: { kind: 'user', id: crypto.randomUUID(), name: 'ann@example.org', may: () => true },
  } satisfies Ctx
  await submit(ctx, csv, [seen('1', { hostname: 'web-1' })])
  await archiveAsset(person, await idOf('web-1'))
  await ctx.db.run(sql`
    update asset_changes set at = at - interval '1 hour' where tenant_id = ${ctx.tenantId} and kind = 'asset_appeared'`)
  const written = await all()
  expect(await lines({ until: '-1h' })).toEqual(['asset_appeared web-1  null null'])
  expect(await all({ until: new Date().toISOString().slice(0, 10) })).toHaveLength(written.length)
  expect((await all({ changedBy: 'ann@example.org' })).map(({ kind }) => kind)).toEqual(['asset_archived'])
  expect((await all({ bySystem: false })).map(({ changedBy }) => changedBy)).toContain('ann@example.org')
  expect(await listChangers(person, { kinds: ['asset_archived'] })).toEqual([
    { changedBy: 'ann@example.org', count: 1 },
  ])
  for (const zone of ['Mars/Olympus', '+01:00', '-0530', ''])
    await expect(countChanges(ctx, {}, zone)).rejects.toThrow(`zone: ${zone}`)
  expect(await countChanges(ctx, {}, 'Etc/GMT+1')).toEqual(expect.any(Array))
  await expect(listChanges(ctx, PAGE, { until: 'soon' })).rejects.toThrow('until: must be a day')
})
