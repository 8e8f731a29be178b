import { createReadStream, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import type { Advisory } from '../advisory.ts'
import { baseScoreOf } from '../catalogue/cvss-score.ts'
import { unpack } from '../loading/unpack.ts'
import { formats, type FeedName } from './all.ts'
import type { Entry } from './format.ts'

/** Every real file, which feed it is of, and how many entries and rules it comes to. */
const files: readonly (readonly [string, FeedName, number, number])[] = [
  ['feeds/nvd-api-2.0-page.json', 'nvd', 38, 27],
  ['feeds/nvd-api-2.0-single.json', 'nvd', 1, 1],
  ['nvd/nvd-2.0-genuine.json', 'nvd', 84, 198],
  ['nvd/nvd-2.0-composed.json.gz', 'nvd', 3039, 8257],
  ['feeds/cve-v5-CVE-2024-21762.json', 'cve-list', 1, 11],
  ['feeds/cve-v5-CVE-2024-3094.json', 'cve-list', 1, 0],
  ['feeds/cve-v5-CVE-2024-38063.json', 'cve-list', 1, 25],
  ['feeds/cve-v5-CVE-2024-6387.json', 'cve-list', 1, 8],
  ['nvd/cve-v5-sample.jsonl.gz', 'cve-list', 1460, 6068],
  ['feeds/osv-ALSA-2024_2433.json', 'osv', 1, 10],
  ['feeds/osv-GO-2024-2611.json', 'osv', 1, 1],
  ['feeds/osv-PYSEC-2021-335.json', 'osv', 1, 1],
  ['feeds/osv-RLSA-2024_3671.json', 'osv', 1, 3],
  ['feeds/osv-UBUNTU-CVE-2021-3782.json', 'osv', 1, 4],
  ['feeds/osv-USN-5614-1.json', 'osv', 1, 3],
  ['osv/pypi-pysec.jsonl.gz', 'osv', 2661, 2651],
  ['osv/other-ecosystems.jsonl.gz', 'osv', 420, 1017],
  ['feeds/kev-catalog-small.json', 'kev', 3, 0],
  ['nvd/kev.json', 'kev', 1404, 0],
  ['feeds/epss-scores.csv', 'epss', 5, 0],
  ['feeds/debian-security-tracker.json', 'debian', 7, 25],
  ['feeds/debian-DSA-list.txt', 'debian-dsa', 10, 9],
  ['feeds/ubuntu-openvex-CVE-2023-38545.json', 'ubuntu-vex', 1, 7],
  ['feeds/redhat-csaf-rhsa-2024_0010.json', 'redhat', 3, 39],
  ['feeds/redhat-csaf-rhsa-2025_23414.json', 'redhat', 2, 16],
  ['feeds/redhat-hydra-cve-full.json', 'redhat', 1, 37],
  ['feeds/redhat-hydra-cve.json', 'redhat', 1, 4],
  ['feeds/suse-oval.xml', 'suse', 4, 71],
  ['feeds/azurelinux-oval.xml', 'azure-linux', 3, 3],
  ['feeds/alpine-secdb-main.yaml', 'alpine', 13, 13],
  ['feeds/wolfi-style-security.json', 'wolfi', 197, 197],
  ['feeds/arch-all.json', 'arch', 5, 6],
  ['feeds/endoflife-v1-products-full.json', 'endoflife', 2, 0],
  ['endoflife/products.json.gz', 'endoflife', 464, 0],
]

async function entriesOf(path: string, feed: FeedName): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const file of unpack({ name: path, content: createReadStream(path) }))
    for await (const entry of formats[feed].read(file)) found.push(entry)
  return found
}

const advisoriesIn = (entries: readonly Entry[]): Advisory[] =>
  entries.flatMap((it) => ('advisory' in it ? [it.advisory] : []))

sharedData('', 'real files of every feed', (folder) => {
  test.each(files)('%s', async (name, feed, count, rules) => {
    const entries = await entriesOf(folder + name, feed)
    const advisories = advisoriesIn(entries)
    expect([entries.length, advisories.flatMap((it) => it.rules).length]).toEqual([count, rules])
  })
})

sharedData('cvss/vectors.jsonl.gz', 'scores that others computed', (path) => {
  test('are what vectors come to, but for a handful that the formulas contradict', () => {
    const told = gunzipSync(readFileSync(path)).toString().trim().split('\n')
    const rows = told.map((it) => JSON.parse(it) as Told).filter((it) => !it.has_temporal)
    const other = rows.filter((it) => baseScoreOf(it.vector)?.score !== it.baseScore)
    expect(rows.length).toBeGreaterThan(2_000)
    expect(other.length / rows.length).toBeLessThan(0.003)
  })
})

interface Told {
  readonly vector: string
  readonly baseScore: number
  readonly has_temporal: boolean
}
