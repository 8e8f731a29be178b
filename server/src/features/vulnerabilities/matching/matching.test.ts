import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PackageRules } from '#features/advisories/advisories.ts'
import { eventsOf } from '#features/assets/observations.fixture.ts'
import type { SoftwareReport } from '#features/assets/observation.ts'
import { deleteAsset, listAssets } from '#features/assets/assets.ts'
import { mergeAssets, unlinkObservations } from '#features/assets/editing/merge-and-unlink.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { matchCatalogueChanges, processMatchingQueue, matchObservations } from './matching.ts'
import { listFindings } from '../vulnerabilities.ts'

const agent = { kind: 'agent', name: 'test' }
const PAGE = { limit: 50, offset: 0 }

type AdvisorySpec = Pick<PackageRules, 'ecosystem' | 'package' | 'feed' | 'advisoryId' | 'rules'> & {
  readonly isDisputed?: boolean
  readonly score?: number
  readonly state?: 'published' | 'rejected'
}

/** As a sync of the feed would leave the catalogue. */
async function publish({ runtime }: TestApp, advisories: readonly AdvisorySpec[]): Promise<void> {
  const { db } = runtime.system
  await db.run(sql`update catalogue set generation = generation + 1`)
  for (const it of advisories) {
    const score = { version: '3.1', vector: '', score: it.score ?? 7.5, source: 'nvd@nist.gov' }
    const body = { description: `About ${it.advisoryId}.`, scores: [score], weaknesses: [], references: [] }
    const state = it.state ?? 'published'
    const feed = state === 'rejected' ? 'nvd' : it.feed
    await db.run(sql`
      insert into advisories (feed, key, id, parts, digest, state, is_disputed, cve_ids, body)
      values (${feed}, ${it.advisoryId}, ${it.advisoryId}, array['p'], '', ${state}, ${it.isDisputed ?? false},
        array[${it.advisoryId}], ${JSON.stringify(body)}::json)
      on conflict (feed, key) do update set body = excluded.body, state = excluded.state`)
    await db.run(sql`
      insert into advisory_names (name, feed, key) values (${it.advisoryId}, ${feed}, ${it.advisoryId})
      on conflict do nothing`)
    if (state === 'published')
      await db.run(sql`
        insert into advisory_rules (ecosystem, package, feed, key, advisory_id, cve_ids, is_disputed, rules)
        values (${it.ecosystem}, ${it.package}, ${it.feed}, ${it.advisoryId}, ${it.advisoryId},
          array[${it.advisoryId}], ${it.isDisputed ?? false}, ${JSON.stringify(it.rules)}::json)
        on conflict (ecosystem, package, feed, key) do update set rules = excluded.rules`)
    await db.run(sql`
      insert into catalogue_changes (generation, ecosystem, name)
      select generation, e, n from catalogue, (values (${it.ecosystem}, ${it.package}), ('', ${it.advisoryId})) c(e, n)
      on conflict do nothing`)
  }
}

const openssl = (fixed: string, more: Partial<AdvisorySpec> = {}): AdvisorySpec => ({
  ecosystem: 'Debian:12',
  package: 'openssl',
  feed: 'debian',
  advisoryId: 'CVE-2024-5535',
  rules: [{ names: 'source', verdict: 'affected', ranges: [{ fixed }], versions: [] }],
  ...more,
})

const libssl = (version: string): SoftwareReport => ({
  release: { id: 'debian', versionId: '12', kernel: '6.1.0-18-amd64' },
  complete: ['dpkg'],
  items: version
    ? [{ origin: 'dpkg', name: 'libssl3', version, source: { name: 'openssl' } }]
    : [{ origin: 'dpkg', name: 'bash', version: '5.2.15-2' }],
})

/** What the machine says of itself, matched. */
async function say(ctx: Ctx, software: SoftwareReport, host = 'web-1'): Promise<void> {
  const seenAt = ctx.now()
  const identifiers = [{ type: 'serial' as const, value: host }]
  await submit(ctx, agent, [{ sourceKey: host, seenAt, name: host, identifiers, software }])
  const ids = await ctx.db.all(
    sql<{ id: string }>`select id from asset_observations where tenant_id = ${ctx.tenantId}`,
  )
  await matchObservations(
    ctx,
    ids.map(({ id }) => id),
  )
}

const open = async (ctx: Ctx) => (await listFindings(ctx, PAGE)).items
const fixed = async (ctx: Ctx) => (await listFindings(ctx, PAGE, { isFixed: true })).items
const minutesLater = (ctx: Ctx, minutes: number): Ctx => {
  const at = new Date(ctx.now().getTime() + minutes * 60_000)
  return { ...ctx, now: () => at }
}

