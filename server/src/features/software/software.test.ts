import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteAsset, getAsset, listAssets } from '#features/assets/assets.ts'
import { agent, csv, seen } from '#features/assets/observations.fixture.ts'
import type { InstalledSoftware, SoftwareReport } from '#features/assets/observation.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import {
  assetsOfObservations,
  assetsWithSoftware,
  catalogueOf,
  compareVersions,
  isInRange,
  listSoftware,
  applyCatalogueNames,
  schemeOf,
  softwareAfter,
  softwareHistory,
  softwareNamed,
  softwareOfAsset,
  softwareOfAssets,
  systemsOfAssets,
} from './software.ts'
import { deleteOldChanges } from './inventory/history-retention.ts'

const PAGE = { limit: 50, offset: 0 }
const DAY = 24 * 60
const bookworm = { id: 'debian', versionId: '12', prettyName: 'Debian GNU/Linux 12 (bookworm)' }
const tenant = async () => (await testApp()).newTenant()

const deb = (name: string, version: string, more: Partial<InstalledSoftware> = {}): InstalledSoftware => ({
  origin: 'dpkg',
  name,
  version,
  arch: 'amd64',
  ...more,
})
const inventory = (...items: InstalledSoftware[]): SoftwareReport => ({
  release: bookworm,
  complete: ['dpkg'],
  items,
})
const tell = (ctx: Ctx, key: string, minute: number, software: SoftwareReport) =>
  submit(ctx, agent, [seen(key, { serial: `5CG8203LQ${key}` }, { minute, software })])
const assetOf = async (ctx: Ctx) => (await listAssets(ctx, PAGE)).items[0]?.id ?? ''
const historyOf = async (ctx: Ctx, assetId: string) =>
  (await softwareHistory(ctx, assetId, PAGE)).items.map((it) =>
    [it.kind, it.name, it.formerVersion, it.version].join(' '),
  )
const namesOn = async (ctx: Ctx, assetId: string) =>
  (await softwareOfAsset(ctx, assetId, PAGE)).items.map(({ name, version }) => `${name} ${version}`)
/** What a write would change: the row's place and the transaction that wrote it. */
const rowsOf = (ctx: Ctx) => ctx.db.all(sql`select ctid::text, xmin::text from software_sets order by 1`)

test('other rooms compare versions by ecosystem', () => {
  expect(compareVersions(schemeOf('Debian:12'), '1.0-1~deb12u1', '1.0-1')).toBe(-1)
  expect(isInRange(schemeOf('npm'), '1.2.0', { introduced: '1.0.0', fixed: '1.2.1' })).toBe(true)
})

test('what is reported stands on the asset and in the list, with its ecosystem', async () => {
  const ctx = await tenant()
  await tell(
    ctx,
    'a',
    0,
    inventory(deb('openssl', '3.0.11-1'), deb('bash', '5.2.15-2', { source: { name: 'bash' } })),
  )
  await tell(ctx, 'b', 0, inventory(deb('openssl', '3.0.11-1')))
  const { items, total } = await listSoftware(ctx, PAGE)
  expect(total).toBe(2)
  expect(items.map(({ name, ecosystem, assets }) => [name, ecosystem, assets])).toEqual([
    ['bash', 'Debian:12', 1],
    ['openssl', 'Debian:12', 2],
  ])
  expect((await listSoftware(ctx, PAGE, { search: 'SSL' })).items).toHaveLength(1)
  expect((await listSoftware(ctx, PAGE, { origin: 'rpm' })).total).toBe(0)
  expect((await listSoftware(ctx, PAGE, { search: 'a\0' })).total).toBe(0)
  expect((await listSoftware(ctx, { limit: 1, offset: 5 })).total).toBe(2)
})

