import type { OsRelease } from '#features/assets/observation.ts'
import { batchesOf } from '#platform/batches.ts'
import { sortedInSlices } from '#platform/time-slices.ts'
import type { Ctx } from '#platform/context.ts'
import { changesOf, nextIds, difference, type Named } from './install-changes.ts'
import { ecosystemOfRelease } from '../identifiers/ecosystems.ts'
import type { Entry } from './software-entry.ts'
import { normalisedName } from '../cpe-naming/normalised-name.ts'
import { isRebootPending } from './running-kernel.ts'
import { parseReports, type Detail, type ObservedSoftware, type ReportedSet } from './parse-reports.ts'
import { addSoftwareChanges } from './software-changes.ts'
import * as store from './inventory-store.ts'

/** Software that is back within two daily inventories is not recorded as removed. */
const FLAP_MS = 48 * 60 * 60 * 1_000

/** Writes the differences to the stored sets in the caller's transaction; returns the ids of changed observations. */
export async function recordReports(ctx: Ctx, reports: readonly ObservedSoftware[]): Promise<string[]> {
  if (reports.length === 0) return []
  const [systems, releases] = [systemsOf(reports), await releasesMissing(ctx, reports)]
  await store.writeSystems(ctx, systems)
  await store.writeRebootPending(ctx, pendingReboots(reports, releases))
  const { entries, reported } = await parseReports(reports, releases)
  const news = await withoutKnown(ctx, reported)
  if (news.length === 0) return []
  const ids = await idsOf(ctx, news, entries)
  const before = new Map((await store.storedSets(ctx, news)).map((held) => [placeOf(held), held]))
  const names = await namesOf(ctx, { news, ids, before })
  const updates: SetUpdate[] = []
  for (const each of news)
    updates.push(await updateOf(each, { ids, names, before: before.get(placeOf(each)) }))
  await store.writeSets(ctx, updates)
  for (const some of batchesOf([...deltasOf(updates)], ENTRIES_AT_ONCE)) await store.count(ctx, some)
  await writeHistory(ctx, updates, names)
  return [
    ...new Set(
      updates.filter(({ came, went }) => came.length + went.length > 0).map((it) => it.observationId),
    ),
  ]
}

const placeOf = ({ observationId, origin }: Pick<ReportedSet, 'observationId' | 'origin'>): string =>
  `${observationId} ${origin}`

function systemsOf(reports: readonly ObservedSoftware[]): store.System[] {
  const newest = new Map<string, store.System>()
  for (const { observationId, seenAt, software } of reports) {
    const { release } = software
    const known = newest.get(observationId)
    if (!release || release.id === '' || (known && known.reportedAt > seenAt)) continue
    const ecosystem = ecosystemOfRelease(release)
    newest.set(observationId, { ...storable(release), observationId, ecosystem, reportedAt: seenAt })
  }
  return [...newest.values()]
}

/** Of reports with the whole list of packages. */
function pendingReboots(
  reports: readonly ObservedSoftware[],
  releases: ReadonlyMap<string, OsRelease>,
): ReadonlyMap<string, boolean | null> {
  const whole = reports.filter(({ software: { complete } }) =>
    complete.some((origin) => origin === 'dpkg' || origin === 'rpm'),
  )
  return new Map(
    whole.map(({ observationId, software: { release, items } }) => {
      const { kernel = '' } = release ?? releases.get(observationId) ?? {}
      return [observationId, isRebootPending(kernel, items) ?? null]
    }),
  )
}

const TEXT_LENGTH_MAX = 512

function storable({ id, versionId, codename = '', prettyName = '', kernel = '' }: OsRelease): OsRelease {
  const [one = '', version = '', name = '', pretty = '', uname = ''] = [
    id,
    versionId,
    codename,
    prettyName,
    kernel,
  ].map((it) => it.replaceAll('\0', '').toWellFormed().slice(0, TEXT_LENGTH_MAX))
  return { id: one, versionId: version, codename: name, prettyName: pretty, kernel: uname }
}

function releasesMissing(ctx: Ctx, reports: readonly ObservedSoftware[]): Promise<Map<string, OsRelease>> {
  const difference = reports.filter(({ software }) => !software.release)
  return store.releasesOf(ctx, [...new Set(difference.map(({ observationId }) => observationId))])
}

/** The newest report of each set, without those that are stored already or older than the stored one. */
async function withoutKnown(ctx: Ctx, reported: readonly ReportedSet[]): Promise<ReportedSet[]> {
  const newest = new Map<string, ReportedSet>()
  for (const each of reported) {
    const known = newest.get(placeOf(each))
    if (!known || known.seenAt <= each.seenAt) newest.set(placeOf(each), each)
  }
  const stored = await store.setsOf(ctx, [...new Set(reported.map(({ observationId }) => observationId))])
  const known = new Map(stored.map((each) => [placeOf(each), each]))
  return [...newest.values()].filter((each) => {
    const before = known.get(placeOf(each))
    return before
      ? before.hash !== each.hash && before.reportedAt <= each.seenAt.getTime()
      : each.digests.length > 0
  })
}

