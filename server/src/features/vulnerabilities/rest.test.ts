import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventsOf } from '#features/assets/observations.fixture.ts'
import type { Ctx } from '#platform/context.ts'
import type { Caller } from '#test/support/http/api-client.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { findingOf, createFindings } from './findings.fixture.ts'
import { createOverride } from './overrides/overrides.ts'

interface FindingJson {
  readonly id: string
  readonly cveId: string
  readonly severity: string
  readonly cvssScore: number
}

const home = sharedTestApp()
let ctx: Ctx
let caller: Caller
let assetId: string
beforeAll(async () => {
  ctx = await home().newTenant()
  caller = home().as(await home().key(ctx, ['read']))
  assetId = await createFindings(ctx, [
    { cveId: 'CVE-2024-0001', score: 9.8, description: '=cmd()' },
    { cveId: 'CVE-2024-0002', score: 7.3 },
    { cveId: 'CVE-2024-0003', score: 5 },
    { cveId: 'CVE-2024-0004', score: 0 },
  ])
})

const cvesOf = (body: { data: readonly FindingJson[] }) =>
  body.data.map(({ cveId }) => cveId.slice(-1)).join('')

/** So many copies of the tenant's only finding, each with a CVE of its own: matching would take most of a minute. */
async function multiply({ db, tenantId }: Ctx, times: number): Promise<void> {
  await db.run(sql`
    with copy as (
      select jsonb_build_object('cve_id', 'CVE-2023-' || 10000 + n, 'score', n % 101, 'id', gen_random_uuid()) as own
      from generate_series(1, ${times}::int) n
    ), rated as (
      insert into vulnerabilities select it.* from vulnerabilities v
      cross join copy cross join lateral jsonb_populate_record(v, own) it where v.tenant_id = ${tenantId}
    ), found as (
      insert into findings select it.* from findings f
      cross join copy cross join lateral jsonb_populate_record(f, own) it where f.tenant_id = ${tenantId} returning *
    )
    insert into finding_counts as c (tenant_id, status, severity, score, n)
    select tenant_id, status, severity, score, count(*) from found group by 1, 2, 3, 4
    on conflict (tenant_id, status, severity, score) do update set n = c.n + excluded.n`)
}

describe('GET /vulnerabilities', () => {
  test('→ 200 with the contract’s fields and headers', async () => {
    const { status, headers, body } = await caller.get('/vulnerabilities?limit=1&offset=1')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          cveId: 'CVE-2024-0002',
          severity: 'high',
          cvssScore: 7.3,
          description: 'A flaw.',
          assetId,
          affectedAssets: 1,
        },
      ],
    })
    expect(headers).toMatchObject({
      'x-total-count': '4',
      'x-total-pages': '4',
      'x-page': '2',
      'x-per-page': '1',
      'x-next-cursor': 'offset=2',
    })
    expect((await caller.get('/vulnerabilities?offset=3')).headers['x-next-cursor']).toBeUndefined()
  })

  test.each([
    ['', '1234'],
    ['severity=critical', '1'],
    ['severity=', '1234'],
    ['severity=informational', '4'],
    ['cvss_min=7.3', '12'],
    ['cvss_min=7.31', '1'],
    ['cvss_max=7.3', '234'],
    ['cvss_max=7.29', '34'],
    ['cvss_min=5&cvss_max=7.3', '23'],
    ['cvss_min=8&cvss_max=7', ''],
    ['cvss_min=-1e3', '1234'],
    ['cvss_max=-0.1', ''],
    ['cvss_min=10.01', ''],
    ['cvss_min=', '1234'],
    ['fixed=false', '1234'],
    ['fixed=TRUE', '1234'],
    ['fixed=true', ''],
    ['where=cvss>6', '12'],
    ['where=cvss>6&severity=critical', '1'],
    ['where=cvss>6&cvss_max=9', '2'],
    ['where=status=resolved', ''],
    ['where=cvss>6&fixed=true', ''],
    ['where=', '1234'],
    ['limit=2&offset=2', '34'],
    ['limit=3&offset=1', '234'],
    ['offset=4', ''],
    ['offset=99999999999', ''],
  ])('?%s → %s', async (query, found) => {
    const { status, headers, body } = await caller.get<{ data: FindingJson[] }>(`/vulnerabilities?${query}`)
    expect(status).toBe(200)
    expect(cvesOf(body)).toBe(found)
    expect(headers['x-total-count']).toBe(query.includes('offset') ? '4' : String(found.length))
  })

  test.each([
    ['severity=severe', 'severity'],
    ['severity=HIGH', 'severity'],
    ['cvss_min=abc', 'cvss_min'],
    ['cvss_min=NaN', 'cvss_min'],
    ['cvss_max=1e999', 'cvss_max'],
    ['cvss_max=0x7', 'cvss_max'],
    ['cvss_max=+-1', 'cvss_max'],
    ['cvss_min=7,5', 'cvss_min'],
    ['cvss_min=1&cvss_min=2', 'cvss_min'],
    ['where=cvss', 'where: expected = != < <= > >= or "in" after cvss'],
    ['where=severity=severe', 'where: severity takes one of critical, high,'],
    ['where=asset.nothing=1', 'where: there is no field asset.nothing'],
  ])('?%s → 400 naming %s', async (query, field) => {
    const { status, body } = await caller.get<{ error: string; message: string }>(`/vulnerabilities?${query}`)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.message).toContain(field)
  })

  test('HEAD answers the same headers without a body', async () => {
    const { status, headers, text } = await caller.send('HEAD', '/api/v1/vulnerabilities', {})
    expect([status, headers['x-total-count'], text]).toEqual([200, '4', ''])
  })

  test('severity is the effective one, and what an override closed is neither open nor fixed', async () => {
    const other = await home().newTenant()
    const them = home().as(await home().key(other))
    await createFindings(other, [
      { cveId: 'CVE-2024-0001', score: 9.8 },
      { cveId: 'CVE-2024-0002', score: 7.3 },
    ])
    const because = { reason: 'behind a proxy' }
    await createOverride(other, { kind: 'severity', cveId: 'CVE-2024-0001', severity: 'low', ...because })
    await createOverride(other, { kind: 'accepted_risk', cveId: 'CVE-2024-0002', ...because })
    const all = await them.get<{ data: FindingJson[] }>('/vulnerabilities')
    expect(all.body.data).toMatchObject([{ cveId: 'CVE-2024-0001', severity: 'low', cvssScore: 2.5 }])
    expect((await them.get('/vulnerabilities?severity=critical')).headers['x-total-count']).toBe('0')
    expect((await them.get('/vulnerabilities?severity=low')).headers['x-total-count']).toBe('1')
    expect((await them.get('/vulnerabilities?fixed=true')).headers['x-total-count']).toBe('0')
  })
})