test('an asset that two sources see counts once', async () => {
  const ctx = await tenant()
  const report = inventory(deb('openssl', '3.0.11-1'), deb('bash', '5.2.15-2'))
  await tell(ctx, 'a', 0, report)
  await tell(ctx, 'b', 0, report)
  await submit(ctx, csv, [
    seen('1', { serial: '5CG8203LQa' }, { software: inventory(deb('openssl', '3.0.11-1')) }),
  ])
  expect((await listAssets(ctx, PAGE)).total).toBe(2)
  expect((await listSoftware(ctx, PAGE)).items.map(({ name, assets }) => [name, assets])).toEqual([
    ['bash', 2],
    ['openssl', 2],
  ])
})

test('the same report again writes nothing and tells nobody', async () => {
  const ctx = await tenant()
  const report = inventory(deb('openssl', '3.0.11-1'), deb('bash', '5.2.15-2'))
  await tell(ctx, 'a', 0, report)
  const before = await rowsOf(ctx)
  await tell(ctx, 'a', DAY, { ...report, items: report.items.toReversed() })
  expect(await rowsOf(ctx)).toEqual(before)
  const jobs = await ctx.db.all(sql`select 1 from jobs where name = 'software.changed'`)
  expect(jobs).toHaveLength(1)
})

test('what is upgraded, installed and removed is remembered; the first report is not', async () => {
  const ctx = await tenant()
  await tell(ctx, 'a', 0, inventory(deb('openssl', '3.0.11-1'), deb('bash', '5.2.15-2')))
  const assetId = await assetOf(ctx)
  expect(await historyOf(ctx, assetId)).toEqual([])
  await tell(ctx, 'a', DAY, inventory(deb('openssl', '3.0.15-1'), deb('curl', '7.88.1-10')))
  expect((await historyOf(ctx, assetId)).sort()).toEqual([
    'changed openssl 3.0.11-1 3.0.15-1',
    'installed curl  7.88.1-10',
    'removed bash 5.2.15-2 ',
  ])
  expect(await namesOn(ctx, assetId)).toEqual(['curl 7.88.1-10', 'openssl 3.0.15-1'])
  expect((await listSoftware(ctx, PAGE)).total).toBe(2)
})

test('what is gone in one inventory and back in the next was never away', async () => {
  const ctx = await tenant()
  const full = inventory(deb('openssl', '3.0.11-1'), deb('bash', '5.2.15-2'))
  await tell(ctx, 'a', 0, full)
  await tell(ctx, 'a', DAY, inventory(deb('bash', '5.2.15-2')))
  await tell(ctx, 'a', 2 * DAY, full)
  const assetId = await assetOf(ctx)
  expect(await historyOf(ctx, assetId)).toEqual([])
  await tell(ctx, 'a', 3 * DAY, inventory(deb('bash', '5.2.15-2')))
  await tell(ctx, 'a', 9 * DAY, full)
  expect(await historyOf(ctx, assetId)).toEqual(['installed openssl  3.0.11-1', 'removed openssl 3.0.11-1 '])
})

test('an origin that was not read to its end only adds, and what it names it names in all versions', async () => {
  const ctx = await tenant()
  await tell(ctx, 'a', 0, { complete: [], items: [{ origin: 'banner', name: 'nginx', version: '1.18.0' }] })
  await tell(ctx, 'a', 1, { complete: [], items: [{ origin: 'banner', name: 'OpenSSH', version: '9.2p1' }] })
  await tell(ctx, 'a', 2, { complete: [], items: [{ origin: 'banner', name: 'nginx', version: '1.24.0' }] })
  expect(await namesOn(ctx, await assetOf(ctx))).toEqual(['nginx 1.24.0', 'OpenSSH 9.2p1'])
  await tell(ctx, 'a', 3, { complete: ['banner'], items: [] })
  expect(await namesOn(ctx, await assetOf(ctx))).toEqual([])
})

test('an older report does not overwrite a newer one', async () => {
  const ctx = await tenant()
  await tell(ctx, 'a', 10, inventory(deb('openssl', '3.0.15-1')))
  await tell(ctx, 'a', 5, inventory(deb('openssl', '3.0.11-1')))
  expect(await namesOn(ctx, await assetOf(ctx))).toEqual(['openssl 3.0.15-1'])
})

