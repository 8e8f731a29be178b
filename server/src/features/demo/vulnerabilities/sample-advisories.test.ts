import { expect, test } from 'vitest'
import { listFeeds, vulnerabilityFacts } from '#features/advisories/advisories.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { sampleAdvisories } from './sample-advisories.ts'
import { loadSampleAdvisories } from '../demo.ts'

test('feeds that have nothing get a few records, once, and what they say is read', async () => {
  const home = await testApp()
  const { system } = home.runtime
  expect(await loadSampleAdvisories(system)).toBeGreaterThan(10)
  expect(await loadSampleAdvisories(system)).toBe(0)
  const filled = (await listFeeds(system)).filter(({ records }) => records > 0).map(({ name }) => name)
  expect(filled.toSorted()).toEqual(
    sampleAdvisories()
      .map(({ feed }) => feed)
      .toSorted(),
  )
  const facts = await vulnerabilityFacts(await home.newTenant(), ['CVE-2024-9680'])
  expect(facts.get('CVE-2024-9680')).toMatchObject({
    score: { score: 9.8 },
    exploited: { addedOn: '2024-10-15' },
  })
})