describe('GET /vulnerabilities/:id', () => {
  test('→ 200', async () => {
    const other = await home().newTenant()
    const id = await findingOf(other, await createFindings(other))
    const { status, body } = await home()
      .as(await home().key(other))
      .get(`/vulnerabilities/${id}`)
    expect([status, body]).toMatchObject([200, { id, cveId: 'CVE-2024-0001' }])
    expect(await eventsOf(other)).toContainEqual(
      expect.objectContaining({ type: 'VULNERABILITY_FOUND', vulnerability_id: id }),
    )
  })
  test.each(['0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21', 'x'])('→ 404 for %s', async (id) => {
    const { status, body } = await caller.get(`/vulnerabilities/${id}`)
    expect([status, body]).toMatchObject([404, { error: 'not_found' }])
  })
})

describe('GET /vulnerabilities/export', () => {
  test('→ 200 with the findings as CSV, guarded against formulas', async () => {
    const { status, headers, text } = await caller.get('/vulnerabilities/export?format=csv&cvss_min=7')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-disposition': 'attachment; filename="vulnerabilities.csv"' })
    expect(headers['content-type']).toMatch(/^text\/csv/)
    expect(headers['x-export-truncated']).toBeUndefined()
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('id,cveId,severity,cvssScore,description,assetId,affectedAssets')
    expect(lines[1]).toMatch(
      new RegExp(`^[0-9a-f-]{36},CVE-2024-0001,critical,9.8,'=cmd\\(\\),${assetId},1$`),
    )
    expect(lines).toHaveLength(4)
  })
  test.each(['', '?format=pdf', '?format=CSV', '?format=xml&format=csv', '?format=csv%00'])(
    '%s → 400',
    async (query) => {
      const { status, body } = await caller.get(`/vulnerabilities/export${query}`)
      expect([status, body]).toMatchObject([400, { error: 'invalid_format' }])
    },
  )
  test('says when there is more than 10,000', async () => {
    const other = await home().newTenant()
    await createFindings(other)
    await multiply(other, 10_000)
    const them = home().as(await home().key(other))
    const { headers, text } = await them.get('/vulnerabilities/export?format=csv')
    expect(headers['x-export-truncated']).toBe('true')
    expect(text.trimEnd().split('\r\n')).toHaveLength(10_001)
    const inOrder = async (offset: number) =>
      (await them.get<{ data: FindingJson[] }>(`/vulnerabilities?limit=1000&offset=${offset}`)).body.data
    const seen = []
    for (let offset = 0; offset < 10_001; offset += 1000) seen.push(...(await inOrder(offset)))
    expect(new Set(seen.map(({ id }) => id)).size).toBe(10_001)
    expect(seen.map(({ cvssScore }) => cvssScore)).toEqual(
      seen.map(({ cvssScore }) => cvssScore).toSorted((a, b) => b - a),
    )
  })
})
