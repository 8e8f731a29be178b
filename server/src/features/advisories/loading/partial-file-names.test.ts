import { expect, test } from 'vitest'
import type { FeedName } from '../formats/all.ts'
import { filePart } from './partial-file-names.ts'

const ALL = { part: 'all', isWhole: true }
const ADDED = { part: 'loaded', isWhole: false }

test.each<readonly [FeedName, string, ReturnType<typeof filePart>]>([
  ['kev', 'anything.json', ALL],
  ['debian', 'anything.json', ALL],
  ['nvd', 'nvdcve-2.0-2024.json.gz', { part: '2024', isWhole: true }],
  ['nvd', 'nvdcve-2.0-modified.json', { part: 'modified', isWhole: false }],
  ['nvd', 'nvdcve-2.0-recent.json', { part: 'recent', isWhole: false }],
  ['nvd', 'my-nvdcve-2.0-2024.json', ADDED],
  ['cve-list', '2024-01-01_all_CVEs_at_midnight.zip.zip', ALL],
  ['cve-list', 'CVE-2024-0001.json', ADDED],
  ['osv', 'all.zip', ADDED],
  ['alpine', 'main.json', ADDED],
  ['wolfi', 'security.json', ADDED],
  ['redhat', 'csaf_advisories_2024-01-01.tar.zst', ALL],
  ['redhat', 'rhsa-2024_0001.json', ADDED],
  ['ubuntu-vex', 'vex-all.tar.xz', ALL],
  ['ubuntu-vex', 'USN-1.json', ADDED],
  ['suse', 'opensuse.leap.15.5.xml', { part: 'opensuse.leap.15.5.xml', isWhole: true }],
  ['suse', 'opensuse.leap.15.5.xml.zst', { part: 'opensuse.leap.15.5.xml', isWhole: true }],
  ['suse', 'readme.txt', ADDED],
  ['endoflife', 'full.json', ALL],
  ['endoflife', 'products', ALL],
  ['endoflife', 'debian.json', ADDED],
])('of %s, %s is the part %j', (feed, file, part) => {
  expect(filePart(feed, file)).toEqual(part)
})
