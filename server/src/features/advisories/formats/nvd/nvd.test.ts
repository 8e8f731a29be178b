import { expect, test } from 'vitest'
import { advisoriesIn, rulesIn } from '../reading.fixture.ts'

const id = 'CVE-2024-0001'
const page = (cve: object) => ({ vulnerabilities: [{ cve: { id, ...cve } }] })
const match = (name: string, more: object = {}) => ({
  vulnerable: true,
  criteria: `cpe:2.3:${name}`,
  ...more,
})
const node = (...cpeMatch: object[]) => ({ operator: 'OR', negate: false, cpeMatch })
const rulesFrom = (...configurations: object[]) => rulesIn('nvd', page({ configurations }))

const ANY = 'a:v:p:*:*:*:*:*:*:*:*'
const HARDWARE = { ...match('h:v:box:-:*:*:*:*:*:*:*'), vulnerable: false }

test.each([
  [{ versionEndExcluding: '2' }, { fixed: '2' }],
  [{ versionEndIncluding: '2' }, { lastAffected: '2' }],
  [
    { versionStartIncluding: '1', versionEndExcluding: '2' },
    { introduced: '1', fixed: '2' },
  ],
  [{ versionStartExcluding: '1' }, { introduced: '1', isAfterIntroduced: true }],
  [{}, {}],
])('%o is the range %o', async (bounds, range) => {
  expect(await rulesFrom({ nodes: [node(match(ANY, bounds))] })).toMatchObject([
    { ecosystem: 'cpe', package: 'a:v:p', verdict: 'affected', ranges: [range], versions: [] },
  ])
})

test('an exact version keeps its update, and quoted signs are plain', async () => {
  expect(
    await rulesFrom({
      nodes: [
        node(
          match('a:v:p\\:q_\\&_r:1.0:beta:*:*:*:wordpress:*:*'),
          match('a:v:p\\:q_\\&_r:1.0:-:*:*:*:wordpress:*:*'),
        ),
      ],
    }),
  ).toMatchObject([
    { package: 'a:v:p:q_&_r', versions: ['1.0'], cpe: { update: 'beta', targetSw: 'wordpress' } },
    { package: 'a:v:p:q_&_r', versions: ['1.0'], cpe: { targetSw: 'wordpress' } },
  ])
})

test('a platform that is joined by AND is asked for beside', async () => {
  const [rule] = await rulesFrom({
    operator: 'AND',
    nodes: [node(match('o:v:fw:*:*:*:*:*:*:*:*')), node(HARDWARE)],
  })
  expect(rule).toMatchObject({ package: 'o:v:fw', runningOn: ['h:v:box'] })
})

test('two vulnerable things that are joined by AND ask for each other', async () => {
  const both = await rulesFrom({
    operator: 'AND',
    nodes: [node(match(ANY)), node(match('o:w:os:*:*:*:*:*:*:*:*'))],
  })
  expect(both.map((it) => [it.package, it.runningOn])).toEqual([
    ['a:v:p', ['o:w:os']],
    ['o:w:os', ['a:v:p']],
  ])
})

test('alternatives are alternatives, and what is negated says nothing', async () => {
  const found = await rulesFrom(
    { nodes: [node(match(ANY, { versionEndExcluding: '1' }))] },
    { nodes: [node(match(ANY, { versionStartIncluding: '2', versionEndExcluding: '3' }))] },
    { negate: true, nodes: [node(match('a:v:other:*:*:*:*:*:*:*:*'))] },
    { nodes: [{ ...node(match('a:v:another:*:*:*:*:*:*:*:*')), negate: true }, node(HARDWARE)] },
  )
  expect(found).toMatchObject([
    { package: 'a:v:p', ranges: [{ fixed: '1' }, { introduced: '2', fixed: '3' }] },
  ])
  expect(found).toHaveLength(1)
})

test('a rejected record has no rules; a disputed one says so', async () => {
  const configurations = [{ nodes: [node(match(ANY))] }]
  expect(await advisoriesIn('nvd', page({ vulnStatus: 'Rejected', configurations }))).toMatchObject([
    { state: 'rejected', rules: [] },
  ])
  expect(await advisoriesIn('nvd', page({ cveTags: [{ tags: ['disputed'] }] }))).toMatchObject([
    { isDisputed: true },
  ])
  const old = page({ descriptions: [{ lang: 'en', value: '** DISPUTED ** It is none.' }] })
  expect(await advisoriesIn('nvd', old)).toMatchObject([{ isDisputed: true }])
})

test('a time without a zone is UTC; scores name who scored', async () => {
  const vectorString = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
  const scored = (source: string) => ({ source, cvssData: { vectorString, baseScore: 9.8 } })
  const [advisory] = await advisoriesIn(
    'nvd',
    page({
      published: '2024-07-01T13:15:06.467',
      sourceIdentifier: 'cna@example.com',
      metrics: {
        cvssMetricV31: [
          scored('nvd@nist.gov'),
          scored('cna@example.com'),
          scored('134c704f-9b21-4f2e-91b3-4a467353bcc0'),
        ],
      },
    }),
  )
  expect(advisory?.publishedAt?.toISOString()).toBe('2024-07-01T13:15:06.467Z')
  expect(advisory?.scores.map((it) => it.source)).toEqual(['nvd@nist.gov', 'cna', 'cisa-adp'])
})