async function idsOf(
  ctx: Ctx,
  news: readonly ReportedSet[],
  entries: ReadonlyMap<string, Entry>,
): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set(news.flatMap(({ digests, removed = [] }) => [...digests, ...removed]))]
  const ids = new Map<string, number>()
  await readIds(ctx, wanted, ids)
  const missing = wanted.filter((digest) => !ids.has(digest))
  for (const some of batchesOf(missing, ENTRIES_AT_ONCE))
    await store.addEntries(ctx, entriesOf(some, entries))
  await readIds(ctx, missing, ids)
  return ids
}

/** Batch size of queries on `software`; larger ones would block the event loop for too long. */
const ENTRIES_AT_ONCE = 1_000

/** Adds the ids of those that are known. */
async function readIds(ctx: Ctx, digests: readonly string[], ids: Map<string, number>): Promise<void> {
  for (const some of batchesOf(digests, ENTRIES_AT_ONCE))
    for (const [digest, id] of await store.idsOf(ctx, some)) ids.set(digest, id)
}

const entriesOf = (digests: readonly string[], entries: ReadonlyMap<string, Entry>): store.NewEntry[] =>
  digests.flatMap((digest) => {
    const entry = entries.get(digest)
    if (!entry) return []
    const { vendor, product } = normalisedName(entry)
    return [{ ...entry, digest, vendorKey: vendor, productKey: product }]
  })

/** Loaded only for sets that existed before: the first report of a set has no history. */
async function namesOf(
  ctx: Ctx,
  { news, ids, before }: { news: readonly ReportedSet[]; ids: ReadonlyMap<string, number>; before: Before },
): Promise<ReadonlyMap<number, Named>> {
  const asked = new Set<number>()
  for (const each of news) {
    const held = before.get(placeOf(each))?.ids
    if (!held) continue
    const now = each.digests.map((digest) => ids.get(digest) ?? 0)
    if (each.removed) for (const digest of each.removed) asked.add(ids.get(digest) ?? 0)
    const changed = each.removed
      ? now
      : each.isComplete
        ? [...difference(now, held), ...difference(held, now)]
        : [...now, ...held]
    for (const id of changed) asked.add(id)
  }
  return store.named(ctx, [...asked])
}

type Before = ReadonlyMap<string, store.StoredSet>

interface SetUpdate extends store.SetToWrite {
  readonly came: readonly number[]
  readonly went: readonly number[]
  readonly isFirst: boolean
}

async function updateOf(
  { observationId, origin, isComplete, digests, removed, details, hash, seenAt }: ReportedSet,
  {
    ids,
    names,
    before,
  }: {
    readonly ids: ReadonlyMap<string, number>
    readonly names: ReadonlyMap<number, Named>
    readonly before: store.StoredSet | undefined
  },
): Promise<SetUpdate> {
  const reported = await sortedInSlices(digests.flatMap((digest) => ids.get(digest) ?? []))
  const held = before?.ids ?? []
  const gone = removed && new Set(removed.flatMap((digest) => ids.get(digest) ?? []))
  const next = before ? nextIds(held, reported, { isComplete, gone, named: names }) : reported
  const detailed = [...details].flatMap(([digest, detail]): [number, Detail][] => {
    const id = ids.get(digest)
    return id === undefined ? [] : [[id, detail]]
  })
  return {
    observationId,
    origin,
    ids: next,
    hash,
    details: detailsAfter(isComplete ? undefined : before, next, detailed),
    reportedAt: seenAt,
    came: difference(next, held),
    went: difference(held, next),
    isFirst: before === undefined,
  }
}

/** What a list that only adds does not tell again stays as it was. */
function detailsAfter(
  before: store.StoredSet | undefined,
  ids: readonly number[],
  told: readonly [number, Detail][],
): store.SetToWrite['details'] {
  const known = before?.details ?? {}
  const staying = ids.flatMap((id): [number, Detail][] => (known[id] ? [[id, known[id]]] : []))
  const all = [...staying, ...told]
  return all.length > 0 ? Object.fromEntries(all) : undefined
}

function deltasOf(updates: readonly SetUpdate[]): Map<number, number> {
  const deltas = new Map<number, number>()
  for (const { came, went } of updates) {
    for (const id of came) deltas.set(id, (deltas.get(id) ?? 0) + 1)
    for (const id of went) deltas.set(id, (deltas.get(id) ?? 0) - 1)
  }
  return deltas
}

async function writeHistory(
  ctx: Ctx,
  updates: readonly SetUpdate[],
  names: ReadonlyMap<number, Named>,
): Promise<void> {
  const changes = updates.flatMap(({ observationId, origin, came, went, isFirst, reportedAt }) =>
    isFirst
      ? []
      : changesOf(came, went, names).map((it) => ({ ...it, observationId, origin, at: reportedAt })),
  )
  const newest = Math.max(...changes.map(({ at }) => at.getTime()))
  if (changes.length === 0) return
  await addSoftwareChanges(ctx, changes, names)
  const undone = await store.deleteUndoneChanges(ctx, changes, new Date(newest - FLAP_MS))
  await store.writeChanges(
    ctx,
    changes.filter((_, place) => !undone.has(place)),
  )
}
