import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createFindings } from '../findings.fixture.ts'
import { bandOf, riskOf, type RiskInput } from './risk-score.ts'
import { getAsset } from '#features/assets/assets.ts'
import { assetRisk, setAssetWeight } from './asset-risk.ts'

const one = (cvssScore: number, more: Partial<RiskInput> = {}): RiskInput => ({
  cvssScore,
  isExploited: false,
  grade: 'exact',
  ...more,
})
const times = (n: number, input: RiskInput): RiskInput[] => Array.from({ length: n }, () => input)

describe('the risk score', () => {
  test.each([
    ['nothing', [], 0],
    ['one that is exploited', [one(9.8, { isExploited: true })], 98],
    ['one, EPSS 0.001', [one(9.8, { epss: 0.001 })], 36.3],
    ['one, EPSS 0.05', [one(9.8, { epss: 0.05 })], 48.5],
    ['one 5.3, EPSS 0.95', [one(5.3, { epss: 0.95 })], 52.1],
    ['one, EPSS 0.3, fuzzy', [one(9.8, { epss: 0.3, grade: 'fuzzy' })], 48.4],
    ['one, EPSS 0.3, heuristic', [one(9.8, { epss: 0.3, grade: 'heuristic' })], 27.7],
    ['twenty, EPSS 0.001', times(20, one(9.8, { epss: 0.001 })), 68.5],
    ['five hundred 5.5, EPSS 0.001', times(500, one(5.5, { epss: 0.001 })), 46.2],
    ['one 3.1, EPSS 0.0005', [one(3.1, { epss: 0.0005 })], 11.3],
    ['one of which nobody estimated the likelihood', [one(9.8)], 40.7],
  ])('of %s', (_, open, score) => {
    expect(riskOf(open)).toBe(score)
  })

  test('weighs the asset, and does not exceed 100', () => {
    const open = [one(9.8, { epss: 0.05 })]
    const weight = { criticality: 'critical', exposure: 'internet', isEndOfLife: true } as const
    expect(riskOf(open, weight)).toBe(86.8)
    expect(riskOf(times(50, one(10, { isExploited: true })), weight)).toBe(100)
    expect(riskOf(open, { criticality: 'low', exposure: 'isolated', isEndOfLife: false })).toBe(31.1)
  })

  test('rounds halves up as the database does, where the product is 22.749999999999996', () => {
    const weight = { criticality: 'critical', exposure: 'internet', isEndOfLife: false } as const
    expect(riskOf([one(1.4, { epss: 1 })], weight)).toBe(22.8)
  })

  const ssvc = (exploitation: 'none' | 'poc' | 'active', isAutomatable = false) => ({
    ssvc: { exploitation, isAutomatable },
  })
  test.each([
    ['a KEV entry of 5.5', one(5.5, { isExploited: true }), 89.9],
    ['a KEV entry of 0.5, guessed', one(0.5, { isExploited: true, grade: 'heuristic' }), 80.4],
    ['what SSVC calls active', one(5.5, ssvc('active')), 89.9],
    ['a proof of concept', one(8, ssvc('poc')), 60],
    ['a proof of concept that can be automated', one(8, ssvc('poc', true)), 72],
    ['none, but it could be automated', one(8, ssvc('none', true)), 40],
    ['none', one(8, ssvc('none')), 33.2],
    ['a proof of concept, EPSS 0.97', one(8, { ...ssvc('poc'), epss: 0.97 }), 79.2],
  ])('of %s', (_, input, score) => expect(riskOf([input])).toBe(score))

  test('is at least 80 with one that is exploited, whatever people say of the asset', () => {
    const weight = { criticality: 'low', exposure: 'isolated', isEndOfLife: false } as const
    expect(riskOf([one(3, { isExploited: true })], weight)).toBe(80)
    expect(bandOf(riskOf([one(3, ssvc('active'))], weight))).toBe('critical')
  })

  test('has bands', () => {
    expect([0, 0.1, 29.9, 30, 60, 80].map(bandOf)).toEqual([
      'none',
      'low',
      'low',
      'medium',
      'high',
      'critical',
    ])
  })
})

const home = sharedTestApp()
const specs = fc.record({
  score: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
  grade: fc.constantFrom('exact' as const, 'fuzzy' as const, 'heuristic' as const),
  epss: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  isExploited: fc.boolean(),
  ssvc: fc.option(
    fc.record({
      exploitation: fc.constantFrom('none' as const, 'poc' as const, 'active' as const),
      isAutomatable: fc.boolean(),
      impact: fc.constantFrom('partial' as const, 'total' as const),
    }),
    { nil: undefined },
  ),
})

test('the database works out the same score', async () => {
  const check = fc.asyncProperty(fc.array(specs, { minLength: 1, maxLength: 30 }), async (findings) => {
    const ctx = await home().newTenant()
    const assetId = await createFindings(
      ctx,
      findings.map(({ isExploited, epss, ssvc, ...it }, n) => ({
        ...it,
        ...(ssvc && { ssvc }),
        cveId: `CVE-2024-${n}`,
        ...(epss !== undefined && { epss }),
        ...(isExploited && { kev: '2024-01-01' }),
      })),
    )
    const inputs = findings.map(({ score, ...it }) => ({ ...it, cvssScore: score }))
    expect((await assetRisk(ctx, assetId)).score).toBeCloseTo(riskOf(inputs), 5)
    await setAssetWeight(ctx, { assetId, criticality: 'high', exposure: 'internet' })
    const weight = { criticality: 'high', exposure: 'internet', isEndOfLife: false } as const
    const risk = await assetRisk(ctx, assetId)
    expect(risk.score).toBeCloseTo(riskOf(inputs, weight), 5)
    expect((await getAsset(ctx, assetId)).riskScore).toBe(risk.score)
    expect(risk).toMatchObject({ openFindings: findings.length, days: [{ score: risk.score }] })
    expect(risk.contributions).toHaveLength(Math.min(5, findings.length))
  })
  await fc.assert(check, { numRuns: 20 })
})

test('the audit entry of a changed weight names the asset', async () => {
  const ctx = await home().newTenant()
  const assetId = await createFindings(ctx, [])
  await setAssetWeight(ctx, { assetId, criticality: 'high', exposure: 'internet' })
  const { items } = await searchAudit(ctx, { limit: 1, offset: 0, action: 'asset.weighed' })
  const { name } = await getAsset(ctx, assetId)
  expect(items).toMatchObject([{ details: { name, after: { criticality: 'high' } } }])
})

test('an asset without findings is weighed, too', async () => {
  const ctx = await home().newTenant()
  const assetId = await createFindings(ctx, [])
  await setAssetWeight(ctx, { assetId, criticality: 'high', exposure: 'internet' })
  expect((await assetRisk(ctx, assetId)).factors).toMatchObject({ criticality: 'high', exposure: 'internet' })
})
