import { expect, test } from 'vitest'
import { entriesIn } from './reading.fixture.ts'

const kevOf = (record: object) => entriesIn('kev', { vulnerabilities: [record] })

test('an exploited vulnerability has the days of its record', async () => {
  expect(
    await kevOf({
      cveID: 'CVE-2026-1',
      dateAdded: '2026-11-02',
      dueDate: '2026-11-23',
      knownRansomwareCampaignUse: 'Known',
    }),
  ).toEqual([
    { exploited: { cveId: 'CVE-2026-1', addedOn: '2026-11-02', dueOn: '2026-11-23', isByRansomware: true } },
  ])
})

test('that it has to be mended by a day, and that ransomware uses it, need not be known', async () => {
  const dated = { cveID: 'CVE-2026-1', dateAdded: '2026-11-02' }
  const exploited = { cveId: 'CVE-2026-1', addedOn: '2026-11-02', isByRansomware: false }
  expect(await kevOf(dated)).toEqual([{ exploited }])
  expect(await kevOf({ ...dated, dueDate: '', knownRansomwareCampaignUse: 'Unknown' })).toEqual([
    { exploited },
  ])
})

test.each([
  ['no CVE', { dateAdded: '2026-11-02' }, 'cveID'],
  ['no day', { cveID: 'CVE-2026-1' }, 'CVE-2026-1 has no dateAdded'],
  [
    'a day that there is not',
    { cveID: 'CVE-2026-1', dateAdded: '2026-02-30' },
    'CVE-2026-1 has no dateAdded',
  ],
])('a record with %s is refused', async (_, record, why) => {
  await expect(kevOf(record)).rejects.toThrow(why)
})
