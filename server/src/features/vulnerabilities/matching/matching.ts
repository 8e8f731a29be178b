import { changesSince, rulesFor, vulnerabilityFacts } from '#features/advisories/advisories.ts'
import { decideEnds } from '#features/lifecycles/lifecycles.ts'
import { batchesOf } from '#platform/batches.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { assetsOfObservations, catalogueOf, applyCatalogueNames } from '#features/software/software.ts'
import * as queueStore from './matching-queue-store.ts'
import * as installedStore from './installed-software-store.ts'
import type { SoftwareRow } from './installed-software-store.ts'
import { lookedUp, lookupOf, nameOf } from './software-lookup.ts'
import * as matchStore from './match-store.ts'
import { isRevoked, rateCve } from './cve-rating.ts'
import { refreshFacts } from './refresh-cve-facts.ts'
import { lockFindings } from '../findings/finding-status-store.ts'
import { syncAssets } from '../findings/sync-findings.ts'

/**
 * Matches installed software with the advisory catalogue: changed software against the whole catalogue, changed
 * advisories against all software. Pending work is a committed row (`matching_due`) until it is done.
 */
export const matchJob = job<Record<string, never>>('vulnerabilities.match')
export const catalogueJob = job<Record<string, never>>('vulnerabilities.follow')

const ASSETS_AT_ONCE = 100
const ASSETS_OF_CATALOGUE_AT_ONCE = 500
const SOFTWARE_AT_ONCE = 500
const CVES_AT_ONCE = 1_000

/** Queues assets for matching; called in the transaction of the change. */
export async function enqueueMatching(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  if (assetIds.length === 0) return
  await queueStore.enqueueAssets(ctx, assetIds)
  if (!(await queueStore.isJobQueued(ctx, matchJob.name))) await enqueue(ctx, matchJob, {})
}

/** Worker of `softwareChanged`: matches the assets whose software changed. */
export async function matchObservations(
  ctx: Ctx,
  observationIds: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  await decideEnds(ctx, 'new')
  await queueStore.enqueueAssets(ctx, await assetsOfObservations(ctx, observationIds))
  await processMatchingQueue(ctx, signal)
}

/**
 * Matches queued assets until the queue is empty or `signal` aborts. Concurrent calls of one tenant alternate by its
 * lock.
 */
export async function processMatchingQueue(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  await catalogueCursor(ctx)
  for (let isMore = true; isMore && !signal?.aborted;) isMore = await atomically(ctx, matchSome)
}

/**
 * Returns whether there may be more. Assets queued for single software are cheap, so more of them are taken at once.
 */
async function matchSome(ctx: Ctx): Promise<boolean> {
  await lockFindings(ctx)
  const due = await queueStore.nextQueued(ctx, ASSETS_OF_CATALOGUE_AT_ONCE)
  const whole = due.filter(({ softwareIds }) => softwareIds === null).slice(0, ASSETS_AT_ONCE)
  if (whole.length > 0) await matchWhole(ctx, whole)
  else if (due.length > 0)
    await syncAssets(ctx, {
      assetIds: due.map(({ assetId }) => assetId),
      only: new Set(due.flatMap(({ softwareIds }) => softwareIds ?? [])),
    })
  await queueStore.dequeue(ctx, whole.length > 0 ? whole : due)
  return whole.length > 0 || due.length === ASSETS_OF_CATALOGUE_AT_ONCE
}

async function matchWhole(ctx: Ctx, whole: readonly queueStore.QueuedAsset[]): Promise<void> {
  const assetIds = whole.map(({ assetId }) => assetId)
  const known = await installedStore.softwareSets(ctx, assetIds)
  const news = await unmatchedSoftware(ctx, installedStore.idsIn(known))
  for (const rows of batchesOf(news, SOFTWARE_AT_ONCE)) await match(ctx, rows)
  await syncAssets(ctx, { assetIds, known })
}

/** Origins whose software has a display name only; its CPE name is guessed. */
const guessedOrigins: ReadonlySet<string> = new Set(['windows', 'macos', 'snmp', 'banner', 'flatpak', 'snap'])

