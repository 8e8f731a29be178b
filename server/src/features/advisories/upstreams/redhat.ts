import type { DownloadContext, Download, Upstream } from './upstream.ts'

/** Maximum number of documents that are fetched one by one; with more, the archive is faster. */
const CHANGES_MAX = 500

/** CSAF advisories: the newest archive first, then the documents in the list of changes. */
export const redhatUpstream: Upstream = {
  name: 'redhat',
  title: 'Red Hat security data',
  attribution: 'Red Hat Product Security, CC-BY 4.0.',
  base: 'https://security.access.redhat.com/data/csaf/v2/advisories/',
  everyHours: 6,
  async *plan(context) {
    const changes = changesIn((await context.text(new URL('changes.csv', context.base).href)) ?? '')
    const newest = changes
      .map((it) => it.at)
      .toSorted()
      .at(-1)
    const position = context.parts.get('all')?.position
    const fresh = changes.filter((it) => position && it.at > position)
    if (!position || fresh.length > CHANGES_MAX) yield* archive(context)
    else if (fresh.length > 0)
      yield {
        part: 'all',
        urls: fresh.map((it) => new URL(it.path, context.base).href),
        isWhole: false,
        ...(newest && { position: newest }),
      }
  },
}

async function* archive(context: DownloadContext): AsyncIterable<Download> {
  const name = (await context.text(new URL('archive_latest.txt', context.base).href))?.trim()
  if (!name || !/^[\w.-]+$/.test(name)) return
  // Changes after the archive was made are in the list, so the archive's date is the position.
  const day = /(\d{4}-\d\d-\d\d)/.exec(name)?.[1]
  yield {
    part: 'all',
    urls: [new URL(name, context.base).href],
    isWhole: true,
    ...(day && { position: day }),
  }
}

/** `"2024/rhsa-2024_0010.json","2025-02-18T14:28:08+00:00"`; bug fix and enhancement advisories are skipped. */
function changesIn(text: string): { path: string; at: string }[] {
  return text.split('\n').flatMap((line) => {
    const [, path, at] = /^"(\d{4}\/rhsa-[\w-]+\.json)","([^"]+)"\s*$/.exec(line) ?? []
    return path && at ? [{ path, at }] : []
  })
}
