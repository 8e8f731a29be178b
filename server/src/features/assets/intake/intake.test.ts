import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listSources, submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import {
  agent,
  assetsOf,
  csv,
  eventsOf,
  later,
  MINUTE,
  seen,
  sweep,
  typesOf,
} from '../observations.fixture.ts'

const tenant = async () => (await testApp()).newTenant()
const laptop = { mac: '3c:2a:f4:02:34:5f', hostname: 'lap-7' }

describe('a batch', () => {
  test('makes assets, changes them, or moves their time', async () => {
    const ctx = await tenant()
    const [one, two] = [seen('1', laptop), seen('2', { hostname: 'web-2' })]
    const none = { created: 0, updated: 0, unchanged: 0, rejected: [] }
    expect(await submit(ctx, csv, [one, two])).toEqual({ ...none, observed: 2, created: 2 })
    expect(await submit(ctx, csv, [one, two])).toEqual({ ...none, observed: 2, unchanged: 2 })
    const changed = seen('2', { hostname: 'web-2' }, { minute: 1, os: 'Debian 13' })
    expect(await submit(ctx, csv, [one, changed])).toEqual({ ...none, observed: 2, unchanged: 1, updated: 1 })
    expect(await submit(ctx, sweep, [seen('10.0.0.7', laptop)])).toEqual({
      ...none,
      observed: 1,
      unchanged: 1,
    })
    expect(await assetsOf(ctx)).toMatchObject([{ keys: ['1', '10.0.0.7'] }, { keys: ['2'] }])
  })

  test('that holds one asset twice makes it once', async () => {
    const ctx = await tenant()
    const result = await submit(ctx, csv, [seen('1', laptop), seen('2', laptop), seen('1', laptop)])
    expect(result).toMatchObject({ observed: 3, created: 1, updated: 0, unchanged: 2 })
    expect(await assetsOf(ctx)).toHaveLength(1)
  })

  test('loses no good observation for a bad one', async () => {
    const ctx = await tenant()
    const bad = [
      seen('', laptop),
      seen('nul', {}, { name: 'a\0b' }),
      seen('escape', {}, { name: 'a\u001b[2Jb' }),
      seen('lines', {}, { vendor: 'a\nb' }),
      seen('host', { hostname: 'a\u009bb' }),
      seen('bell', {}, { tags: ['a\u0007'] }),
      seen('half', {}, { os: '\ud800' }),
      seen('long', {}, { model: 'x'.repeat(1_025) }),
      seen('future', {}, { seenAt: new Date(Date.now() + 6 * MINUTE) }),
      seen('never', {}, { seenAt: new Date(Number.NaN) }),
      seen('mac', { mac: 'zz' }),
      seen('ip', { ip: ['10.0.0.1', '10.0.0.256'] }),
      seen('tag', {}, { tags: ['ok', ''] }),
      seen('fact', {}, { facts: { banner: 'a\0' } }),
      seen('type', {}, { assetType: 'spaceship' as 'device' }),
    ]
    const result = await submit(ctx, csv, [...bad, seen('good', laptop, { model: 'x'.repeat(1_024) })])
    expect(result).toMatchObject({ observed: 1, created: 1 })
    expect(result.rejected.map(({ index, field }) => [index, field])).toEqual(
      [
        'sourceKey',
        'name',
        'name',
        'vendor',
        'identifiers[0].value',
        'tags[0]',
        'os',
        'model',
        'seenAt',
        'seenAt',
        'identifiers[0].value',
        'identifiers[1].value',
        'tags[1]',
        'facts',
        'assetType',
      ].map((field, index) => [index, field]),
    )
    expect(result.rejected.every(({ message }) => message.length > 5)).toBe(true)
  })

  test('an older report never overwrites a newer one', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [seen('1', laptop, { minute: 60, os: 'new' })])
    await submit(ctx, csv, [seen('1', laptop, { minute: 0, os: 'old' })])
    const row = await ctx.db.one(sql`select os, first_seen, last_seen from assets`)
    expect(row).toEqual({ os: 'new', first_seen: '2026-01-05T08:00:00Z', last_seen: '2026-01-05T09:00:00Z' })
  })
})

