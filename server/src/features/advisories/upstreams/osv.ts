import type { Download, DownloadContext, Upstream } from './upstream.ts'

/** Language ecosystems, and distributions without a feed of their own here. */
const ECOSYSTEMS = [
  'PyPI',
  'npm',
  'Maven',
  'Go',
  'crates.io',
  'NuGet',
  'Packagist',
  'RubyGems',
  'Hex',
  'Pub',
  'Ubuntu',
  'AlmaLinux',
  'Rocky Linux',
] as const
/** With more changes than this, downloading the archive is faster than one request for each. */
const CHANGES_MAX = 500

/** One archive for each ecosystem; afterwards the records in its list of changes. */
export const osvUpstream: Upstream = {
  name: 'osv',
  title: 'OSV',
  attribution: 'Open Source Vulnerabilities (osv.dev), CC-BY 4.0; records keep the terms of their databases.',
  base: 'https://osv-vulnerabilities.storage.googleapis.com/',
  everyHours: 6,
  async *plan(context) {
    for (const ecosystem of ECOSYSTEMS) yield* changesOf(context, ecosystem)
  },
}

async function* changesOf(context: DownloadContext, ecosystem: string): AsyncIterable<Download> {
  const folder = new URL(`${encodeURIComponent(ecosystem)}/`, context.base).href
  const list = await context.text(`${folder}modified_id.csv`)
  const changes = (list ?? '').split('\n').flatMap(changeIn)
  const newest = changes
    .map((it) => it.at)
    .toSorted()
    .at(-1)
  const position = context.parts.get(ecosystem)?.position
  const fresh = changes.filter((it) => position && it.at > position)
  const isFew = position && list !== undefined && fresh.length <= CHANGES_MAX
  if (isFew && fresh.length === 0) return
  yield {
    part: ecosystem,
    urls: isFew ? fresh.map((it) => `${folder}${encodeURIComponent(it.id)}.json`) : [`${folder}all.zip`],
    isWhole: !isFew,
    ...(newest && { position: newest }),
  }
}

/** `2024-08-15T00:05:00Z,GHSA-…` */
function changeIn(line: string): { at: string; id: string }[] {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z),([\w.:-]+)\s*$/.exec(line) ?? []
  return at && id ? [{ at, id }] : []
}
