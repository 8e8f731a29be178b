import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { install, createAsset, createMatches, createSoftware, sync } from '../findings.fixture.ts'
import {
  distributionPackageNames,
  upstreamVersion,
  withoutDistributionLibraries,
  wordKeys,
} from './distribution-libraries.ts'
import { listFindings } from '../vulnerabilities.ts'

/** Each: what the registry calls it, what a distribution does, and whether they are the same. */
test.each<[string, readonly [string, string, string], readonly [string, string], boolean]>([
  ['Red Hat', ['PyPI', 'urllib3', '1.24.2'], ['python3-urllib3', '1.24.2-5.el8'], true],
  ['Debian', ['PyPI', 'pyyaml', '5.4.1'], ['python3-yaml', '5.4.1-1+deb11u1'], true],
  ['another version', ['PyPI', 'urllib3', '1.26.5'], ['python3-urllib3', '1.24.2-5.el8'], false],
  ['Debian, Java', ['Maven', 'org.jsoup:jsoup', '1.14.2'], ['libjsoup-java', '1.14.2-1'], true],
  [
    'Red Hat, Java',
    ['Maven', 'org.jsoup:jsoup', '1.11.3'],
    ['jsoup', '1.11.3-3.module+el8+2452+b359bfcd'],
    true,
  ],
  ['Apache', ['Maven', 'commons-io:commons-io', '2.6'], ['apache-commons-io', '1:2.6-6.el8'], true],
  ['Ruby', ['RubyGems', 'rexml', '3.2.5'], ['rubygem-rexml', '3.2.5-160.el9'], true],
  ['what was repacked', ['npm', 'lodash', '4.17.21'], ['node-lodash', '4.17.21+dfsg+~cs8.31.198-1'], true],
  [
    'a plugin and a program',
    ['Maven', 'org.jenkins-ci.plugins:git', '2.39.2'],
    ['libgit-perl', '2.39.2-1'],
    false,
  ],
  ['a module of Red Hat', ['PyPI', 'idna', '2.8'], ['python38-idna', '2.8-6.module+el8'], true],
  ['a Python of Red Hat', ['PyPI', 'idna', '3.4'], ['python3.11-idna', '3.4-1.el9'], true],
  ['a Python of SUSE', ['PyPI', 'idna', '3.4'], ['python311-idna', '3.4-1.2'], true],
  ['the major in its name', ['RubyGems', 'rails', '7.0.4'], ['rubygem-rails7', '7.0.4-1'], true],
  [
    'the major before its end',
    ['Maven', 'x:commons-text', '1.10'],
    ['libcommons-text1-java', '1.10-1'],
    true,
  ],
  ['another major', ['RubyGems', 'rails', '6.1.7'], ['rubygem-rails7', '6.1.7-1'], false],
  ['a Ruby of Alpine', ['RubyGems', 'rexml', '3.2.5'], ['ruby3.2-rexml', '3.2.5-r0'], true],
  ['Go within a program built here', ['Go', 'stdlib', 'v1.19.8'], ['golang-1.19', '1.19.8-2'], false],
  ['a numeric tail', ['PyPI', 'foo', '1.2.3'], ['python3-foo', '1.2.3.1-1'], true],
  ['trailing zeros', ['PyPI', 'foo', '1.2.0'], ['python3-foo', '1.2-1'], true],
  ['more of a version', ['PyPI', 'foo', '1.2'], ['python3-foo', '1.2.3-1'], false],
  [
    'the Python of the system itself',
    ['PyPI', 'pip', '9.0.3'],
    ['platform-python-pip', '9.0.3-22.el8'],
    true,
  ],
  ['a scope', ['npm', '@babel/traverse', '7.20.12'], ['node-babel-traverse', '7.20.12+ds1-1'], true],
  ['another package of that name', ['npm', '@types/node', '18.0.0'], ['node-node', '18.0.0-1'], false],
  [
    'a vendor of PHP',
    ['Packagist', 'symfony/http-kernel', '5.4.19'],
    ['php-symfony-http-kernel', '5.4.19+dfsg-1'],
    true,
  ],
  ['R', ['CRAN', 'XML', '3.99-0.13'], ['r-cran-xml', '3.99-0.13-1'], true],
  ['Haskell', ['Hackage', 'aeson', '2.0.3.0'], ['libghc-aeson-dev', '2.0.3.0-1+b1'], true],
  [
    'what Java calls its releases',
    ['Maven', 'io.netty:netty-all', '4.1.48.Final'],
    ['netty-all', '4.1.48-4.el9'],
    true,
  ],
  ['for one Java', ['Maven', 'com.google.guava:guava', '31.0.1-jre'], ['guava', '31.0.1-3.module+el8'], true],
  [
    'a project under its old name',
    ['Maven', 'commons-httpclient:commons-httpclient', '3.1'],
    ['jakarta-commons-httpclient', '1:3.1-16.el7_0'],
    true,
  ],
  [
    'the major within its name',
    ['Maven', 'com.fasterxml.jackson.core:jackson-databind', '2.14.0'],
    ['libjackson2-databind-java', '2.14.0-1'],
    true,
  ],
  [
    'one artifact of many of a project',
    ['Maven', 'org.apache.logging.log4j:log4j-core', '2.17.1'],
    ['liblog4j2-java', '2.17.1-1~deb11u1'],
    true,
  ],
  [
    'embedded in programs, of a project',
    ['Maven', 'org.apache.tomcat.embed:tomcat-embed-core', '9.0.43'],
    ['libtomcat9-java', '9.0.43-2~deb11u9'],
    true,
  ],
  [
    'a project of a distribution, in another version',
    ['Maven', 'org.eclipse.jetty:jetty-http', '9.4.50'],
    ['libjetty9-java', '9.4.53-1'],
    false,
  ],
  [
    'a group of many projects',
    ['Maven', 'org.apache.commons:commons-text', '1.9'],
    ['apache-commons', '1.9-1'],
    false,
  ],
  ['a pre-release', ['PyPI', 'foo', '4.0rc1'], ['python3-foo', '4.0~rc1-1'], true],
  ['a pre-release and the release', ['PyPI', 'foo', '4.0'], ['python3-foo', '4.0~rc1-1'], false],
  ['what they do not ship so', ['Go', 'golang.org/x/crypto', '0.17.0'], ['crypto', '0.17.0-1'], false],
])('%s', (_, [ecosystem, name, version], [built, builtVersion], isShipped) => {
  const holding = { assetId: 'a', kernel: '', origin: 'sbom', ids: [1, 2], seenAt: '' }
  const library = { softwareId: 1, ecosystem, package: name, version }
  const [left] = withoutDistributionLibraries(
    [holding],
    [library],
    [{ id: 2, name: built, sourceName: '', version: builtVersion, ecosystem: '' }],
  )
  expect(left?.ids).toEqual(isShipped ? [2] : [1, 2])
})

