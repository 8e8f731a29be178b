import { expect, test } from 'vitest'
import type { PackageRules } from '#features/advisories/advisories.ts'
import { keysOf, matchesOf } from '../find-matches.ts'
import type { Installed } from './matcher.ts'

/** Distributions that list what they fixed, and not what is open. */

const rulesOf =
  (...all: readonly PackageRules[]) =>
  ({ ecosystem, package: name }: { readonly ecosystem: string; readonly package: string }) =>
    all.filter((it) => it.ecosystem === ecosystem && it.package === name)

const about = (ecosystem: string, name: string, cveId: string, fixed: string): PackageRules => ({
  feed: ecosystem === 'cpe' ? 'nvd' : ecosystem === 'PyPI' ? 'osv' : 'alpine',
  advisoryId: cveId,
  cveIds: [cveId],
  isDisputed: false,
  ecosystem,
  package: name,
  rules: [
    {
      ecosystem,
      package: name,
      names: ecosystem.startsWith('Alpine') ? 'source' : undefined,
      verdict: fixed === '0' ? 'not_affected' : 'affected',
      ranges: fixed === '0' ? [{}] : [{ fixed }],
      versions: [],
    } as PackageRules['rules'][number],
  ],
})

const built = (name: string, version: string, source?: string, ecosystem = 'Alpine:v3.18'): Installed => ({
  origin: 'apk',
  ecosystem,
  name,
  version,
  ...(source !== undefined && { source: { name: source } }),
})

const open = about('cpe', 'a:haxx:curl', 'CVE-2030-1', '8.5.0')
const fixedByThem = about('cpe', 'a:haxx:curl', 'CVE-2030-2', '8.5.0')
const theirFix = about('Alpine:v3.18', 'curl', 'CVE-2030-2', '8.4.0-r2')
const found = (installed: Installed, ...rules: readonly PackageRules[]) =>
  matchesOf(installed, rulesOf(...rules)).map(({ cveId, grade, feed }) => `${cveId} ${grade} ${feed}`)

test.each<[string, Installed, readonly PackageRules[], readonly string[]]>([
  [
    'open, and the feed does not speak of it',
    built('curl', '8.4.0-r3'),
    [open, theirFix],
    ['CVE-2030-1 fuzzy nvd'],
  ],
  [
    'by the package that it was built from',
    built('libcurl', '8.4.0-r3', 'curl'),
    [open, theirFix],
    ['CVE-2030-1 fuzzy nvd'],
  ],
  ['fixed under the old version of the maker', built('curl', '8.4.0-r3'), [fixedByThem, theirFix], []],
  [
    'not fixed yet: once, as they say',
    built('curl', '8.4.0-r1'),
    [fixedByThem, theirFix],
    ['CVE-2030-2 exact alpine'],
  ],
  ['never affected', built('curl', '8.4.0-r3'), [open, about('Alpine:v3.18', 'curl', 'CVE-2030-1', '0')], []],
  [
    'the feed of another release',
    built('curl', '8.4.0-r3'),
    [open, about('Alpine:v3.19', 'curl', 'CVE-2030-2', '1')],
    [],
  ],
  ['no feed', built('curl', '8.4.0-r3'), [open], []],
  ['fixed by the maker', built('curl', '8.5.0-r0'), [open, theirFix], []],
  [
    'Debian lists what is open',
    { ...built('curl', '8.4.0-1', undefined, 'Debian:12'), origin: 'dpkg' },
    [open, about('Debian:12', 'curl', 'CVE-2030-2', '1')],
    [],
  ],
])('a program: %s', (_, installed, rules, expected) => {
  expect(found(installed, ...rules)).toEqual(expected)
})

test.each([
  {
    name: 'openssh-server',
    version: '9.3_p1-r3',
    source: 'openssh',
    product: 'a:openbsd:openssh',
    upstream: '9.3p1',
  },
  {
    name: 'python3',
    version: '3.11.6-r0',
    source: 'python3',
    product: 'a:python:python',
    upstream: '3.11.6',
  },
  { name: 'php82', version: '8.2.1-r0', source: 'php82', product: 'a:php:php', upstream: '8.2.1' },
])('$name $version is $product $upstream', ({ name, version, source, product, upstream }) => {
  const rules = [about('cpe', product, 'CVE-2030-3', '99'), about('Alpine:v3.18', source, 'CVE-2030-4', '0')]
  const [match] = matchesOf(built(name, version, source), rulesOf(...rules))
  expect(match?.derivation).toMatchObject({ installedVersion: upstream, package: product })
  expect(match?.derivation.notes.at(-1)).toBe(`Alpine:v3.18 lists fixes only, and none of this in ${source}`)
})

const django: Installed = {
  origin: 'library',
  ecosystem: 'PyPI',
  name: 'Django',
  version: '1.11.29',
  purl: 'pkg:pypi/django@1.11.29?distro=alpine-3.18.4',
  source: { name: 'py3-django' },
}
const ofRegistry = about('PyPI', 'django', 'CVE-2030-5', '2.2.24')

test.each<[string, Installed, readonly PackageRules[], readonly string[]]>([
  ['open', django, [ofRegistry], ['CVE-2030-5 fuzzy osv']],
  [
    'fixed by the distribution',
    django,
    [ofRegistry, about('Alpine:v3.18', 'py3-django', 'CVE-2030-5', '1.11.29-r1')],
    [],
  ],
  [
    'whose package is not told',
    { ...django, source: undefined },
    [ofRegistry, about('Alpine:v3.18', 'py3-django', 'CVE-2030-5', '0')],
    [],
  ],
  [
    'of a distribution that lists what is open',
    { ...django, purl: 'pkg:pypi/django@1.11.29?distro=debian-12' },
    [ofRegistry],
    [],
  ],
])('a library: %s', (_, installed, rules, expected) => {
  expect(found(installed, ...rules)).toEqual(expected)
})

test('a change in the feed of the distribution has the library matched anew', () => {
  expect(keysOf(django)).toContainEqual({ ecosystem: 'Alpine:v3.18', package: 'py3-django' })
})