/** Software that was never matched, after its CPE names are brought up to date. */
async function unmatchedSoftware(ctx: Ctx, softwareIds: readonly number[]): Promise<SoftwareRow[]> {
  const news = await installedStore.unmatched(ctx, softwareIds)
  const isDisplayed = news.some(({ origin }) => guessedOrigins.has(origin))
  if (!isDisplayed || !(await renameSoftware(ctx))) return news
  return installedStore.unmatched(ctx, softwareIds)
}

/** Recomputes guessed CPE names and rematches renamed software. Returns whether any was renamed. */
async function renameSoftware(ctx: Ctx): Promise<boolean> {
  const pairs = await installedStore.productPairs(ctx)
  if (pairs.length === 0) return false
  const renamed = await applyCatalogueNames(ctx, catalogueOf(pairs))
  for (const ids of batchesOf(renamed, SOFTWARE_AT_ONCE)) {
    const changed = await match(ctx, await installedStore.matchedAmong(ctx, ids))
    if (changed.length > 0) await queueStore.enqueueAssetsWithSoftware(ctx, changed)
  }
  return renamed.length > 0
}

/** Matches what changed in the catalogue since the tenant's cursor. */
export async function matchCatalogueChanges(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const cursor = await catalogueCursor(ctx)
  const { generation, packages, cveIds } = await changesSince(ctx, cursor)
  if (generation === cursor) return
  if (packages === 'all' || packages.some(({ ecosystem }) => ecosystem === 'cpe'))
    await atomically(ctx, async (inner) => {
      await lockFindings(inner)
      await renameSoftware(inner)
    })
  if (packages === 'all') await rematchAll(ctx, signal)
  else
    for (const keys of batchesOf(packages, SOFTWARE_AT_ONCE))
      for (const rows of batchesOf(await installedStore.matchedUnder(ctx, keys), SOFTWARE_AT_ONCE))
        await rematch(ctx, rows)
  await refreshFacts(ctx, cveIds)
  signal?.throwIfAborted()
  await queueStore.setCursor(ctx, generation)
  await processMatchingQueue(ctx, signal)
}

/** The generation up to which the tenant is matched; a new tenant begins at the present one. */
async function catalogueCursor(ctx: Ctx): Promise<number> {
  const cursor = await queueStore.cursor(ctx)
  if (cursor !== undefined) return cursor
  const { generation } = await changesSince(ctx, 0)
  await queueStore.setCursor(ctx, generation)
  return generation
}

async function rematchAll(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (let after = -(2 ** 31); ;) {
    signal?.throwIfAborted()
    const rows = await installedStore.matchedAfter(ctx, after, SOFTWARE_AT_ONCE)
    if (rows.length === 0) return
    await rematch(ctx, rows)
    after = rows.at(-1)?.id ?? after
  }
}

async function rematch(ctx: Ctx, rows: readonly SoftwareRow[]): Promise<void> {
  await atomically(ctx, async (inner) => {
    await lockFindings(inner)
    const changed = await match(inner, rows)
    if (changed.length > 0) await queueStore.enqueueAssetsWithSoftware(inner, changed)
  })
}

/** In the caller's transaction. Returns the ids of software whose matches changed. */
async function match(ctx: Ctx, rows: readonly SoftwareRow[]): Promise<number[]> {
  if (rows.length === 0) return []
  const lookups = rows.map(lookupOf)
  const asked = new Map(lookups.flatMap(({ keys }) => keys.map((key) => [nameOf(key), key] as const)))
  const rules = Map.groupBy(await rulesFor(ctx, [...asked.values()]), nameOf)
  const found = lookups.map((lookup) => lookedUp(lookup, rules))
  const cveIds = [...new Set(found.flatMap(({ matches }) => matches.map(({ cveId }) => cveId)))]
  const facts = await vulnerabilityFacts(ctx, cveIds)
  const isRejected = (cveId: string) => isRevoked(facts.get(cveId))
  const valid = found.map((it) => ({ ...it, matches: it.matches.filter(({ cveId }) => !isRejected(cveId)) }))
  const unknown = new Set(await matchStore.unknownAmong(ctx, cveIds))
  const rated = [...facts.values()].filter(({ id }) => unknown.has(id) && !isRejected(id)).map(rateCve)
  for (const part of batchesOf(rated, CVES_AT_ONCE)) await matchStore.writeFacts(ctx, part)
  return matchStore.replaceMatches(ctx, valid)
}
