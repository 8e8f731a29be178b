import { beforeAll, expect, test } from 'vitest'
import { loadFeedFile } from '#features/advisories/advisories.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf, type Ask } from '#test/support/http/graphql-client.ts'
import { createAsset, createFindings, findingOf } from './findings.fixture.ts'

const home = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: Ask
let assetId: string
let id: string
beforeAll(async () => {
  ctx = await home().newTenant()
  ask = asker(home().as(), headersOf(ctx))
  assetId = await createFindings(ctx, [{ score: 9.8, epss: 0.4, kev: '2024-02-03' }])
  id = await findingOf(ctx, assetId)
  await createFindings(ctx, [{ cveId: 'CVE-2024-0002', score: 5 }])
  const feeds = [
    [
      'kev',
      {
        vulnerabilities: [
          {
            cveID: 'CVE-2024-0001',
            dateAdded: '2024-02-03',
            dueDate: '2024-02-24',
            knownRansomwareCampaignUse: 'Known',
          },
        ],
      },
    ],
    [
      'nvd',
      {
        vulnerabilities: ['CVE-2024-0001', 'CVE-2024-0002'].map((cve) => ({
          cve: { id: cve, descriptions: [{ lang: 'en', value: `About ${cve}.` }] },
        })),
      },
    ],
  ] as const
  for (const [feed, body] of feeds)
    await loadFeedFile(home().runtime.system, {
      feed,
      name: `${feed}.json`,
      content: (async function* () {
        yield Buffer.from(JSON.stringify(body))
      })(),
    })
})

/** Data alone, or the test fails with what was refused. */
async function data<T = Readonly<Record<string, unknown>>>(query: string, variables = {}): Promise<T> {
  const { data: found, errors } = await ask<T>(query, variables)
  expect(errors).toBeUndefined()
  return found as T
}
const refusal = async (query: string) => (await ask(query)).errors?.[0]?.extensions

test('a CVE has its facts, and the counts of the tenant', async () => {
  const cve = (name: string) =>
    data(`{ cve(id: "${name}") {
      id state isDisputed description severity scores { version score source } publishedAt modifiedAt weaknesses references
      records { feed id } epss epssPercentile kevAddedOn kevDueOn isUsedByRansomware counts { status severity count }
    } }`)
  const plain = {
    id: 'CVE-2024-0002',
    state: 'published',
    isDisputed: false,
    description: 'About CVE-2024-0002.',
    severity: null,
    scores: [],
    publishedAt: null,
    modifiedAt: null,
    weaknesses: [],
    references: [],
    records: [{ feed: 'nvd', id: 'CVE-2024-0002' }],
    epss: null,
    epssPercentile: null,
    kevAddedOn: null,
    kevDueOn: null,
    isUsedByRansomware: false,
    counts: [{ status: 'open', severity: 'medium', count: 1 }],
  }
  expect(await cve('CVE-2024-0002')).toEqual({ cve: plain })
  expect(await cve('CVE-2024-0001')).toMatchObject({
    cve: {
      kevAddedOn: '2024-02-03',
      kevDueOn: '2024-02-24',
      isUsedByRansomware: true,
      counts: [{ status: 'open', severity: 'critical', count: 1 }],
    },
  })
  for (const name of ['', 'x'.repeat(101)])
    expect(await refusal(`{ cve(id: "${name}") { id } }`)).toMatchObject({ field: 'id' })
})

test('the overview counts, and names what is worst first', async () => {
  const { findingsOverview } = await data(`{ findingsOverview {
    counts { status severity count } staleAssets
    topCves { cveId severity cvssScore affectedAssets epss kevAddedOn description }
    topAssets { assetId riskScore openFindings }
  } }`)
  expect(findingsOverview).toEqual({
    counts: expect.arrayContaining([
      { status: 'open', severity: 'critical', count: 1 },
      { status: 'open', severity: 'medium', count: 1 },
    ]),
    staleAssets: 0,
    topCves: [
      expect.objectContaining({
        cveId: 'CVE-2024-0001',
        cvssScore: 9.8,
        epss: 0.4,
        kevAddedOn: '2024-02-03',
      }),
      expect.objectContaining({ cveId: 'CVE-2024-0002', cvssScore: 5, epss: null, kevAddedOn: null }),
    ],
    topAssets: [
      expect.objectContaining({ assetId, openFindings: 1 }),
      expect.objectContaining({ openFindings: 1 }),
    ],
  })
})

test('findings are listed the worst first, unless asked otherwise, and chosen by what they have', async () => {
  const cves = async (args: string) => {
    const { findings } = await data<{ findings: { total: number; items: { cveId: string }[] } }>(
      `{ findings(${args}) { total items { cveId } } }`,
    )
    return findings.items.map(({ cveId }) => cveId.slice(-1)).join('')
  }
  const expected = [
    ['first: 9', '12'],
    ['ascending: true', '21'],
    ['sort: cveId, ascending: true', '12'],
    ['filter: { cvssMin: 9 }', '1'],
    ['filter: { isExploited: true }', '1'],
    ['filter: { isExploited: false }', '2'],
    ['filter: { cveId: "CVE-2024-0002" }', '2'],
    ['filter: { severity: critical }', '1'],
    ['filter: { status: resolved }', ''],
    ['filter: { hasFix: true }', '12'],
    ['filter: { where: "severity = medium" }', '2'],
    ['filter: { where: "has status" }, ascending: true', '21'],
    [`filter: { assetId: "${assetId}" }`, '1'],
    ['filter: { assetId: "none" }', ''],
    ['filter: { search: "cve-2024-0002" }', '2'],
    ['first: 1, offset: 1', '2'],
  ] as const
  for (const [args, found] of expected) expect([args, await cves(args)]).toEqual([args, found])
})

