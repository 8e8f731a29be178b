import { describe, expect, test } from 'vitest'
import { matchesOf } from '../find-matches.ts'
import type { Installed } from './matcher.ts'
import { before, gradeOf, rules, type RuleSpec } from './rules.fixture.ts'

const packaged = (more: Partial<Installed>): Installed => ({
  origin: 'dpkg',
  ecosystem: 'Debian:12',
  name: 'libssl3',
  version: '3.0.13-1',
  source: { name: 'openssl' },
  ...more,
})
const source = (told: RuleSpec): RuleSpec => ({ names: 'source', ...told })

describe('a distribution about its own packages', () => {
  test.each<[string, Installed, RuleSpec, string | undefined]>([
    ['by source', packaged({}), source(before('3.0.14-1')), 'exact'],
    ['with the fix', packaged({ version: '3.0.14-1' }), source(before('3.0.14-1')), undefined],
    ['never affected', packaged({}), source(before('0')), undefined],
    ['will not fix', packaged({}), source({ verdict: 'will_not_fix' }), 'exact'],
    ['is investigating', packaged({}), source({ verdict: 'under_investigation' }), 'heuristic'],
    ['disputed', packaged({}), source({ ...before('3.0.14-1'), isDisputed: true }), 'heuristic'],
    [
      'by the version of the source',
      packaged({ version: '9', source: { name: 'openssl', version: '3.0.1-1' } }),
      source(before('3.0.14-1')),
      'exact',
    ],
    ['of another name', packaged({ source: { name: 'boringssl' } }), source(before('3.0.14-1')), undefined],
    [
      'a source that is called like a binary',
      packaged({ name: 'openssl', source: { name: 'other' } }),
      source(before('9')),
      undefined,
    ],
  ])('%s', (_, installed, told, grade) => {
    expect(gradeOf(installed, rules(['Debian:12', 'openssl', told]))).toBe(grade)
  })

  test.each<[string, Partial<Installed>, string | undefined]>([
    ['that a package of it installed', { source: { name: 'python3-urllib3' } }, undefined],
    ['that no package installed', {}, 'exact'],
    [
      'that a bill of materials lists, built from something',
      { origin: 'sbom', source: { name: 'x' } },
      'exact',
    ],
  ])('the advisories of registries and a library %s', (_, more, grade) => {
    const told = rules(['PyPI', 'urllib3', before('1.26.5')])
    const purl = 'pkg:pypi/urllib3@1.24.2'
    const library = {
      origin: 'library',
      ecosystem: 'PyPI',
      name: 'urllib3',
      version: '1.24.2',
      purl,
    } as const
    expect(gradeOf({ ...library, ...more }, told)).toBe(grade)
  })

  test('"not affected" takes away what another record of it says', () => {
    const both = rules(
      ['Debian:12', 'openssl', source(before('9'))],
      ['Debian:12', 'openssl', source({ verdict: 'not_affected', feed: 'other' })],
    )
    expect(gradeOf(packaged({}), both)).toBeUndefined()
  })

  test('the ranges of NVD decide nothing about it, whatever its names', () => {
    const nvd = rules(['cpe', 'a:openssl:openssl', before('9')])
    const products = [{ name: 'a:openssl:openssl', isVendorSure: true }]
    for (const origin of ['dpkg', 'rpm', 'apk', 'pacman'] as const)
      expect(
        gradeOf(packaged({ origin, products, cpe: 'cpe:2.3:a:openssl:openssl:3.0.13:*:*:*:*:*:*:*' }), nvd),
      ).toBeUndefined()
    const listed = packaged({
      origin: 'sbom',
      purl: 'pkg:deb/debian/openssl@3.0.13-1?distro=debian-12',
      products,
    })
    expect(gradeOf(listed, nvd)).toBeUndefined()
  })

  test.each([
    ['2.5.9-110.module+el8.6.0+1', '2.5.9-111.module+el8.7.0+2', 'exact'],
    ['2.7.9-110.module+el8.6.0+1', '3.0.1-1.module+el8.7.0+2', undefined],
    ['2.5.9-110.el8', '2.5.9-111.module+el8.7.0+2', undefined],
    ['2.5.9-110.el8', '2.5.9-111.el8', 'exact'],
  ])('a module’s stream says nothing of another: %s before %s', (version, fixed, grade) => {
    const ruby = packaged({ origin: 'rpm', ecosystem: 'Red Hat:8', name: 'ruby', version, source: undefined })
    expect(gradeOf(ruby, rules(['Red Hat:8', 'ruby', before(fixed)]))).toBe(grade)
  })
})