test('what one account has for itself says so, and what all have does not', async () => {
  const ctx = await tenant()
  const chrome = { origin: 'windows' as const, name: 'Google Chrome', version: '126.0.1' }
  await tell(ctx, 'a', 0, {
    complete: ['windows'],
    items: [
      { ...chrome, user: 'ada' },
      { ...chrome, user: 'bo' },
      { ...chrome, name: '7-Zip' },
    ],
  })
  const { items } = await softwareOfAsset(ctx, await assetOf(ctx), PAGE)
  expect(items.map(({ name, details }) => [name, details])).toEqual([
    ['7-Zip', []],
    ['Google Chrome', [{ users: ['ada', 'bo'] }]],
  ])
})

test('where files lie is kept, a few places of each library, and a library of a package is another one', async () => {
  const ctx = await tenant()
  const idna = { origin: 'library' as const, name: 'idna', version: '3.3', purl: 'pkg:pypi/idna@3.3' }
  const paths = Array.from({ length: 7 }, (_, at) => `/opt/${at}/idna`)
  await tell(ctx, 'a', 0, {
    complete: ['library'],
    items: [
      { ...idna, paths: ['/usr/idna'], source: { name: 'python3-idna' } },
      ...[paths.slice(3), paths.slice(0, 3)].map((some) => ({ ...idna, paths: some })),
    ],
  })
  const { items } = await softwareOfAsset(ctx, await assetOf(ctx), PAGE)
  const found = new Map(items.map(({ sourceName, details }) => [sourceName, details]))
  expect(found.get('')).toEqual([{ paths: paths.slice(0, 5) }])
  expect(found.get('python3-idna')).toEqual([{ paths: ['/usr/idna'] }])
})

test('software moves with its observation and goes with its asset', async () => {
  const ctx = await tenant()
  const item = deb('openssl', '3.0.11-1')
  await tell(ctx, 'a', 0, inventory(item))
  await submit(ctx, csv, [
    seen('1', { hostname: 'web-1' }, { software: { complete: [], items: [deb('htop', '3.2.2-2')] } }),
  ])
  expect((await listAssets(ctx, PAGE)).total).toBe(2)
  const target = (await listAssets(ctx, PAGE)).items.find(({ serial }) => serial !== '')?.id ?? ''
  await submit(ctx, csv, [
    seen('1', { hostname: 'web-1', serial: '5CG8203LQa' }, { minute: 1, assetId: target }),
  ])
  expect((await listAssets(ctx, PAGE)).total).toBe(1)
  const assetId = await assetOf(ctx)
  expect(await namesOn(ctx, assetId)).toEqual(['htop 3.2.2-2', 'openssl 3.0.11-1'])
  await deleteAsset(ctx, assetId)
  expect((await listSoftware(ctx, PAGE)).total).toBe(0)
  await expect(softwareOfAsset(ctx, assetId, PAGE)).rejects.toMatchObject({ status: 404 })
})

test('matching reads what is new, who has it, and on which system', async () => {
  const ctx = await tenant()
  await tell(ctx, 'a', 0, inventory(deb('openssl', '3.0.11-1', { source: { name: 'openssl-src' } })))
  const all = await softwareAfter(ctx, 0, 100)
  expect(all.map(({ origin, name }) => `${origin} ${name}`).sort()).toEqual(['dpkg openssl', 'os debian'])
  expect(await softwareAfter(ctx, all.at(-1)?.id ?? 0, 100)).toEqual([])
  const [found] = await softwareNamed(ctx, { packages: ['OpenSSL-src'], products: [] })
  const assetId = await assetOf(ctx)
  const holders = await assetsWithSoftware(ctx, [found?.id ?? 0])
  expect(holders).toEqual([{ softwareId: found?.id, assetId, observationId: expect.any(String) }])
  expect(await softwareOfAssets(ctx, [assetId])).toHaveLength(2)
  expect(
    await assetsOfObservations(
      ctx,
      holders.map(({ observationId }) => observationId),
    ),
  ).toEqual([assetId])
  expect(await systemsOfAssets(ctx, [assetId])).toMatchObject([
    { assetId, ecosystem: 'Debian:12', id: 'debian' },
  ])
})

