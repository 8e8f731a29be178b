import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { libraryOf, type BuiltPackage } from './distribution-libraries.ts'
import { withUnconfirmed } from './unconfirmed-libraries.ts'
import type { SoftwareSet } from './software-set.ts'
import { getFindingDetail } from '../findings/search.ts'
import { findingGroups } from '../findings/groups.ts'
import { listFindings } from '../vulnerabilities.ts'
import { createAsset, createMatches, createSoftware, install, sync } from '../findings.fixture.ts'

const LIBRARY = 1
const NAMED = 2
const OTHER = 3

interface Told {
  readonly name?: string
  readonly purl?: string
  readonly origin?: string
  readonly distribution?: string
  /** Name of a package of the distribution that the list has, too. */
  readonly named?: string
  /** The bill has a package of the distribution whose name says nothing of libraries. */
  readonly isListed?: boolean
}

const setOf = ({ origin = 'sbom', distribution = '', named, isListed }: Told): SoftwareSet => ({
  assetId: 'a',
  kernel: '',
  origin,
  distribution,
  ids: [LIBRARY, ...(named === undefined ? [] : [NAMED]), ...(isListed ? [OTHER] : [])],
  seenAt: '',
})

function isUnconfirmed(told: Told, others: readonly SoftwareSet[] = []): boolean {
  const { name = 'gadgetry', purl = 'pkg:pypi/gadgetry@1.4.2', named, isListed } = told
  const program = { id: LIBRARY, origin: 'sbom', name, version: '1.4.2', purl, cpe: '' }
  const library = libraryOf(program)
  const built: BuiltPackage = {
    id: NAMED,
    name: named ?? '',
    sourceName: '',
    version: '5-1',
    ecosystem: 'Debian:12',
  }
  const [set] = withUnconfirmed([setOf(told), ...others], library ? [library] : [], {
    named: named === undefined && others.length === 0 ? [] : [built],
    listed: new Set(isListed ? [OTHER] : []),
  })
  return set?.unconfirmed?.has(LIBRARY) ?? false
}

test.each<[string, Told, boolean]>([
  ['an application’s own bill, of no distribution', {}, false],
  ['an image whose system is told, without its packages', { distribution: 'Debian:12' }, true],
  ['the whole of Debian’s packages', { distribution: 'Debian:12', named: 'base-files' }, false],
  ['the whole of Red Hat’s packages', { distribution: 'Red Hat:9', named: 'filesystem' }, false],
  ['the whole of Alpine’s packages', { named: 'alpine-baselayout' }, false],
  ['a part of the packages, and no system told', { isListed: true }, true],
  ['a part of the packages, another version of the library', { named: 'python3-gadgetry' }, true],
  ['of a host whose package manager listed a part', { origin: 'dpkg' }, true],
  ['Ruby', { purl: 'pkg:gem/gadgetry@1.4.2', distribution: 'Debian:12' }, true],
  ['Java', { purl: 'pkg:maven/org.acme/gadgetry@1.4.2', distribution: 'SUSE:15' }, true],
  [
    'Go, which no distribution ships as a library',
    { purl: 'pkg:golang/a.example/g@v1', distribution: 'Debian:12' },
    false,
  ],
  ['Rust', { purl: 'pkg:cargo/gadgetry@1.4.2', distribution: 'Debian:12' }, false],
  ['.NET', { purl: 'pkg:nuget/Gadgetry@1.4.2', distribution: 'Debian:12' }, false],
  ['a program by its file', { name: 'openssl', purl: '', distribution: 'Red Hat:8' }, true],
  [
    'its URL says who installed it',
    { purl: 'pkg:pypi/gadgetry@1.4.2?distro=debian-12', distribution: 'Debian:12' },
    false,
  ],
])('issue 18: is a registry’s word unconfirmed: %s', (_, told, wanted) => {
  expect(isUnconfirmed(told)).toBe(wanted)
})

test('issue 18: another source of the asset may list the whole of the packages', () => {
  const whole = { ...setOf({ origin: 'dpkg' }), ids: [NAMED] }
  const told = { distribution: 'Debian:12', named: 'base-files' }
  const bill = setOf({ distribution: 'Debian:12' })
  const asked = (assetId: string) =>
    withUnconfirmed(
      [bill, { ...whole, assetId }],
      [{ softwareId: LIBRARY, ecosystem: 'PyPI', package: 'gadgetry', version: '1.4.2' }],
      {
        named: [{ id: NAMED, name: told.named, sourceName: '', version: '12', ecosystem: told.distribution }],
        listed: new Set(),
      },
    )[0]?.unconfirmed?.size ?? 0
  expect(['a', 'of another asset'].map(asked)).toEqual([0, 1])
})

const listed = async (ctx: Ctx, where: string) =>
  (await listFindings(ctx, { limit: 10, offset: 0 }, { where })).items

test('issue 18: unconfirmed until the packages of the distribution are known, and again when they are not', async () => {
  const ctx = await (await testApp()).newTenant()
  const [image, application] = [await createAsset(ctx), await createAsset(ctx)]
  const library = await createSoftware(ctx, {
    name: 'gadgetry',
    version: '1.4.2',
    origin: 'sbom',
    ecosystem: 'PyPI',
  })
  await ctx.db.run(sql`update software set purl = 'pkg:pypi/gadgetry@1.4.2' where id = ${library}`)
  await createMatches(ctx, library, [{ cveId: 'CVE-2031-1', confidence: 0.97 }])
  const base = await createSoftware(ctx, { name: 'base-files', version: '12.4', origin: 'dpkg' })
  await ctx.db.run(sql`
    insert into software_systems (tenant_id, observation_id, os_id, version_id, codename, pretty_name, kernel, ecosystem, reported_at)
    select ${ctx.tenantId}, id, 'debian', '12', '', '', '', 'Debian:12', ${ctx.now()}
    from asset_observations where tenant_id = ${ctx.tenantId} and asset_id = ${image}`)
  const lists = async (assetId: string, ids: readonly number[]) => {
    await install(ctx, assetId, ids, 'sbom')
    await sync(ctx, assetId)
  }
  await lists(application, [library])
  await lists(image, [library])
  const [found, ...others] = await listed(ctx, 'unconfirmed = yes')
  expect([found, others]).toMatchObject([{ assetId: image, matchType: 'fuzzy', confidence: 0.8 }, []])
  expect(await listed(ctx, 'unconfirmed = no')).toMatchObject([
    { assetId: application, matchType: 'exact', confidence: 0.97 },
  ])
  const detail = () => getFindingDetail(ctx, found?.id ?? '')
  expect(await detail()).toMatchObject({
    isUnconfirmed: true,
    attributions: [{ isUnconfirmed: true, matchType: 'fuzzy', confidence: 0.8 }],
  })
  const sharesByMatch = async () =>
    (await findingGroups(ctx, { limit: 9, offset: 0 }, { by: 'match', where: '' })).items.map(
      ({ riskShare }) => Math.round(riskShare * 100),
    )
  expect(await sharesByMatch()).toEqual([59, 41])

  await lists(image, [library, base])
  expect(await listed(ctx, 'unconfirmed = yes')).toEqual([])
  expect(await detail()).toMatchObject({
    isUnconfirmed: false,
    matchType: 'exact',
    confidence: 0.97,
    attributions: [{ isUnconfirmed: false, matchType: 'exact', endedAt: null }],
  })
  expect((await detail()).history).toHaveLength(1)

  await lists(image, [library])
  expect(await listed(ctx, 'unconfirmed = yes')).toMatchObject([{ id: found?.id }])
})