test('another inventory ships nothing', () => {
  const about = (ids: number[]) => ({ assetId: 'a', kernel: '', origin: 'sbom', ids, seenAt: '' })
  const library = { softwareId: 1, ecosystem: 'PyPI', package: 'urllib3', version: '1' }
  const built = { id: 2, name: 'python3-urllib3', sourceName: '', version: '1-1', ecosystem: 'Debian:12' }
  expect(withoutDistributionLibraries([about([1]), about([2])], [library], [built])).toEqual([
    about([1]),
    about([2]),
  ])
})

test('where a distribution lists fixes only, it has the last word on what it speaks of, and on nothing else', () => {
  const set = { assetId: 'a', kernel: '', origin: 'sbom', ids: [1, 2], seenAt: '' }
  const library = { softwareId: 1, ecosystem: 'PyPI', package: 'django', version: '1.11.29' }
  const built = (ecosystem: string) => ({
    id: 2,
    name: 'py3-django',
    sourceName: '',
    version: '1.11.29-r1',
    ecosystem,
  })
  const word = {
    feed: 'alpine',
    advisoryId: 'CVE-2020-9402',
    cveIds: ['CVE-2020-9402'],
    isDisputed: false,
    rules: [],
  }
  const of = (ecosystem: string) =>
    withoutDistributionLibraries(
      [set],
      [library],
      [built(ecosystem)],
      [
        { ...word, ecosystem: 'Alpine:v3.12', package: 'py3-django' },
        {
          ...word,
          advisoryId: 'CVE-2020-1',
          cveIds: ['CVE-2020-1'],
          ecosystem: 'Alpine:v3.12',
          package: 'py3-other',
        },
      ],
    )
  expect(of('Alpine:v3.12')).toEqual([{ ...set, except: new Set(['1 CVE-2020-9402']) }])
  expect(of('Wolfi')).toEqual([set])
  expect(of('Debian:12')).toEqual([{ ...set, ids: [2] }])
  expect(wordKeys([built('Alpine:v3.12'), built('Debian:12')])).toEqual([
    { ecosystem: 'Alpine:v3.12', package: 'py3-django' },
  ])
})

