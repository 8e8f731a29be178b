import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { csv, eventsOf, seen, sweep, typesOf } from '#features/assets/observations.fixture.ts'
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

test.each(['name', 'key'])('the %s of a source has up to 255 characters', async (field) => {
  const ctx = await tenant()
  expect(
    await refusedBeyond(255, (size) => submit(ctx, { ...csv, [field]: 'x'.repeat(size) }, [seen('1', {})])),
  ).toBe(`source.${field}`)
})
