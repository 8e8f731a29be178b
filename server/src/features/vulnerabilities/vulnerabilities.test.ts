import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { searchFindings } from './findings/search.ts'
import { findingOf, createFindings } from './findings.fixture.ts'
import { getFinding, tenantOfFinding } from './vulnerabilities.ts'

test('a finding of another tenant is not there', async () => {
  const { newTenant, runtime } = await testApp()
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const id = await findingOf(theirs, await createFindings(theirs))
  await expect(getFinding(mine, id)).rejects.toThrow('vulnerability not found')
  expect(await getFinding(theirs, id)).toMatchObject({ id })
  expect(await tenantOfFinding(runtime.system, id)).toBe(theirs.tenantId)
})

test('scores are compared with any number', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  await createFindings(ctx)
  const page = { limit: 1, offset: 0 }
  const all = await searchFindings(ctx, page, {})
  expect(all.total).toBeGreaterThan(0)
  for (const cvssMin of [-1e308, -5_000, 0])
    expect(await searchFindings(ctx, page, { cvssMin })).toMatchObject({ total: all.total })
  for (const cvssMin of [10.1, 3_276.8, 5_000, 1e308])
    expect(await searchFindings(ctx, page, { cvssMin })).toMatchObject({ total: 0 })
})