test('versions without what a distribution adds', () => {
  expect(['1:2.3-4', '2.3', '2.3+dfsg-1', '2.3~ds1-1', '2.3-r4'].map(upstreamVersion)).toEqual(
    Array.from({ length: 5 }, () => '2.3'),
  )
  expect(distributionPackageNames({ ecosystem: 'crates.io', package: 'libc' })).toEqual([])
})

const openOf = async (ctx: Ctx) => (await listFindings(ctx, { limit: 10, offset: 0 })).items

test('a library that the distribution ships is nobody else’s business, until the distribution ships another', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  const assetId = await createAsset(ctx)
  const library = await createSoftware(ctx, {
    name: 'urllib3',
    version: '1.24.2',
    origin: 'sbom',
    ecosystem: 'PyPI',
  })
  await ctx.db.run(sql`update software set purl = 'pkg:pypi/urllib3@1.24.2' where id = ${library}`)
  await createMatches(ctx, library, [{ cveId: 'CVE-2019-11236' }])
  const shipped = { name: 'python3-urllib3', origin: 'rpm', ecosystem: 'Red Hat:8' }
  const same = await createSoftware(ctx, { ...shipped, version: '1.24.2-5.el8' })
  const other = await createSoftware(ctx, { ...shipped, version: '1.26.5-1.el8' })

  await install(ctx, assetId, [library, same], 'sbom')
  await sync(ctx, assetId)
  expect(await openOf(ctx)).toEqual([])

  await install(ctx, assetId, [library, other], 'sbom')
  await sync(ctx, assetId)
  expect(await openOf(ctx)).toMatchObject([{ cveId: 'CVE-2019-11236' }])

  await install(ctx, assetId, [library, same], 'sbom')
  await sync(ctx, assetId)
  expect(await openOf(ctx)).toEqual([])
})

test('a library that Alpine ships is open for its registry, but for what Alpine speaks of', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  const assetId = await createAsset(ctx)
  const library = await createSoftware(ctx, {
    name: 'django',
    version: '1.11.29',
    origin: 'sbom',
    ecosystem: 'PyPI',
  })
  await ctx.db.run(sql`update software set purl = 'pkg:pypi/django@1.11.29' where id = ${library}`)
  await createMatches(ctx, library, [{ cveId: 'CVE-2030-11' }, { cveId: 'CVE-2030-12' }])
  const built = { name: 'py3-django', origin: 'apk', ecosystem: 'Alpine:v3.12', version: '1.11.29-r2' }
  await home.runtime.system.db.run(sql`
    insert into advisories (feed, key, id, parts, digest, state, is_disputed, cve_ids, body)
    values ('alpine', 'a12', 'CVE-2030-12', array['p'], '', 'published', false, array['CVE-2030-12'], '{}'::json)`)
  await home.runtime.system.db.run(sql`
    insert into advisory_rules (ecosystem, package, feed, key, advisory_id, cve_ids, is_disputed, rules)
    values ('Alpine:v3.12', 'py3-django', 'alpine', 'a12', 'CVE-2030-12', array['CVE-2030-12'], false, '[]'::json)`)
  await install(ctx, assetId, [library, await createSoftware(ctx, built)], 'sbom')
  await sync(ctx, assetId)
  expect((await openOf(ctx)).map(({ cveId }) => cveId)).toEqual(['CVE-2030-11'])
})
