import { expect, test } from 'vitest'
import { advisoriesIn, rulesIn } from '../reading.fixture.ts'

const affected = (more: object, ecosystem = 'PyPI', name = 'p') => ({ package: { ecosystem, name }, ...more })
const events = (...them: object[]) => [{ type: 'ECOSYSTEM', events: them }]
const rulesOf = (more: object, record: object = {}) =>
  rulesIn('osv', { id: 'X-1', affected: [affected(more)], ...record })

test.each([
  [[{ introduced: '0' }, { fixed: '1' }], [{ fixed: '1' }]],
  [[{ introduced: '1' }, { last_affected: '2' }], [{ introduced: '1', lastAffected: '2' }]],
  [[{ introduced: '0' }], [{}]],
  [[{ introduced: '1' }, { limit: '2' }], [{ introduced: '1', fixed: '2' }]],
  [
    [{ introduced: '1' }, { fixed: '2' }, { introduced: '3' }, { fixed: '4' }],
    [
      { introduced: '1', fixed: '2' },
      { introduced: '3', fixed: '4' },
    ],
  ],
])('%o', async (them, ranges) => {
  expect(await rulesOf({ ranges: events(...them) })).toMatchObject([{ ranges, versions: [] }])
})

test('commits alone, or nothing at all, are no rule; listed versions are', async () => {
  const git = [{ type: 'GIT', events: [{ introduced: '0' }, { fixed: 'abc' }] }]
  expect(await rulesOf({ ranges: git })).toEqual([])
  expect(await rulesOf({})).toEqual([])
  expect(await rulesOf({ ranges: git, versions: ['1', '2'] })).toMatchObject([
    { ranges: [], versions: ['1', '2'] },
  ])
})

test('an end that GitHub notes beside the range bounds it', async () => {
  const note = { database_specific: { last_known_affected_version_range: '<= 1.2.3' } }
  expect(await rulesOf({ ranges: events({ introduced: '1' }), ...note })).toMatchObject([
    { ranges: [{ introduced: '1', lastAffected: '1.2.3' }] },
  ])
})

test('a withdrawn record says nothing', async () => {
  const record = { id: 'X-1', withdrawn: '2024-01-01T00:00:00Z', affected: [affected({ versions: ['1'] })] }
  expect(await advisoriesIn('osv', record)).toMatchObject([{ state: 'withdrawn', rules: [] }])
})

test.each([
  [{ id: 'GHSA-1', aliases: ['CVE-2024-0001'], related: ['CVE-2024-0002'] }, ['CVE-2024-0001']],
  [{ id: 'GHSA-1', related: ['CVE-2024-0002'] }, []],
  [
    { id: 'RLSA-2024:3671', related: ['CVE-2024-27280', 'CVE-2024-27281'] },
    ['CVE-2024-27280', 'CVE-2024-27281'],
  ],
  [{ id: 'UBUNTU-CVE-2021-3782', upstream: ['CVE-2021-3782'], related: ['USN-5614-1'] }, ['CVE-2021-3782']],
  [{ id: 'UBUNTU-CVE-2020-36325' }, ['CVE-2020-36325']],
  [{ id: 'DSA-3029-1', aliases: ['CVE-2014-3616'] }, ['CVE-2014-3616']],
])('%o speaks of %o', async (record, cveIds) => {
  expect(await advisoriesIn('osv', record)).toMatchObject([{ cveIds }])
})

test.each([
  ['Ubuntu:22.04:LTS x', 'Ubuntu:22.04 x source'],
  ['Ubuntu:Pro:16.04:LTS x', 'Ubuntu:Pro:16.04 x source'],
  ['Debian:12 x', 'Debian:12 x source'],
  ['AlmaLinux:9 x', 'AlmaLinux:9 x binary'],
  ['Red Hat:enterprise_linux:9::appstream x', 'Red Hat:9 x binary'],
  ['Red Hat:rhel_e4s:9.2::appstream x', 'Red Hat:rhel_e4s:9.2 x binary'],
  ['PyPI Foo__Bar.baz', 'PyPI foo-bar-baz binary'],
  ['NuGet Newtonsoft.Json', 'NuGet newtonsoft.json binary'],
])('%s is %s', async (told, expected) => {
  const at = told.lastIndexOf(' ')
  const record = {
    id: 'X-1',
    affected: [affected({ versions: ['1'] }, told.slice(0, at), told.slice(at + 1))],
  }
  const rules = await rulesIn('osv', record)
  expect(rules.map((it) => `${it.ecosystem} ${it.package} ${it.names}`)).toEqual([expected])
})

test('the stream of a module stands in the summary', async () => {
  const ranges = events({ introduced: '0' }, { fixed: '0:3.3.1-2.module+el9.4.0+20787' })
  const summary = 'Moderate: ruby:3.3 security, bug fix, and enhancement update'
  expect(await rulesOf({ ranges }, { id: 'RLSA-1', summary })).toMatchObject([
    { module: 'ruby:3.3', fixedBy: 'RLSA-1' },
  ])
})
