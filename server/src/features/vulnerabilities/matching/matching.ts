import { changesSince, rulesFor, vulnerabilityFacts } from '#features/advisories/advisories.ts'
import { batchesOf } from '#platform/batches.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { assetsOfObservations, catalogueOf, nameByCatalogue } from '#features/software/software.ts'
import * as dueStore from './matching-queue-store.ts'
import * as installedStore from './installed-software-store.ts'
import type { SoftwareRow } from './installed-software-store.ts'
import { lookedUp, lookupOf, nameOf } from './software-lookup.ts'
import * as matchStore from './match-store.ts'
import { isDead, rate } from './cve-rating.ts'
import { refreshFacts } from './refresh-cve-facts.ts'
import { lockTenant } from '../findings/finding-status-store.ts'
import { syncAssets } from '../findings/sync-findings.ts'

/**
 * What is installed against what is known, from both sides: changed software against the whole catalogue, the changed
 * part of the catalogue against all software. Whatever is to be done is a committed row until it is done.
 */
export const matchJob = job<Record<string, never>>('vulnerabilities.match')
export const followJob = job<Record<string, never>>('vulnerabilities.follow')

const ASSETS_AT_ONCE = 100
const ASSETS_OF_CATALOGUE_AT_ONCE = 500
const SOFTWARE_AT_ONCE = 500
const CVES_AT_ONCE = 1_000

/** Called in the transaction of the change. */
export async function matchLater(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  if (assetIds.length === 0) return
  await dueStore.mark(ctx, assetIds)
  if (!(await dueStore.isWaiting(ctx, matchJob.name))) await enqueue(ctx, matchJob, {})
}

/** For the inventory of software, which says whose software is another than before. */
export async function matchObservations(
  ctx: Ctx,
  observationIds: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  await dueStore.mark(ctx, await assetsOfObservations(ctx, observationIds))
  await matchDue(ctx, signal)
}

/** Works on what is due until nothing is, or it is stopped. Two who are at it take turns. */
export async function matchDue(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  await startFollowing(ctx)
  for (let isMore = true; isMore && !signal?.aborted;) isMore = await atomically(ctx, matchSome)
}

/** Answers whether there may be more. Changes of the catalogue come in larger parts: of each asset little is looked at. */
async function matchSome(ctx: Ctx): Promise<boolean> {
  await lockTenant(ctx)
  const due = await dueStore.due(ctx, ASSETS_OF_CATALOGUE_AT_ONCE)
  const whole = due.filter(({ softwareIds }) => softwareIds === null).slice(0, ASSETS_AT_ONCE)
  if (whole.length > 0) await matchWhole(ctx, whole)
  else if (due.length > 0)
    await syncAssets(ctx, {
      assetIds: due.map(({ assetId }) => assetId),
      only: new Set(due.flatMap(({ softwareIds }) => softwareIds ?? [])),
    })
  await dueStore.done(ctx, whole.length > 0 ? whole : due)
  return whole.length > 0 || due.length === ASSETS_OF_CATALOGUE_AT_ONCE
}

async function matchWhole(ctx: Ctx, whole: readonly dueStore.Due[]): Promise<void> {
  const assetIds = whole.map(({ assetId }) => assetId)
  const known = await installedStore.softwareSets(ctx, assetIds)
  const news = await newsIn(ctx, installedStore.idsIn(known))
  for (const rows of batchesOf(news, SOFTWARE_AT_ONCE)) await match(ctx, rows)
  await syncAssets(ctx, { assetIds, known })
}

/** Where names are written for people, and have to be guessed at. */
const displayed: ReadonlySet<string> = new Set(['windows', 'macos', 'snmp', 'banner', 'flatpak', 'snap'])

/** Software that was never looked up, under the names that the catalogue has for it. */
async function newsIn(ctx: Ctx, softwareIds: readonly number[]): Promise<SoftwareRow[]> {
  const news = await installedStore.unmatched(ctx, softwareIds)
  const isDisplayed = news.some(({ origin }) => displayed.has(origin))
  if (!isDisplayed || !(await nameAnew(ctx))) return news
  return installedStore.unmatched(ctx, softwareIds)
}

