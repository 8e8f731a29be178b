import type { Page } from 'playwright-core'
import type { App } from './app.ts'
import { askGraphql } from './graphql.ts'

// A bill of materials of one machine and a feed that knows its parts to be vulnerable: findings without a network.

/** One part of the machine, and what a record says of it. */
export interface Part {
  readonly name: string
  readonly version: string
  readonly cveId: string
  readonly description: string
  readonly references: readonly string[]
}

/** Of invented software: nothing of it is in any catalogue. */
export const PARTS: readonly Part[] = [
  {
    name: 'parcel-kit',
    version: '2.0.3',
    cveId: 'CVE-2099-10001',
    description: 'A crafted label makes parcel-kit run commands.',
    references: ['https://example.org/parcel-kit/1', 'javascript:alert(1)'],
  },
]

const FIXED = '2.1.0'
const CRITICAL = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const PATIENCE_MS = 120_000

/** Answers when each part has its finding. */
export async function bringFindings(app: App, page: Page, parts: readonly Part[] = PARTS): Promise<void> {
  const bill = await app.file('depot.cdx.json', JSON.stringify(billOf(parts)))
  await app.rollcall('import', bill, '--host', 'depot-1')
  const feed = await app.file(
    'osv.jsonl',
    parts.map((part, at) => JSON.stringify(recordOf(part, at))).join('\n'),
  )
  await app.rollcall('feeds', 'load', 'osv', feed)
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const { data } = await askGraphql<{ findings: { total: number } }>(page, '{ findings { total } }')
    if (data && data.findings.total >= parts.length) return
    if (Date.now() > end) throw new Error(`findings: ${JSON.stringify(data)}, not ${parts.length}`)
    await page.waitForTimeout(250)
  }
}

const billOf = (parts: readonly Part[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  components: parts.flatMap(({ name, version }, at) => [
    { type: 'library', name, version },
    { type: 'library', name: `part-${at}`, version: '2.0.3', purl: `pkg:pypi/part-${at}@2.0.3` },
  ]),
})

const recordOf = ({ cveId, description, references }: Part, at: number) => ({
  id: `PYSEC-2099-${at + 1}`,
  aliases: [cveId],
  modified: '2026-01-02T00:00:00Z',
  published: '2026-01-01T00:00:00Z',
  details: description,
  severity: [{ type: 'CVSS_V3', score: CRITICAL }],
  affected: [
    {
      package: { ecosystem: 'PyPI', name: `part-${at}` },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: FIXED }] }],
    },
  ],
  references: references.map((url) => ({ type: 'WEB', url })),
})
