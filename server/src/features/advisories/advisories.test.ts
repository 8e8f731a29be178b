import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { changesSince, rulesFor, vulnerabilityFacts } from './advisories.ts'
import { FOO_BAR, lines, load, osv } from './loading/loading.fixture.ts'

const fixedIn = async (ctx: Ctx) =>
  (await rulesFor(ctx, [FOO_BAR])).map((it) => [it.advisoryId, it.rules[0]?.ranges[0]?.fixed])

test('a file is taken as a whole, and taken again it changes what changed', async () => {
  const { runtime, newTenant } = await testApp()
  const { system } = runtime
  const tenant = await newTenant()
  expect(await load(system, 'osv', lines(osv('A-1', '1'), osv('A-2', '2')))).toMatchObject({
    records: 2,
    changed: 2,
  })
  const { generation } = await changesSince(tenant, 0)
  expect(await fixedIn(tenant)).toEqual([
    ['A-1', '1'],
    ['A-2', '2'],
  ])

  expect(await load(system, 'osv', lines(osv('A-1', '1'), osv('A-3', '3')))).toMatchObject({
    records: 2,
    changed: 1,
    removed: 1,
  })
  expect(await fixedIn(tenant)).toEqual([
    ['A-1', '1'],
    ['A-3', '3'],
  ])
  expect(await changesSince(tenant, generation)).toEqual({
    generation: generation + 1,
    packages: [FOO_BAR],
    cveIds: [],
  })

  expect(await load(system, 'osv', lines(osv('A-1', '1'), osv('A-3', '3')))).toMatchObject({
    changed: 0,
    removed: 0,
  })
  expect(await changesSince(tenant, generation + 1)).toEqual({
    generation: generation + 2,
    packages: [],
    cveIds: [],
  })
})

test('a part that only adds takes nothing away, nor does another part', async () => {
  const { system } = (await testApp()).runtime
  await load(system, 'osv', lines(osv('A-1', '1')), { part: 'PyPI' })
  await load(system, 'osv', lines(osv('A-2', '2')), { part: 'npm' })
  await load(system, 'osv', lines(osv('A-3', '3'), osv('A-1', '1.1')), { isWhole: false })
  expect(await fixedIn(system)).toEqual([
    ['A-1', '1.1'],
    ['A-2', '2'],
    ['A-3', '3'],
  ])
})

test.each([
  ['cut off', `${lines(osv('A-1', '9'))}\n{"id":"A-2","aff`, 'file: record 2 (A-2) the file ends within it'],
  ['no JSON', `${lines(osv('A-1', '9'))}\n{"id":"A-2",}`, 'file: record 2 (A-2) is not JSON'],
  ['a record without a name', lines(osv('A-1', '9'), { affected: [] }), 'file: record 2 has no id'],
  ['empty', '', 'file: the file is empty'],
  [
    'too deep',
    `{"id":"A-9","x":${'['.repeat(100)}${']'.repeat(100)}}`,
    'file: record 1 (A-9) is deeper than 64 brackets',
  ],
])('a file that is %s leaves the catalogue as it was', async (_, content, why) => {
  const { system } = (await testApp()).runtime
  await load(system, 'osv', lines(osv('A-1', '1')))
  await expect(load(system, 'osv', content)).rejects.toThrow(why)
  expect(await fixedIn(system)).toEqual([['A-1', '1']])
  expect(await changesSince(system, 1)).toMatchObject({ generation: 1 })
})

test('a file that lost most of its records is not believed', async () => {
  const { system } = (await testApp()).runtime
  const many = Array.from({ length: 120 }, (_, at) => osv(`A-${at}`, '1'))
  await load(system, 'osv', lines(...many))
  await expect(load(system, 'osv', lines(...many.slice(0, 50)))).rejects.toThrow(
    '50 records where there were 120',
  )
  await load(system, 'osv', lines(...many.slice(0, 60)))
})

test('hostile names and texts are data', async () => {
  const { system } = (await testApp()).runtime
  const evil = JSON.parse(
    `{"id":"A-1","id":"A-2","details":"a\\u0000b\\ud800c","__proto__":{"withdrawn":true},"severity":[{"type":"CVSS_V3","score":"CVSS:3.1/${'A'.repeat(9_000)}"}],"x":1e999}`,
  ) as object
  await load(system, 'osv', lines({ ...evil, constructor: 1 }))
  const facts = await vulnerabilityFacts(system, ['A-2'])
  expect(facts.get('A-2')).toMatchObject({ state: 'published', description: 'ab�c', scores: [] })
})

test('facts put the feeds together', async () => {
  const { system } = (await testApp()).runtime
  const id = 'CVE-2024-0001'
  const nvd = (over: object) => ({
    vulnerabilities: [{ cve: { id, descriptions: [{ lang: 'en', value: 'Told by NVD' }], ...over } }],
  })
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
  await load(
    system,
    'osv',
    lines(
      osv('GHSA-x', '1', { aliases: [id], severity: [{ type: 'CVSS_V3', score: vector }] }),
      osv('PYSEC-1', '1', { aliases: ['GHSA-x'] }),
    ),
  )
  expect((await rulesFor(system, [FOO_BAR])).map((it) => it.cveIds)).toEqual([[id], [id]])
  expect((await vulnerabilityFacts(system, [id])).get(id)).toMatchObject({
    severity: 'critical',
    score: { score: 9.8, source: 'github' },
  })

  await load(
    system,
    'nvd',
    nvd({
      cveTags: [{ tags: ['disputed'] }],
      metrics: {
        cvssMetricV31: [
          {
            source: 'nvd@nist.gov',
            cvssData: { vectorString: vector.replace('C:H', 'C:N'), baseScore: 9.1 },
          },
        ],
      },
    }),
  )
  await load(system, 'kev', {
    vulnerabilities: [{ cveID: id, dateAdded: '2024-02-03', knownRansomwareCampaignUse: 'Known' }],
  })
  await load(system, 'epss', `#model\ncve,epss,percentile\n${id},0.25,0.9\n`)
  expect((await vulnerabilityFacts(system, [id, 'CVE-1999-0001'])).get(id)).toMatchObject({
    state: 'published',
    isDisputed: true,
    description: 'Told by NVD',
    score: { score: 9.1, source: 'nvd@nist.gov' },
    exploited: { cveId: id, addedOn: '2024-02-03', isByRansomware: true },
    likelihood: { epss: 0.25 },
  })
  expect(await changesSince(system, 2)).toMatchObject({ packages: [], cveIds: [id] })

  await load(system, 'nvd', nvd({ vulnStatus: 'Rejected' }))
  expect((await vulnerabilityFacts(system, [id])).get(id)).toMatchObject({ state: 'rejected' })
})
