import { describe, expect, test } from 'vitest'
import { compareToBound, compareVersions, schemeOf, schemes, type Scheme } from './compare.ts'

/** Each list is in order, the oldest first. Written for this test after the documents that the comparators name. */
const ascending: Readonly<Record<Scheme, readonly string[]>> = {
  dpkg: [
    '1.0~~',
    '1.0~rc1',
    '1.0',
    '1.0-1~deb12u1',
    '1.0-1',
    '1.0-1+b1',
    '1.0-2',
    '1.0a',
    '1.0+x',
    '1.10',
    '1:0.1',
  ],
  rpm: ['1.0~rc1-1', '1.0-1', '1.0^git1-1', '1.0.a-1', '1.0.1-1.el8', '1.0.1-1.el9', '1.0.10-1', '1:0.5-1'],
  apk: [
    '1.0_alpha',
    '1.0_beta2',
    '1.0_rc1',
    '1.0',
    '1.0-r1',
    '1.0_git20240101',
    '1.0_p1',
    '1.0a',
    '1.0.01',
    '1.0.1',
  ],
  pacman: ['1.0a-1', '1.0b-1', '1.0beta-1', '1.0rc-1', '1.0-1', '1.0-2', '1.0.a-1', '1.0.1-1', '1:0.9-1'],
  portage: ['1.0_alpha1', '1.0_rc2', '1.0', '1.0-r1', '1.0_p1', '1.0.1', '1.1'],
  semver: [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    'v1.0.0',
    '1.0.1',
    '1.10',
  ],
  pub: ['1.0.0-dev', '1.0.0', '1.0.0+1', '1.0.0+2', '1.0.1'],
  pep440: [
    '1.0.dev1',
    '1.0a1',
    '1.0b2',
    '1.0rc1',
    '1.0',
    '1.0+deb1',
    '1.0.post1',
    '1.1.dev1',
    '1.1',
    '1!0.1',
  ],
  maven: [
    '1.0-alpha-1',
    '1.0-beta-1',
    '1.0-m2',
    '1.0-rc1',
    '1.0-SNAPSHOT',
    '1.0',
    '1.0-sp1',
    '1.0-jre',
    '1.0-1',
    '1.0.1',
  ],
  rubygems: ['1.0.0.alpha', '1.0.0.beta1', '1.0.0.pre', '1.0.0.rc1', '1.0.0', '1.0.1-java', '1.0.2'],
  nuget: ['1.0.0-ALPHA', '1.0.0-beta', '1.0.0', '1.0.0.1', '1.0.1'],
  packagist: ['1.0-dev', '1.0.0-alpha1', '1.0.0-beta', '1.0.0-RC1', 'v1.0', '1.0.0-patch1', '1.0.1'],
  cran: ['0.9-1', '0.9-2', '0.9.10', '1.0'],
  hackage: ['1.0', '1.0.0', '1.0.1'],
  bitnami: ['1.0.0-1', '1.0.1-5', '1.1.0-0'],
  jvm: ['1.7.0_80', '1.8.0', '1.8.0_131', '1.8.0_401-b10', '9', '11.0.4', '17.0.9+9'],
  windows: ['6.1.7601', '10.0.17763.5458', '10.0.20348.2340', '10.0.20348.10000'],
  generic: ['1.0-beta2', '1.0-rc1', '1.0', '1.0.2', '1.0.2k', '1.0.2zb', '1.0.3', '98SE', '98SP1'],
}

/** Different spellings of one version. */
const equal: Readonly<Partial<Record<Scheme, readonly (readonly [string, string])[]>>> = {
  dpkg: [
    ['0:1.0', '1.0-0'],
    ['1.00', '1.0'],
  ],
  rpm: [
    ['0:1.0-1', '1.0-1'],
    ['1.0001', '1.1'],
    ['1_0', '1.0'],
  ],
  pacman: [['1.0', '1.0-3']],
  semver: [
    ['v1.2', '1.2.0+build5'],
    ['go1.21.0', '1.21'],
  ],
  pep440: [
    ['1.0-ALPHA_2', '1.0a2'],
    ['1.0-4', '1.0.post4'],
    ['1', '1.0.0'],
  ],
  maven: [
    ['1.0.0.Final', '1'],
    ['1a1', '1-alpha-1'],
    ['1-cr2', '1RC2'],
  ],
  rubygems: [
    ['1.0', '1'],
    ['1.16.2-x86_64-linux', '1.16.2'],
  ],
  nuget: [['1.0.0.0-RC', '1.0-rc']],
  packagist: [
    ['V1.2', '1.2.0.0'],
    ['1.0b2', '1.0.0-beta.2'],
  ],
  jvm: [['1.8.0_131-b11', '8.0.131']],
  windows: [['10.0.17763', '10.0.17763.0']],
  generic: [
    ['v1.0', '1'],
    ['2023.02.13', '2023-2-13'],
  ],
}