describe('the CPE dictionary', () => {
  const chrome = (more: Partial<Installed> = {}): Installed => ({
    origin: 'windows',
    ecosystem: '',
    name: 'Google Chrome',
    version: '120.0.1',
    products: [{ name: 'a:google:chrome', isVendorSure: true }],
    ...more,
  })
  test.each<[string, Installed, RuleSpec, string | undefined]>([
    ['vendor and product agree', chrome(), before('121'), 'exact'],
    [
      'a name without vendor',
      chrome({ products: [{ name: 'a:google:chrome', isVendorSure: false }] }),
      before('121'),
      'fuzzy',
    ],
    ['for its platform', chrome(), { ...before('121'), cpe: { targetSw: 'windows' } }, 'exact'],
    ['for another platform', chrome(), { ...before('121'), cpe: { targetSw: 'android' } }, undefined],
    ['for another edition, perhaps', chrome(), { ...before('121'), cpe: { swEdition: 'lts' } }, 'heuristic'],
    ['on this system', chrome(), { ...before('121'), runningOn: ['o:microsoft:windows'] }, 'exact'],
    ['on another system', chrome(), { ...before('121'), runningOn: ['o:apple:macos'] }, undefined],
    ['together with some hardware', chrome(), { ...before('121'), runningOn: ['h:acme:box'] }, 'heuristic'],
    ['without any bound', chrome(), {}, 'heuristic'],
    [
      'an update that it has',
      chrome({ version: '9.8p1' }),
      { versions: ['9.8p1'], cpe: { update: 'p1' } },
      'exact',
    ],
    [
      'an update that it does not have',
      chrome({ version: '9.8' }),
      { versions: ['9.8'], cpe: { update: 'rc1' } },
      undefined,
    ],
    ['a banner', chrome({ origin: 'banner' }), before('121'), 'heuristic'],
    [
      'a banner that a distribution built',
      chrome({ origin: 'banner', version: '9.2p1 Debian-2+deb12u3' }),
      before('121'),
      undefined,
    ],
    ['without a version', chrome({ version: '' }), before('121'), undefined],
    [
      'by its own CPE',
      chrome({ products: [], version: '', cpe: 'cpe:2.3:a:google:chrome:120.0.1:*:*:*:*:*:*:*' }),
      before('121'),
      'exact',
    ],
  ])('%s', (_, installed, told, grade) => {
    expect(gradeOf(installed, rules(['cpe', 'a:google:chrome', told]))).toBe(grade)
  })
})

describe('whose product it is', () => {
  const git = (more: Partial<Installed>): Installed => ({
    origin: 'windows',
    ecosystem: '',
    name: 'Git',
    version: '2.40.0',
    ...more,
  })
  const named = (name: string, isVendorSure: boolean) => ({ products: [{ name, isVendorSure }] })
  const sbom = (name: string, more: Partial<Installed>): Installed => git({ origin: 'sbom', name, ...more })
  test.each<[string, Installed, readonly [string, RuleSpec], string | undefined]>([
    [
      'the source names the maker',
      git(named('a:git-scm:git', true)),
      ['a:git-scm:git', before('3')],
      'exact',
    ],
    [
      'a word of many products',
      git(named('a:git-scm:git', false)),
      ['a:git-scm:git', before('3')],
      undefined,
    ],
    [
      'a name of its own',
      git({ name: 'TeamViewer', ...named('a:teamviewer:teamviewer', false) }),
      ['a:teamviewer:teamviewer', before('3')],
      'heuristic',
    ],
    [
      'a bill that makes up a CPE name',
      sbom('gitlab', { cpe: 'cpe:2.3:a:gitlab:gitlab:2.40.0:*:*:*:*:*:*:*' }),
      ['a:gitlab:gitlab', before('3')],
      'heuristic',
    ],
    [
      'a bill that names the maker',
      sbom('gitlab', { vendor: 'GitLab Inc.', cpe: 'cpe:2.3:a:gitlab:gitlab:2.40.0:*:*:*:*:*:*:*' }),
      ['a:gitlab:gitlab', before('3')],
      'exact',
    ],
    [
      'a program found in a file',
      sbom('redis', { purl: 'pkg:generic/redis@2.40.0', cpe: 'cpe:2.3:a:redis:redis:2.40.0:*:*:*:*:*:*:*' }),
      ['a:redis:redis', before('3')],
      'fuzzy',
    ],
    ['a bill without coordinates', sbom('docker', {}), ['a:docker:docker', before('3')], undefined],
    [
      'a plugin of Jenkins by its URL, whatever else is called so',
      sbom('git', {
        purl: 'pkg:maven/org.jenkins-ci.plugins/git@2.40.0',
        cpe: 'cpe:2.3:a:git:git:2.40.0:*:*:*:*:*:*:*',
      }),
      ['a:git:git', before('3')],
      undefined,
    ],
    [
      'a plugin of Jenkins by its CPE name, and the program',
      sbom('git', { cpe: 'cpe:2.3:a:jenkins:git:2.40.0:*:*:*:*:jenkins:*:*' }),
      ['a:jenkins:git', before('3')],
      undefined,
    ],
    [
      'a plugin of Jenkins by its CPE name, and the plugin',
      sbom('git', { vendor: 'Jenkins', cpe: 'cpe:2.3:a:jenkins:git:2.40.0:*:*:*:*:jenkins:*:*' }),
      ['a:jenkins:git', { ...before('3'), cpe: { targetSw: 'jenkins' } }],
      'exact',
    ],
    [
      'a gem, and a library of C',
      sbom('zlib', { purl: 'pkg:gem/zlib@1.0.0', cpe: 'cpe:2.3:a:zlib:zlib:1.0.0:*:*:*:*:*:*:*' }),
      ['a:zlib:zlib', before('1.3')],
      undefined,
    ],
    [
      'a module, and the program it is a part of',
      sbom('maven-model', {
        purl: 'pkg:maven/org.apache.maven/maven-model@3.6.3',
        cpe: 'cpe:2.3:a:apache:maven:3.6.3:*:*:*:*:*:*:*',
      }),
      ['a:apache:maven', before('3.8.1')],
      undefined,
    ],
  ])('%s', (_, installed, told, grade) => {
    expect(gradeOf(installed, rules(['cpe', ...told]))).toBe(grade)
  })
})

test('a match says how it came about', () => {
  const [match] = matchesOf(
    packaged({}),
    rules(['Debian:12', 'openssl', source({ ...before('3.0.14-1'), fixedBy: 'DSA-1' })]),
  )
  expect(match).toMatchObject({
    cveId: 'CVE-1',
    confidence: 0.99,
    fixedVersion: '3.0.14-1',
    derivation: {
      by: 'distribution',
      ecosystem: 'Debian:12',
      package: 'openssl',
      rule: 'before 3.0.14-1',
      algorithm: 'dpkg',
      installedVersion: '3.0.13-1',
      fixedBy: 'DSA-1',
    },
  })
})
