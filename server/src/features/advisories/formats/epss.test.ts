import { expect, test } from 'vitest'
import { entriesIn } from './reading.fixture.ts'

const HEAD = '#model_version:v2026.11.01,score_date:2026-11-28\ncve,epss,percentile\n'

test('each line is the likelihood of a CVE, and its share of those that are less likely', async () => {
  expect(await entriesIn('epss', `${HEAD}CVE-2026-0001,0.91,0.99\nCVE-2026-0002,1e-05,0\n\n`)).toEqual([
    { likelihood: { cveId: 'CVE-2026-0001', epss: 0.91, percentile: 0.99 } },
    { likelihood: { cveId: 'CVE-2026-0002', epss: 0.00001, percentile: 0 } },
  ])
  expect(await entriesIn('epss', `${HEAD}CVE-2026-0001,1,1`)).toHaveLength(1)
})

test('a day may have no scores', async () => {
  expect(await entriesIn('epss', HEAD)).toEqual([])
})

test.each([
  ['nothing', '', 'the file is empty'],
  ['comments alone', '# of today\n', 'the file is empty'],
  ['other columns', 'cve,percentile,epss\n', 'line 1 is not the header'],
  ['a name that is no CVE', `${HEAD}GHSA-1,0.1,0.2`, 'line 3 is no score: GHSA-1,0.1,0.2'],
  ['a line too short', `${HEAD}CVE-2026-0001,0.1`, 'line 3 is no score'],
  ['a line too long', `${HEAD}CVE-2026-0001,0.1,0.2,0.3`, 'line 3 is no score'],
  ['a score above 1', `${HEAD}CVE-2026-0001,1.1,0.2`, 'line 3 (CVE-2026-0001) is not from 0 to 1'],
  ['a percentile above 1', `${HEAD}CVE-2026-0001,0.1,20`, 'line 3 (CVE-2026-0001) is not from 0 to 1'],
  ['a score that is no number', `${HEAD}CVE-2026-0001,high,0.2`, 'line 3 (CVE-2026-0001) is not from 0 to 1'],
])('a file with %s is refused', async (_, file, why) => {
  await expect(entriesIn('epss', file)).rejects.toThrow(why)
})