/** Whoever is called otherwise now is looked up again. Answers whether anybody is. */
async function nameAnew(ctx: Ctx): Promise<boolean> {
  const pairs = await installedStore.productPairs(ctx)
  if (pairs.length === 0) return false
  const renamed = await nameByCatalogue(ctx, catalogueOf(pairs))
  for (const ids of batchesOf(renamed, SOFTWARE_AT_ONCE)) {
    const changed = await match(ctx, await installedStore.matchedAmong(ctx, ids))
    if (changed.length > 0) await dueStore.markHolders(ctx, changed)
  }
  return renamed.length > 0
}

/** Brings the tenant up to the catalogue of now. */
export async function followCatalogue(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const seen = await startFollowing(ctx)
  const { generation, packages, cveIds } = await changesSince(ctx, seen)
  if (generation === seen) return
  if (packages === 'all' || packages.some(({ ecosystem }) => ecosystem === 'cpe'))
    await atomically(ctx, async (inner) => {
      await lockTenant(inner)
      await nameAnew(inner)
    })
  if (packages === 'all') await matchAllAnew(ctx, signal)
  else
    for (const keys of batchesOf(packages, SOFTWARE_AT_ONCE))
      for (const rows of batchesOf(await installedStore.matchedUnder(ctx, keys), SOFTWARE_AT_ONCE))
        await matchAnew(ctx, rows)
  await refreshFacts(ctx, cveIds)
  signal?.throwIfAborted()
  await dueStore.setCursor(ctx, generation)
  await matchDue(ctx, signal)
}

/** Whoever matches for the first time sees the catalogue of now, or of later. */
async function startFollowing(ctx: Ctx): Promise<number> {
  const seen = await dueStore.cursor(ctx)
  if (seen !== undefined) return seen
  const { generation } = await changesSince(ctx, 0)
  await dueStore.setCursor(ctx, generation)
  return generation
}

async function matchAllAnew(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (let after = -(2 ** 31); ;) {
    signal?.throwIfAborted()
    const rows = await installedStore.matchedAfter(ctx, after, SOFTWARE_AT_ONCE)
    if (rows.length === 0) return
    await matchAnew(ctx, rows)
    after = rows.at(-1)?.id ?? after
  }
}

async function matchAnew(ctx: Ctx, rows: readonly SoftwareRow[]): Promise<void> {
  await atomically(ctx, async (inner) => {
    await lockTenant(inner)
    const changed = await match(inner, rows)
    if (changed.length > 0) await dueStore.markHolders(inner, changed)
  })
}

/** In the caller's transaction. Answers which of them match otherwise than before. */
async function match(ctx: Ctx, rows: readonly SoftwareRow[]): Promise<number[]> {
  if (rows.length === 0) return []
  const lookups = rows.map(lookupOf)
  const asked = new Map(lookups.flatMap(({ keys }) => keys.map((key) => [nameOf(key), key] as const)))
  const rules = Map.groupBy(await rulesFor(ctx, [...asked.values()]), nameOf)
  const found = lookups.map((lookup) => lookedUp(lookup, rules))
  const cveIds = [...new Set(found.flatMap(({ matches }) => matches.map(({ cveId }) => cveId)))]
  const facts = await vulnerabilityFacts(ctx, cveIds)
  const isRejected = (cveId: string) => isDead(facts.get(cveId))
  const kept = found.map((it) => ({ ...it, matches: it.matches.filter(({ cveId }) => !isRejected(cveId)) }))
  const unknown = new Set(await matchStore.unknownAmong(ctx, cveIds))
  const rated = [...facts.values()].filter(({ id }) => unknown.has(id) && !isRejected(id)).map(rate)
  for (const part of batchesOf(rated, CVES_AT_ONCE)) await matchStore.writeFacts(ctx, part)
  return matchStore.replaceMatches(ctx, kept)
}
