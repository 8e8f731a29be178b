import { expect, test } from 'vitest'
import { house } from '#test/house.ts'
import { findingOf, plantFindings } from './findings.fixture.ts'
import { getFinding, tenantOfFinding } from './vulnerabilities.ts'

test('a finding of another tenant is not there', async () => {
  const { newTenant, household } = await house()
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const id = await findingOf(theirs, await plantFindings(theirs))
  await expect(getFinding(mine, id)).rejects.toThrow('vulnerability not found')
  expect(await getFinding(theirs, id)).toMatchObject({ id })
  expect(await tenantOfFinding(household.system, id)).toBe(theirs.tenantId)
})
