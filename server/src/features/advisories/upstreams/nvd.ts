import { DAY_MS, type Download, type DownloadContext, type Upstream } from './upstream.ts'

const FIRST_YEAR = 2002
/** The file of recent changes covers eight days; one day is subtracted for clock differences. */
const MODIFIED_REACHES_MS = 7 * DAY_MS
/** Maximum time range and number of records of one API request. */
const WINDOW_MS = 119 * DAY_MS
const PAGE = 2_000
/** Requests in 30 seconds: 5 without a key, 50 with one. */
const PACE_MS = { withoutKey: 6_500, withKey: 700 }
const API = 'https://services.nvd.nist.gov/rest/json/cves/2.0'

/**
 * One file for each year, with a checksum; afterwards the file of recent changes. After a longer pause the API is
 * asked for the changes in between; a mirror has no API, so the yearly files are loaded again.
 */
export const nvdUpstream: Upstream = {
  name: 'nvd',
  title: 'National Vulnerability Database',
  attribution: 'This product uses data from the NVD API but is not endorsed or certified by the NVD.',
  base: 'https://nvd.nist.gov/feeds/json/cve/2.0/',
  everyHours: 2,
  async *plan(context) {
    const years = range(FIRST_YEAR, context.now.getUTCFullYear()).map((it) => String(it))
    const missing = years.filter((it) => !context.parts.has(it))
    for (const year of missing) yield* fileOf(context, year, true)
    const since = lastSeen(context, years)
    const pause = since === undefined ? 0 : context.now.getTime() - since.getTime()
    if (pause > MODIFIED_REACHES_MS && context.isMirrored) {
      for (const year of years.filter((it) => !missing.includes(it))) yield* fileOf(context, year, true)
    } else if (pause > MODIFIED_REACHES_MS && since) yield* changesFrom(context, since)
    yield* fileOf(context, 'modified', false)
  },
}

/** Start of the period whose changes are not loaded: the last file of changes, else the oldest year. */
function lastSeen({ parts, now }: DownloadContext, years: readonly string[]): Date | undefined {
  const known = years.flatMap((it) => parts.get(it)?.syncedAt ?? [])
  const oldest = known.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? now
  const synced = [parts.get('modified')?.syncedAt, parts.get('api')?.syncedAt].filter(
    (it) => it !== undefined,
  )
  return [oldest, ...synced].toSorted((a, b) => b.getTime() - a.getTime())[0]
}

/** Nothing when the checksum is that of the loaded file. */
async function* fileOf(context: DownloadContext, part: string, isWhole: boolean): AsyncIterable<Download> {
  const meta = await context.text(new URL(`nvdcve-2.0-${part}.meta`, context.base).href)
  const sha256 = meta && /^sha256:([0-9a-f]{64})\s*$/im.exec(meta)?.[1]?.toLowerCase()
  if (sha256 && context.parts.get(part)?.checksum === sha256) return
  const url = new URL(`nvdcve-2.0-${part}.json.gz`, context.base).href
  const isNewYear = part === String(context.now.getUTCFullYear())
  yield { part, urls: [url], isWhole, ...(sha256 && { sha256 }), ...(isNewYear && { mayBeMissing: true }) }
}

async function* changesFrom(context: DownloadContext, since: Date): AsyncIterable<Download> {
  const headers = context.apiKey ? { apiKey: context.apiKey } : {}
  const paceMs = context.apiKey ? PACE_MS.withKey : PACE_MS.withoutKey
  for (let from = since.getTime(); from < context.now.getTime(); from += WINDOW_MS) {
    const until = Math.min(from + WINDOW_MS, context.now.getTime())
    const query = `lastModStartDate=${iso(from)}&lastModEndDate=${iso(until)}`
    const first = await context.text(`${API}?${query}&resultsPerPage=1`)
    const total = Number(/"totalResults"\s*:\s*(\d+)/.exec(first ?? '')?.[1] ?? 0)
    for (let start = 0; start < total; start += PAGE) {
      const url = `${API}?${query}&resultsPerPage=${PAGE}&startIndex=${start}`
      yield {
        part: 'api',
        urls: [url],
        isWhole: false,
        headers,
        paceMs,
        position: new Date(until).toISOString(),
      }
    }
  }
}

const iso = (at: number): string => new Date(at).toISOString().replace('Z', '%2B00:00')

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