test('software that a distribution calls vulnerable is found, reported once, scored, and gone with the fix', async () => {
  const home = await testApp()
  await publish(home, [openssl('3.0.14-1~deb12u1')])
  const ctx = await home.newTenant()
  await say(ctx, libssl('3.0.13-1~deb12u1'))
  const [finding] = await open(ctx)
  expect(finding).toMatchObject({
    cveId: 'CVE-2024-5535',
    severity: 'high',
    cvssScore: 7.5,
    matchType: 'exact',
    software: 'libssl3 3.0.13-1~deb12u1',
    fixedVersion: '3.0.14-1~deb12u1',
    affectedAssets: 1,
    description: 'About CVE-2024-5535.',
  })
  const found = (await eventsOf(ctx)).filter(({ type }) => type === 'VULNERABILITY_FOUND')
  expect(found).toMatchObject([
    { vulnerability_id: finding?.id, cve_id: 'CVE-2024-5535', match_type: 'exact' },
  ])
  expect((await listAssets(ctx, PAGE)).items[0]?.riskScore).toBe(31.1)

  await say(ctx, libssl('3.0.13-1~deb12u1'))
  expect((await eventsOf(ctx)).filter(({ type }) => type === 'VULNERABILITY_FOUND')).toHaveLength(1)

  await say(minutesLater(ctx, 1), libssl('3.0.14-1~deb12u1'))
  expect(await open(ctx)).toEqual([])
  expect(await fixed(ctx)).toMatchObject([{ id: finding?.id, status: 'resolved', affectedAssets: 0 }])
  expect((await listAssets(ctx, PAGE)).items[0]?.riskScore).toBe(0)
})

test('a version range of everybody else says nothing about what a distribution built', async () => {
  const home = await testApp()
  const range = {
    verdict: 'affected' as const,
    names: 'binary' as const,
    versions: [],
    ranges: [{ fixed: '3.0.14' }],
  }
  await publish(home, [
    { ...openssl('x'), ecosystem: 'cpe', package: 'a:openssl:openssl', feed: 'nvd', rules: [range] },
  ])
  const ctx = await home.newTenant()
  await say(ctx, libssl('3.0.13-1~deb12u1'))
  expect(await open(ctx)).toEqual([])
})

test('software that one inventory leaves out stays open until the next does too', async () => {
  const home = await testApp()
  await publish(home, [openssl('3.0.14-1')])
  const ctx = await home.newTenant()
  await say(ctx, libssl('3.0.13-1'))
  await say(minutesLater(ctx, 1), libssl(''))
  expect(await open(ctx)).toHaveLength(1)
  await say(minutesLater(ctx, 2), libssl('3.0.13-1'))
  expect(await open(ctx)).toHaveLength(1)
  await say(minutesLater(ctx, 3), libssl(''))
  await say(minutesLater(ctx, 4), libssl(''))
  expect(await open(ctx)).toEqual([])
  expect(await fixed(ctx)).toHaveLength(1)
  await say(minutesLater(ctx, 5), libssl('3.0.13-1'))
  expect(await open(ctx)).toHaveLength(1)
  expect((await eventsOf(ctx)).filter(({ type }) => type === 'VULNERABILITY_FOUND')).toHaveLength(1)
})

test('the catalogue is followed: a new record finds what is installed, a changed one lets go of it', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  await say(ctx, libssl('3.0.13-1'))
  expect(await open(ctx)).toEqual([])
  await publish(home, [
    openssl('3.0.14-1'),
    openssl('3.0.14-1', { package: 'bash', advisoryId: 'CVE-2024-9999' }),
  ])
  await matchCatalogueChanges(ctx)
  expect(await open(ctx)).toMatchObject([{ cveId: 'CVE-2024-5535', cvssScore: 7.5 }])
  await publish(home, [openssl('3.0.14-1', { score: 9.1 })])
  await matchCatalogueChanges(ctx)
  expect(await open(ctx)).toMatchObject([{ cvssScore: 9.1, severity: 'critical' }])
  await publish(home, [openssl('3.0.12-1', { score: 9.1 })])
  await matchCatalogueChanges(ctx)
  expect(await open(ctx)).toEqual([])
})

test.each([1, 201])('a likelihood that %i CVEs get moves the scores alone', async (many) => {
  const home = await testApp()
  await publish(home, [openssl('3.0.14-1')])
  const ctx = await home.newTenant()
  await say(ctx, libssl('3.0.13-1'))
  await ctx.db.run(sql`
    insert into vulnerabilities (tenant_id, cve_id, description, severity, score, is_scored)
    select ${ctx.tenantId}, 'CVE-2020-' || n, '', 'medium', 55, false from generate_series(2, ${many}::int) n`)
  const { db } = home.runtime.system
  await db.run(sql`update catalogue set generation = generation + 1`)
  await db.run(sql`
    insert into cve_likelihoods (cve_id, epss, percentile, generation)
    select id, 0.9, 0.99, (select generation from catalogue)
    from (select 'CVE-2020-' || n as id from generate_series(2, ${many}::int) n union select 'CVE-2024-5535') ids`)
  await matchCatalogueChanges(ctx)
  expect((await listAssets(ctx, PAGE)).items[0]?.riskScore).toBe(72.5)
})

