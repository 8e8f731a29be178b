import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { csv, eventsOf, seen, sweep, typesOf } from '#features/assets/observations.fixture.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import { renameJob, renameObservationsOfSources } from './renamed-sources.ts'
import { listSources, submit } from './sources.ts'

const tenant = async () => (await testApp()).newTenant()
const PAGE = { limit: 50, offset: 0 }

test('a source is announced once, with its first observation', async () => {
  const ctx = await tenant()
  await submit(ctx, csv, [])
  await submit(ctx, csv, [seen('', {})])
  expect([await typesOf(ctx), await listSources(ctx)]).toEqual([[], []])
  await submit(ctx, csv, [seen('1', {})])
  await submit(ctx, csv, [seen('2', {})])
  const [source] = await listSources(ctx)
  expect((await eventsOf(ctx)).filter(({ type }) => type === 'NEW_SOURCE')).toEqual([
    {
      type: 'NEW_SOURCE',
      source_id: source?.id,
      source_type: 'csv',
      name: 'list',
      connected_at: expect.stringMatching(/Z$/),
      tenant_id: ctx.tenantId,
    },
  ])
})

test('the same key of two sources is two observations', async () => {
  const ctx = await tenant()
  await submit(ctx, csv, [seen('1', {}, { name: 'one' })])
  expect(await submit(ctx, { ...csv, name: 'other' }, [seen('1', {}, { name: 'two' })])).toMatchObject({
    created: 1,
  })
  await submit(ctx, sweep, [seen('1', {}, { name: 'three' })])
  expect((await listSources(ctx)).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'csv list',
    'csv other',
    'sweep office',
  ])
  expect((await listAssets(ctx, PAGE)).total).toBe(3)
})

test.each([
  [{ kind: 'CSV', name: 'x' }, 'source.kind'],
  [{ kind: '', name: 'x' }, 'source.kind'],
  [{ kind: 'csv', name: '' }, 'source.name'],
  [{ kind: 'csv', name: 'a\0' }, 'source.name'],
  [{ kind: 'x'.repeat(33), name: 'x' }, 'source.kind'],
])('%j is no source', async (source, field) => {
  const ctx = await tenant()
  await expect(submit(ctx, source, [seen('1', {})])).rejects.toMatchObject({ status: 400, extras: { field } })
})

test('a batch has at most 1,000 observations and needs the permission', async () => {
  const ctx = await tenant()
  const many = Array.from({ length: 1_001 }, (_, index) => seen(String(index), {}))
  await expect(submit(ctx, csv, many)).rejects.toMatchObject({
    status: 400,
    extras: { field: 'observations' },
  })
  const reader = {
    ...ctx,
    actor: { ...ctx.actor, may: (permission: string) => permission === 'assets:read' },
  }
  await expect(submit(reader, csv, [])).rejects.toMatchObject({ status: 403 })
})

test('a renamed source is found by its new name alone, with all that it reported', async () => {
  const ctx = await tenant()
  const source = { kind: 'csv', key: 'k', name: 'Old' }
  await submit(ctx, source, [seen('1', { serial: 'PF0AAA11' }), seen('2', { serial: 'PF0BBB22' })])
  await submit(ctx, sweep, [seen('3', { serial: 'PF0CCC33' })])
  await submit(ctx, { ...source, name: 'New' }, [seen('1', { serial: 'PF0AAA11' })])
  const { jobs } = await ctx.db.one(sql<{ jobs: number }>`
    select count(*) as jobs from jobs where tenant_id = ${ctx.tenantId} and name = ${renameJob.name}`)
  expect(jobs).toBe(1)
  await renameObservationsOfSources(ctx)
  const totalOf = async (name: string) => (await listAssets(ctx, PAGE, { where: `source = ${name}` })).total
  expect([await totalOf('old'), await totalOf('new'), await totalOf('office')]).toEqual([0, 2, 1])
})

test('sightings that a deadlock undid are taken once more', async () => {
  const ctx = await tenant()
  await submit(ctx, csv, [seen('1', { serial: 'ONE-1111' }), seen('2', { serial: 'TWO-2222' })])
  const ids = (await listAssets(ctx, PAGE)).items.map(({ id }) => id).toSorted()
  const again = ['1', '2'].map((key, n) =>
    seen(key, { serial: ['ONE-1111', 'TWO-2222'][n] ?? '' }, { minute: 5 }),
  )
  const isWaiting = async () =>
    (
      await ctx.db.all(sql`
        select from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where a.datname = current_database() and not l.granted`)
    ).length > 0
  const score = (inner: Ctx, id: string | undefined) =>
    inner.db.run(sql`update assets set risk_score = 1 where tenant_id = ${ctx.tenantId} and id = ${id}`)
  let taking: ReturnType<typeof submit> | undefined
  // sightings lock in the order of ids and look first for who waits for whom
  await atomically(ctx, async (inner) => {
    await score(inner, ids[1])
    taking = submit(ctx, csv, again)
    await vi.waitUntil(isWaiting)
    await score(inner, ids[0])
  })
  expect(await taking).toMatchObject({ observed: 2, unchanged: 2 })
  expect((await listAssets(ctx, PAGE)).items.map(({ lastSeen }) => lastSeen)).toEqual(
    Array(2).fill('2026-01-05T08:05:00Z'),
  )
})

test.each(['name', 'key'])('the %s of a source has up to 255 characters', async (field) => {
  const ctx = await tenant()
  expect(
    await refusedBeyond(255, (size) => submit(ctx, { ...csv, [field]: 'x'.repeat(size) }, [seen('1', {})])),
  ).toBe(`source.${field}`)
})
