import { createHash, type Hash } from 'node:crypto'
import type { InstalledSoftware, OsRelease, SoftwareReport } from '#features/assets/observation.ts'
import { inSlices, sortedInSlices } from '#platform/time-slices.ts'
import { digestOf, entryOf, keyOf, systemEntry, type Entry, type EntryOrigin } from './software-entry.ts'

/** The software of one origin that one observation reports. */
export interface ReportedSet {
  readonly observationId: string
  readonly origin: EntryOrigin
  readonly isComplete: boolean
  /** Each once, ascending. */
  readonly digests: readonly string[]
  /** Of a report that tells the difference to the one before: what was removed. Absent: it tells what is there. */
  readonly removed?: readonly string[]
  /** User accounts and time of installation by digest, where reported. */
  readonly details: ReadonlyMap<string, Detail>
  /** SHA-256 of the content, independent of order: an equal hash is an unchanged report. Hexadecimal. */
  readonly hash: string
  readonly seenAt: Date
}

export interface Detail {
  /** User accounts that have it installed for themselves; absent if it is installed for all users. */
  readonly users?: readonly string[]
  /** RFC 3339. */
  readonly installedAt?: string
  /** YYYY-MM-DD. */
  readonly lastUsedOn?: string
  /** Where its files lie. */
  readonly paths?: readonly string[]
}

export interface ObservedSoftware {
  readonly observationId: string
  readonly seenAt: Date
  readonly software: SoftwareReport
}

/** Limit of items of one origin; no real machine has more. */
export const ITEMS_MAX = 50_000
const USERS_MAX = 100
const USER_LENGTH_MAX = 256
const PATHS_MAX = 5
const PATH_LENGTH_MAX = 512

/** The distinct entries of many reports, and each report as digests of them. */
export interface ParsedReports {
  /** By digest. */
  readonly entries: ReadonlyMap<string, Entry>
  readonly reported: readonly ReportedSet[]
}

/** `releases` are those that earlier reports gave, by observation, for reports that give none. */
export async function parseReports(
  reports: readonly ObservedSoftware[],
  releases: ReadonlyMap<string, OsRelease>,
): Promise<ParsedReports> {
  const entries = new Map<string, Entry>()
  const digests = new Map<string, string>()
  const digestFor = (entry: Entry): string => {
    const key = keyOf(entry)
    const known = digests.get(key)
    if (known !== undefined) return known
    const digest = digestOf(key)
    digests.set(key, digest)
    entries.set(digest, entry)
    return digest
  }
  const reported: ReportedSet[] = []
  for (const report of reports) {
    const release = report.software.release ?? releases.get(report.observationId)
    reported.push(...(await setsOf(report, release, digestFor)), ...(await systemSet(report, digestFor)))
  }
  return { entries, reported }
}

async function setsOf(
  { observationId, seenAt, software }: ObservedSoftware,
  release: OsRelease | undefined,
  digestFor: (entry: Entry) => string,
): Promise<ReportedSet[]> {
  const byOrigin = Map.groupBy(software.items.slice(0, ITEMS_MAX), ({ origin }) => origin)
  const removed = Map.groupBy((software.removed ?? []).slice(0, ITEMS_MAX), ({ origin }) => origin)
  const origins = new Set([...byOrigin.keys(), ...removed.keys(), ...software.complete])
  const sets: ReportedSet[] = []
  for (const origin of origins) {
    const details = new Map<string, Detail>()
    const digests = new Set<string>()
    for await (const slice of inSlices(byOrigin.get(origin) ?? []))
      for (const item of slice) {
        const entry = entryOf(item, release)
        if (!entry) continue
        const digest = digestFor(entry)
        const isAgain = digests.has(digest)
        digests.add(digest)
        addDetail(details, digest, { item, isAgain })
      }
    const isComplete = software.complete.includes(origin)
    const of = { observationId, origin, isComplete, seenAt }
    const gone = (removed.get(origin) ?? []).flatMap((item) => {
      const entry = entryOf(item, release)
      return entry ? [digestFor(entry)] : []
    })
    sets.push(await reportedOf({ ...of, ...(software.removed && { removed: gone }) }, digests, details))
  }
  return sets
}

async function systemSet(
  { observationId, seenAt, software }: ObservedSoftware,
  digestFor: (entry: Entry) => string,
): Promise<ReportedSet[]> {
  const entry = software.release && systemEntry(software.release)
  if (!entry) return []
  const digests = new Set([digestFor(entry)])
  return [await reportedOf({ observationId, origin: 'os', isComplete: true, seenAt }, digests, new Map())]
}

async function reportedOf(
  of: Pick<ReportedSet, 'observationId' | 'origin' | 'isComplete' | 'removed' | 'seenAt'>,
  digests: ReadonlySet<string>,
  details: ReadonlyMap<string, Detail>,
): Promise<ReportedSet> {
  const sorted = await sortedInSlices(digests)
  const content = createHash('sha256').update(String(of.isComplete))
  for await (const slice of inSlices(sorted)) content.update(slice.join(''))
  if (of.removed) content.update(`removed ${of.removed.toSorted().join('')}`)
  if (details.size > 0) await hashDetails(content, details)
  return { ...of, digests: sorted, details, hash: content.digest('hex') }
}

/** As the JSON of the details in the order of their digests. */
async function hashDetails(content: Hash, details: ReadonlyMap<string, Detail>): Promise<void> {
  let separator = '['
  for await (const slice of inSlices(await sortedInSlices(details.keys())))
    for (const digest of slice) {
      content.update(`${separator}${JSON.stringify([digest, details.get(digest)])}`)
      separator = ','
    }
  content.update(']')
}

/** Software installed for all users is not listed for single accounts. */
function addDetail(
  details: Map<string, Detail>,
  digest: string,
  { item, isAgain }: { readonly item: InstalledSoftware; readonly isAgain: boolean },
): void {
  const { user, installedAt } = item
  const lastUsedOn = lastUseIn(item)
  const isPlain = [user, installedAt, lastUsedOn, item.paths].every((it) => it === undefined)
  if (isPlain && !details.has(digest)) return
  const known = details.get(digest)
  const isForAll = user === undefined || (isAgain && known?.users === undefined)
  const users = isForAll
    ? undefined
    : [...new Set([...(known?.users ?? []), storable(user)])].sort().slice(0, USERS_MAX)
  const since = installedAt && installedAt.getTime() >= 0 ? installedAt.toISOString() : known?.installedAt
  const usedOn = [lastUsedOn, known?.lastUsedOn]
    .flatMap((it) => it ?? [])
    .toSorted()
    .at(-1)
  const paths = pathsOf(known?.paths, item)
  details.set(digest, {
    ...(users && { users }),
    ...(since !== undefined && { installedAt: since }),
    ...(usedOn !== undefined && { lastUsedOn: usedOn }),
    ...(paths.length > 0 && { paths }),
  })
}

const pathsOf = (known: readonly string[] = [], { paths = [] }: InstalledSoftware): readonly string[] =>
  [...new Set([...known, ...paths.map((it) => storable(it, PATH_LENGTH_MAX))])].sort().slice(0, PATHS_MAX)

/** Undefined for what is no day. */
function lastUseIn({ lastUsedOn = '' }: InstalledSoftware): string | undefined {
  const isDay = /^[12]\d{3}-\d\d-\d\d$/.test(lastUsedOn) && !Number.isNaN(Date.parse(lastUsedOn))
  return isDay ? lastUsedOn : undefined
}

const storable = (text: string, length = USER_LENGTH_MAX): string =>
  text.replaceAll('\0', '').toWellFormed().slice(0, length)