test('a rejected vulnerability matches nothing, whenever it is rejected', async () => {
  const home = await testApp()
  await publish(home, [openssl('3.0.14-1')])
  const ctx = await home.newTenant()
  await say(ctx, libssl('3.0.13-1'))
  expect(await open(ctx)).toHaveLength(1)
  await publish(home, [openssl('3.0.14-1', { state: 'rejected' })])
  await matchCatalogueChanges(ctx)
  expect(await open(ctx)).toEqual([])
  await say(ctx, libssl('3.0.13-1'), 'web-2')
  expect(await open(ctx)).toEqual([])
})

test('a disputed one is a suspicion at most', async () => {
  const home = await testApp()
  await publish(home, [openssl('3.0.14-1', { isDisputed: true })])
  const ctx = await home.newTenant()
  await say(ctx, libssl('3.0.13-1'))
  expect(await open(ctx)).toMatchObject([{ matchType: 'heuristic', confidence: 0.35 }])
})

test('of several kernels the one that runs counts', async () => {
  const home = await testApp()
  const about = (advisoryId: string, before: string) =>
    openssl('x', {
      package: 'linux',
      advisoryId,
      rules: [{ names: 'source', verdict: 'affected', versions: [], ranges: [{ fixed: before }] }],
    })
  await publish(home, [about('CVE-2024-1', '6.1.76-1'), about('CVE-2024-2', '6.1.85-1')])
  const ctx = await home.newTenant()
  const image = (release: string, version: string) => ({
    origin: 'dpkg' as const,
    name: `linux-image-${release}`,
    version,
    source: { name: 'linux' },
  })
  await say(ctx, {
    ...libssl(''),
    items: [image('6.1.0-17-amd64', '6.1.69-1'), image('6.1.0-18-amd64', '6.1.76-1')],
  })
  expect(await open(ctx)).toMatchObject([
    { cveId: 'CVE-2024-2', software: 'linux-image-6.1.0-18-amd64 6.1.76-1' },
  ])
})

test('what is marked is matched, however often, and a deleted asset takes its findings along', async () => {
  const home = await testApp()
  await publish(home, [openssl('3.0.14-1')])
  const ctx = await home.newTenant()
  await say(ctx, libssl('3.0.13-1'))
  await say(ctx, libssl('3.0.13-1'), 'web-2')
  expect(await open(ctx)).toMatchObject([{ affectedAssets: 2 }, { affectedAssets: 2 }])
  await processMatchingQueue(ctx)
  await processMatchingQueue(ctx)
  const { items } = await listAssets(ctx, PAGE)
  await deleteAsset(ctx, items[0]?.id ?? '')
  expect(await open(ctx)).toMatchObject([{ affectedAssets: 1, assetId: items[1]?.id }])
  expect((await listFindings(ctx, PAGE)).total).toBe(1)
})

test('findings follow what is merged and parted, and keep their ids', async () => {
  const home = await testApp()
  await publish(home, [openssl('3.0.14-1')])
  const ctx = await home.newTenant()
  await say(ctx, libssl('3.0.13-1'))
  const [first] = await open(ctx)
  await submit(minutesLater(ctx, 1), { kind: 'csv', name: 'list' }, [
    { sourceKey: '1', seenAt: ctx.now(), name: 'twin', identifiers: [] },
  ])
  const { items } = await listAssets(ctx, PAGE)
  const [assetIdA = '', assetIdB = ''] = items.map(({ id }) => id)
  const survivor = await mergeAssets(ctx, { assetIdA, assetIdB, reason: 'the same' })
  await processMatchingQueue(ctx)
  expect(await open(ctx)).toMatchObject([{ id: first?.id, assetId: survivor.id, affectedAssets: 1 }])

  const { id: observationId } = await ctx.db.one(sql<{ id: string }>`
    select o.id from asset_observations o join software_sets s on s.observation_id = o.id
    where o.tenant_id = ${ctx.tenantId} limit 1`)
  const [parted] = await unlinkObservations(ctx, {
    assetId: survivor.id,
    observationIds: [observationId],
    reason: 'not the same',
  })
  await processMatchingQueue(ctx)
  expect(await open(ctx)).toMatchObject([{ assetId: parted?.id, affectedAssets: 1 }])
})