test('one finding has its attributions and its history', async () => {
  const { finding } = await data(`{ finding(id: "${id}") {
    id cveId assetId affectedAssets isScored epss kevAddedOn overrideId
    attributions { id feed record matchType confidence software } history { status severity why }
  } }`)
  expect(finding).toMatchObject({
    id,
    assetId,
    affectedAssets: 1,
    isScored: true,
    overrideId: null,
    attributions: [{ feed: 'debian', record: 'CVE-2024-0001', matchType: 'exact' }],
    history: [{ status: 'open', severity: 'critical' }],
  })
  expect(await refusal('{ finding(id: "none") { id } }')).toMatchObject({ code: 'not_found' })
})

test('groups of findings are told by what they have in common', async () => {
  const { findingGroups } = await data(`{ findingGroups(by: "cve") {
    total items { value findings assets maxCvss isExploited riskShare }
  } }`)
  expect(findingGroups).toMatchObject({
    total: 2,
    items: [
      { value: 'CVE-2024-0001', findings: 1, assets: 1, maxCvss: 9.8, isExploited: true },
      { value: 'CVE-2024-0002', findings: 1, assets: 1, maxCvss: 5, isExploited: false },
    ],
  })
  const fixes = await data(
    '{ findingGroups(by: "fix", where: "severity = critical") { total items { value } } }',
  )
  expect(fixes).toEqual({
    findingGroups: { total: 1, items: [{ value: expect.stringMatching(/ → 3\.0\.2$/) }] },
  })
})

const RISK = `
  assetId model score openFindings criticality exposure isEndOfLife isExploited unlisted computedAt
  contributions { findingId cveId matchType cvssScore epss isExploited likelihood certainty weight }
  days { day score openFindings model }`

test('the risk of an asset is told with what it is made of', async () => {
  const plain = await createAsset(ctx)
  expect(await data(`{ assetRisk(assetId: "${plain}") { ${RISK} } }`)).toEqual({
    assetRisk: {
      assetId: plain,
      model: expect.any(Number),
      score: 0,
      openFindings: 0,
      criticality: 'normal',
      exposure: 'unknown',
      isEndOfLife: false,
      isExploited: false,
      unlisted: 1,
      computedAt: null,
      contributions: [],
      days: [],
    },
  })
  const { assetRisk } = await data<{ assetRisk: { score: number } }>(
    `{ assetRisk(assetId: "${assetId}") { ${RISK} } }`,
  )
  expect(assetRisk).toMatchObject({
    openFindings: 1,
    isExploited: true,
    contributions: [{ findingId: id, isExploited: true, certainty: 1, likelihood: expect.any(Number) }],
  })
  expect(assetRisk.score).toBeGreaterThanOrEqual(80)
  const weigh = `mutation { setAssetWeight(assetId: "${plain}", criticality: critical, exposure: isolated) { criticality exposure } }`
  expect(await data(weigh)).toEqual({ setAssetWeight: { criticality: 'critical', exposure: 'isolated' } })
})

test('overrides are previewed, made, listed, approved and ended', async () => {
  const total = async () =>
    (
      await data<{ previewOverride: { total: number } }>(
        '{ previewOverride(cveId: "CVE-2024-0002") { total } }',
      )
    ).previewOverride.total
  expect(await total()).toBe(1)
  expect(await data('mutation { setOverridesNeedApproval(needed: true) }')).toEqual({
    setOverridesNeedApproval: true,
  })
  expect(await data('{ overridesNeedApproval }')).toEqual({ overridesNeedApproval: true })
  expect(await data('mutation { setOverridesNeedApproval(needed: false) }')).toEqual({
    setOverridesNeedApproval: false,
  })
  const { createOverride } = await data<{ createOverride: { id: string } }>(
    'mutation { createOverride(kind: accepted_risk, cveId: "CVE-2024-0002", reason: "r") { id state } }',
  )
  expect(createOverride).toMatchObject({ state: 'active' })
  const states = async (args: string) =>
    (
      await data<{ overrides: { items: { state: string }[] } }>(
        `{ overrides(${args}) { items { id state } } }`,
      )
    ).overrides.items
  expect(await states('states: [active]')).toEqual([createOverride])
  expect(await states('cveId: "CVE-2024-0001"')).toEqual([])
  const end = `mutation { endOverride(id: "${createOverride.id}", reason: "over") { state } }`
  expect(await data(end)).toEqual({ endOverride: { state: 'ended' } })
  expect(await total()).toBe(1)
})

test('it is told which assets could be assessed', async () => {
  expect(await data(`{ assetAssessments(assetIds: ["${assetId}"]) { assetId state } }`)).toEqual({
    assetAssessments: [{ assetId, state: expect.any(String) }],
  })
  const { assessment } = await data('{ assessment { hasAdvisories assets assetsWithSoftware } }')
  expect(assessment).toMatchObject({ assetsWithSoftware: 2 })
})
