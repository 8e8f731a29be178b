import { expect, test } from 'vitest'
import { listFeeds, vulnerabilityFacts } from '#features/advisories/advisories.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { demoRecords } from './sample-advisories.ts'
import { furnishCatalogue } from './demo.ts'

test('feeds that have nothing get a few records, once, and what they say is read', async () => {
  const home = await testApp()
  const { system } = home.runtime
  expect(await furnishCatalogue(system)).toBeGreaterThan(10)
  expect(await furnishCatalogue(system)).toBe(0)
  const filled = (await listFeeds(system)).filter(({ records }) => records > 0).map(({ name }) => name)
  expect(filled.toSorted()).toEqual(
    demoRecords()
      .map(({ feed }) => feed)
      .toSorted(),
  )
  const facts = await vulnerabilityFacts(await home.newTenant(), ['CVE-2024-9680'])
  expect(facts.get('CVE-2024-9680')).toMatchObject({
    score: { score: 9.8 },
    exploited: { addedOn: '2024-10-15' },
  })
})