test('texts that no database stores, and absurd ones, are cleaned or left out', async () => {
  const ctx = await tenant()
  await tell(ctx, 'a', 0, {
    release: { id: 'de\0bian', versionId: '\ud800' },
    complete: ['windows'],
    items: [
      { origin: 'windows', name: 'a\0b', version: '\ud800', vendor: 'v\u0007', user: 'u\0' },
      { origin: 'windows', name: 'x'.repeat(513), version: '1' },
      { origin: 'windows', name: ' ', version: '1' },
      {
        origin: 'windows',
        name: 'long',
        version: 'v'.repeat(100_000),
        purl: 'p'.repeat(100_000),
        cpe: 'nonsense',
      },
    ],
  })
  const { items } = await softwareOfAsset(ctx, await assetOf(ctx), PAGE)
  expect(items.map(({ name, version, cpe }) => [name, version.length, cpe])).toEqual([
    ['a b', 1, ''],
    ['long', 512, ''],
  ])
})

test('another tenant sees nothing of it', async () => {
  const home = await testApp()
  const [ctx, other] = [await home.newTenant(), await home.newTenant()]
  await tell(ctx, 'a', 0, inventory(deb('openssl', '3.0.11-1')))
  const assetId = await assetOf(ctx)
  await getAsset(ctx, assetId)
  const [found] = await softwareAfter(ctx, 0, 1)
  expect((await listSoftware(other, PAGE)).total).toBe(0)
  expect(await assetsWithSoftware(other, [found?.id ?? 0])).toEqual([])
  expect(await softwareOfAssets(other, [assetId])).toEqual([])
  expect(await softwareAfter(other, 0, 10)).toEqual([])
  await expect(softwareHistory(other, assetId, PAGE)).rejects.toMatchObject({ status: 404 })
})

test('names for people are spelled as the catalogue spells them, once', async () => {
  const ctx = await tenant()
  const item = {
    origin: 'windows' as const,
    name: 'Photo Gallery 3.2',
    version: '3.2',
    vendor: 'Acme Widgets Ltd',
  }
  await tell(ctx, 'a', 0, { complete: [], items: [item] })
  const keys = async () =>
    (await listSoftware(ctx, PAGE)).items.map((it) => `${it.vendorKey}:${it.productKey}`)
  expect(await keys()).toEqual(['acmewidgets:photo_gallery'])
  const catalogue = catalogueOf([{ vendor: 'acme_widgets', product: 'photogallery' }])
  expect(await applyCatalogueNames(ctx, catalogue)).toHaveLength(1)
  expect(await keys()).toEqual(['acme_widgets:photogallery'])
  expect(await applyCatalogueNames(ctx, catalogue)).toEqual([])
})

test('what came and went long ago is forgotten, what is installed is not', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  await tell(ctx, 'a', 0, inventory(deb('openssl', '3.0.11-1')))
  await tell(ctx, 'a', DAY, inventory(deb('openssl', '3.0.15-1')))
  const assetId = await assetOf(ctx)
  const at = (now: string) => ({ ...home.runtime.system, now: () => new Date(now) })
  await deleteOldChanges(at('2027-01-01T00:00:00Z'))
  expect(await historyOf(ctx, assetId)).toHaveLength(1)
  await deleteOldChanges(at('2027-06-01T00:00:00Z'))
  expect(await historyOf(ctx, assetId)).toEqual([])
  expect(await namesOn(ctx, assetId)).toEqual(['openssl 3.0.15-1'])
})
