import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { countWhere, facets } from '#features/conditions/conditions.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addSoftwareEntry, listSoftware } from '../software.ts'

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  const machine = (serial: string, items: readonly (readonly [string, string, string])[]) => ({
    sourceKey: serial,
    seenAt: ctx.now(),
    name: serial,
    identifiers: [{ type: 'serial' as const, value: `SN-${serial}-4711` }],
    software: {
      complete: ['windows' as const],
      items: items.map(([name, version, vendor]) => ({ origin: 'windows' as const, name, version, vendor })),
    },
  })
  await submit(ctx, { kind: 'csv', name: 'machines' }, [
    machine('a', [
      ['Mozilla Firefox', '115.3', 'Mozilla'],
      ['Zoom', '5.9', ''],
    ]),
    machine('b', [
      ['Mozilla Firefox', '120.0', 'Mozilla'],
      ['Zoom', '5.9', ''],
    ]),
  ])
})

const named = async (where: string, sort?: string, of = ctx) =>
  (await listSoftware(of, page, { where, sort })).items.map(({ name, version }) => `${name} ${version}`)

test.each([
  ['', ['Mozilla Firefox 115.3', 'Mozilla Firefox 120.0', 'Zoom 5.9']],
  ['name : firefox and version < 120', ['Mozilla Firefox 115.3']],
  ['not version < 120', ['Mozilla Firefox 120.0']],
  ['vendor = MOZILLA', ['Mozilla Firefox 115.3', 'Mozilla Firefox 120.0']],
  // what has no vendor is neither
  ['vendor = mozilla or not vendor = mozilla', ['Mozilla Firefox 115.3', 'Mozilla Firefox 120.0']],
  ['not has vendor', ['Zoom 5.9']],
  ['installs > 1', ['Zoom 5.9']],
  ['first_seen > -1h fox', ['Mozilla Firefox 115.3', 'Mozilla Firefox 120.0']],
  ['origin = dpkg', []],
])('software where %j', async (where, expected) => {
  expect((await named(where)).toSorted()).toEqual(expected)
})

test('is sorted by any field that SQL has; what is not known comes last', async () => {
  expect(await named('', '-installs')).toEqual(['Zoom 5.9', expect.any(String), expect.any(String)])
  expect((await named('', 'vendor')).at(-1)).toBe('Zoom 5.9')
  expect((await named('', '-vendor')).at(-1)).toBe('Zoom 5.9')
  expect((await named('', '-name'))[0]).toBe('Zoom 5.9')
  await expect(named('', 'colour')).rejects.toThrow('sort: there is no field colour')
  await expect(named('name >')).rejects.toThrow('where: ')
})

test('true, false and unknown are counted, and values by how many entries have them', async () => {
  expect(await countWhere(ctx, 'software', 'vendor = mozilla')).toEqual({ matching: 2, unknown: 1 })
  expect(await countWhere(ctx, 'software', 'version >= 120')).toEqual({ matching: 1, unknown: 0 })
  expect(await facets(ctx, { subject: 'software', where: '', fields: ['vendor'], first: 5 })).toEqual([
    { field: 'vendor', values: [{ value: 'Mozilla', count: 2 }], without: 1 },
  ])
})

test('forbidden software is found by the list of it', async () => {
  expect(await countWhere(ctx, 'software', 'forbidden = yes')).toEqual({ matching: 0, unknown: 3 })
  await addSoftwareEntry(ctx, { list: 'forbidden', name: 'zoom', vendor: '', reason: '' })
  expect(await named('forbidden = yes')).toEqual(['Zoom 5.9'])
})

test('versions are compared some thousand at a time, and every one of them', async () => {
  const many = await home().newTenant()
  const entries = 5_003
  await many.db.run(sql`
    insert into software (tenant_id, digest, origin, ecosystem, name, normalized_name, version, arch, source_name,
      source_version, vendor, purl, cpe, vendor_key, product_key, first_seen, installs)
    select ${many.tenantId}, decode(md5(n::text), 'hex'), 'windows', '', 'Tool', 'tool', n || '.0', '', '', '', '', '', '', '',
      '', now(), 1
    from generate_series(1, ${entries}) n`)
  const versions = ['version > 1', 'version > 5000', 'version < 2', 'not version = 7']
  const totals = versions.map(async (where) => (await listSoftware(many, page, { where })).total)
  expect(await Promise.all(totals)).toEqual([entries - 1, 3, 1, entries - 1])
})

test('who is limited to some assets sees their software, how often it is there, and no more', async () => {
  const limited = ctx.conditions.limit(ctx, 'name = a')
  expect((await named('', undefined, limited)).toSorted()).toEqual(['Mozilla Firefox 115.3', 'Zoom 5.9'])
  expect(await named('installs > 1', undefined, limited)).toEqual([])
  expect(await countWhere(limited, 'software', 'version >= 120')).toEqual({ matching: 0, unknown: 0 })
})

test('another tenant, and who may not read assets, see nothing of it', async () => {
  const other = await home().newTenant()
  expect(await named('', undefined, other)).toEqual([])
  expect(await countWhere(other, 'software', 'has id')).toEqual({ matching: 0, unknown: 0 })
  const nobody = { ...ctx, actor: { ...ctx.actor, may: () => false } }
  await expect(countWhere(nobody, 'software', 'has id')).rejects.toThrow('permission required: assets:read')
})