describe.each(schemes)('versions of %s', (scheme) => {
  test('stand in their order', () => {
    const versions = ascending[scheme]
    const found = versions.flatMap((a, i) =>
      versions.map((b, j) => [a, b, compareVersions(scheme, a, b), Math.sign(i - j)]),
    )
    expect(found.filter(([, , got, wanted]) => got !== wanted)).toEqual([])
  })

  test('are the same in other spellings', () => {
    const found = (equal[scheme] ?? []).map(([a, b]) => [a, b, compareVersions(scheme, a, b)])
    expect(found.filter(([, , got]) => got !== 0)).toEqual([])
  })

  test('are not comparable with nothing', () => {
    expect(compareVersions(scheme, '', '1.0')).toBeUndefined()
    expect(compareVersions(scheme, '1.0', ' ')).toBeUndefined()
  })
})

test('what is no version of its scheme is not comparable', () => {
  expect(compareVersions('semver', 'latest', '1.0.0')).toBeUndefined()
  expect(compareVersions('windows', '10.0.1a', '10.0.1')).toBeUndefined()
})

test('an ecosystem has its order, whatever its release', () => {
  const found = [
    'Debian:12',
    'Ubuntu:22.04:LTS',
    'Alpine:v3.19',
    'Red Hat:8',
    'Rocky Linux:9',
    'PyPI',
    'cpe',
  ].map(schemeOf)
  expect(found).toEqual(['dpkg', 'dpkg', 'apk', 'rpm', 'rpm', 'pep440', 'generic'])
})

test('what one side does not know is not held against the other', () => {
  expect(compareToBound('rpm', '1.2-1', '1:1.1-1')).toBe(1)
  expect(compareVersions('rpm', '1.2-1', '1:1.1-1')).toBe(-1)
  expect(compareToBound('rpm', '0:1.2-1', '1:1.1-1')).toBe(-1)
  expect(compareToBound('pep440', '2.0+cu118', '2.0')).toBe(0)
  expect(compareVersions('pep440', '2.0+cu118', '2.0')).toBe(1)
})

test.each([
  ['2.0GA', '2.0_rc9', 1],
  ['2.0GA', '2.0', 0],
  ['2.0.GA', '2.0-cr2', 1],
  ['1.1.1-a1', '1.1.1', -1],
  ['1.1.1-a1', '1.1.1-b1', -1],
  ['1.1.1-rc', '1.1.1', -1],
  // a letter alone is no short form to Maven
  ['1.1.1-a', '1.1.1', 1],
])('of Maven, %s against %s', (a, b, order) => {
  expect(compareVersions('maven', a, b)).toBe(order)
  expect(compareVersions('maven', b, a)).toBe(order === 0 ? 0 : -order)
})

test.each([
  ['1.1.1-a', '1.1.1', -1],
  ['1.1.1-b2', '1.1.1-rc1', -1],
  ['1.1.1a', '1.1.1', 1],
  ['2.0GA', '2.0', 0],
  ['2.0GA', '2.0_rc9', 1],
  ['2.0_rc9', '2.0.Final', -1],
  ['2.0-M1', '2.0-rc1', -1],
  ['15.2(4)M3', '15.2(4)', 1],
  ['121.0-nightly', '121.0', -1],
  ['6.4.2-lts', '6.4.2', 0],
  ['12.1R3-S4', '12.1R3', 1],
])('where nobody knows the scheme, %s against %s', (a, b, order) => {
  expect(compareVersions('generic', a, b)).toBe(order)
})