describe('what receivers are told', () => {
  test.each([
    [csv, 'manual'],
    [sweep, 'discovery'],
    [agent, 'agent_scan'],
    [{ kind: 'cloud', name: 'aws' }, 'cloud_provider'],
    [{ kind: 'passive', name: 'tap' }, 'passive'],
  ])('a new asset from %o as %s', async (source, expected) => {
    const ctx = await tenant()
    await submit(ctx, source, [seen('1', laptop, { assetType: 'virtual_machine' })])
    const [asset] = await assetsOf(ctx)
    expect((await eventsOf(ctx)).find(({ type }) => type === 'NEW_ASSET')).toEqual({
      type: 'NEW_ASSET',
      asset_id: asset?.id,
      asset_name: 'lap-7',
      asset_type: 'virtual_machine',
      source: expected,
      confidence: 1,
      first_seen: '2026-01-05T08:00:00.000Z',
      tenant_id: ctx.tenantId,
    })
  })

  test('that an asset is surer known', async () => {
    const ctx = await tenant()
    await submit(ctx, sweep, [seen('1', { hostname: 'lap-7', ip: '10.0.0.7' })])
    const facts = { sysObjectId: '1.3.6.1.4.1.9.1.1208', description: 'Cisco IOS Software, C2960X' }
    await submit(ctx, sweep, [seen('1', { hostname: 'lap-7', ip: '10.0.0.7' }, { minute: 1, facts })])
    expect((await eventsOf(ctx)).at(-1)).toMatchObject({
      type: 'UPDATED_ASSET',
      changed_fields: ['confidence'],
      source: 'discovery',
    })
  })

  test('that two assets turned out to be one: the older survives', async () => {
    const ctx = await tenant()
    await submit(ctx, sweep, [seen('1', { mac: '3c:2a:f4:02:34:5f' })])
    await submit(later(ctx), csv, [seen('2', { serial: 'PF0ABC12' }, { name: 'lap-7' })])
    const [before] = (await assetsOf(ctx)).filter(({ keys }) => keys.includes('1'))
    const both = { mac: '3c:2a:f4:02:34:5f', serial: 'PF0ABC12', ip: '10.0.0.9' }
    await submit(ctx, sweep, [seen('1', { mac: '3c:2a:f4:02:34:5f', ip: '10.0.0.9' })])
    await submit(ctx, agent, [seen('a', both)])
    expect(await assetsOf(ctx)).toMatchObject([{ id: before?.id, keys: ['1', '2', 'a'] }])
    const events = (await eventsOf(ctx)).filter(({ type }) => type !== 'NEW_SOURCE').slice(-2)
    expect(events).toMatchObject([
      { type: 'UPDATED_ASSET', asset_id: before?.id, changed_fields: expect.arrayContaining(['merged']) },
      { type: 'DELETED_ASSET', reason: 'merged' },
    ])
  })

  test('nothing of a batch that was undone', async () => {
    const ctx = await tenant()
    const failing = { ...ctx, reactions: { to: () => Promise.reject(new Error('no')) } }
    await expect(submit(failing, csv, [seen('1', laptop)])).rejects.toThrow('no')
    expect(await assetsOf(ctx)).toEqual([])
    expect(await listSources(ctx)).toEqual([])
  })
})

describe('clones', () => {
  test('start as one, and are two as soon as both agents live', async () => {
    const ctx = await tenant()
    const image = { serial: 'VMW-1', machine_id: 'a1b2', mac: '3c:2a:f4:02:34:5f' }
    await submit(ctx, agent, [seen('a', { agent_key: 'k1', ...image })])
    await submit(ctx, agent, [seen('b', { agent_key: 'k2', ...image }, { minute: 60 })])
    expect(await assetsOf(ctx)).toHaveLength(1)
    await submit(ctx, agent, [seen('a', { agent_key: 'k1', ...image }, { minute: 65 })])
    expect(await assetsOf(ctx)).toHaveLength(2)
    const shared = await ctx.db.all(sql`select type from asset_shared_values order by type`)
    expect(shared).toEqual([{ type: 'mac' }, { type: 'machine_id' }, { type: 'serial' }])
    expect((await typesOf(ctx)).filter((type) => type === 'NEW_ASSET')).toHaveLength(2)
  })
})

describe('an observation that names an asset', () => {
  test('is of that asset, though nothing else says so', async () => {
    const ctx = await tenant()
    await submit(ctx, csv, [seen('1', {}, { name: 'bucket', assetType: 'cloud_resource' })])
    const [asset] = await assetsOf(ctx)
    const named = { assetId: asset?.id ?? '', name: 'bucket' }
    const result = await submit(ctx, { kind: 'csv', name: 'other' }, [seen('asset:1', {}, named)])
    expect(result).toMatchObject({ created: 0, unchanged: 1 })
    const unknown = { assetId: '0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21', name: 'new' }
    expect(await submit(ctx, csv, [seen('2', {}, unknown)])).toMatchObject({ created: 1 })
  })
})

test('two submits at once wait for each other, and one machine stays one', async () => {
  const ctx = await tenant()
  const batch = (source: string) =>
    Array.from({ length: 50 }, (_, index) => seen(`${source}${index}`, { serial: `SERIAL-${index}` }))
  const results = await Promise.all([
    submit(ctx, csv, batch('c')),
    submit(ctx, sweep, batch('s')),
    submit(ctx, csv, batch('c')),
    submit(ctx, { kind: 'snmp', name: 'core' }, batch('n')),
  ])
  expect(await assetsOf(ctx)).toHaveLength(50)
  expect(results.reduce((sum, { created }) => sum + created, 0)).toBe(50)
  expect((await typesOf(ctx)).filter((type) => type === 'NEW_SOURCE')).toHaveLength(3)
  expect(await ctx.db.one(sql`select sum(n)::int as n from asset_counts`)).toEqual({ n: 50 })
})

test('a tenant sees nothing of another', async () => {
  const { newTenant } = await testApp()
  const [here, there] = [await newTenant(), await newTenant()]
  await submit(here, csv, [seen('1', laptop)])
  await submit(there, csv, [seen('1', laptop)])
  for (const table of ['assets', 'asset_observations', 'asset_identifiers', 'asset_search', 'sources']) {
    expect(await here.db.all(sql`select tenant_id from ${sql.table(table)} group by 1`)).toEqual([
      { tenant_id: here.tenantId },
    ])
  }
})
