import { rulesFor } from '#features/advisories/advisories.ts'
import { assetsChanged, setRiskScores } from '#features/assets/assets.ts'
import { addChanges } from '#features/changes/changes.ts'
import { emit } from '#features/events/events.ts'
import { batchesOf } from '#platform/batches.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import * as store from './attribution-store.ts'
import { asUnconfirmed, type LiveMatch, type RecordedTransition, type Transition } from './attribution.ts'
import * as queueStore from '../matching/matching-queue-store.ts'
import * as installedStore from '../matching/installed-software-store.ts'
import type { SoftwareSet } from '../matching/software-set.ts'
import { moveWeights } from '../risk/merged-weights.ts'
import * as riskStore from '../risk/risk-store.ts'
import { findingChanges } from './finding-changes.ts'
import { archivedAmong } from './archived-assets-store.ts'
import * as statusStore from './finding-status-store.ts'
import type { RecomputedFinding } from './finding-status-store.ts'
import {
  libraryOf,
  distributionPackageNames,
  withoutDistributionLibraries,
  wordKeys,
  type BuiltPackage,
} from '../matching/distribution-libraries.ts'
import { BASE_PACKAGES, withUnconfirmed } from '../matching/unconfirmed-libraries.ts'
import { compareAttributions, endedTransitions, type Lost } from './finding-transitions.ts'

/**
 * Updates findings, counts, events and risk scores to the present matches. Everything here joins the caller's
 * transaction.
 */

const EVENTS_AT_ONCE = 1_000

export interface SyncScope {
  readonly assetIds: readonly string[]
  /** Software of these assets; read from the database unless given. */
  readonly known?: readonly SoftwareSet[]
  /** Only matches of this software are compared; absent: all. */
  readonly only?: ReadonlySet<number>
}

/** Findings of deleted assets are removed, those of merged assets move to the survivor. */
export async function syncAssets(ctx: Ctx, { assetIds, known, only }: SyncScope): Promise<void> {
  await statusStore.lockFindings(ctx)
  const gone = await queueStore.deletedAmong(ctx, assetIds)
  await removeDeletedAssets(ctx, gone)
  const ids = new Set(gone.map(({ id }) => id))
  // an archived asset is matched when it is revived
  const archived = await archivedAmong(ctx, assetIds)
  const living = new Set(assetIds.filter((id) => !ids.has(id) && !archived.has(id)))
  const sets =
    known?.filter(({ assetId }) => living.has(assetId)) ??
    (await installedStore.softwareSets(ctx, [...living]))
  const { found, lost, matches } = await compare(ctx, [...living], sets, only)
  const transitions = [...found, ...(await transitionsOfLost(ctx, lost, sets))]
  if (transitions.length > 0) await write(ctx, transitions, matches)
}

interface Compared extends ReturnType<typeof compareAttributions> {
  readonly matches: ReadonlyMap<number, LiveMatch>
}

const within = (sets: readonly SoftwareSet[], only: ReadonlySet<number>): SoftwareSet[] =>
  sets.map((set) => ({ ...set, ids: set.ids.filter((id) => only.has(id)) }))

async function compare(
  ctx: Ctx,
  assetIds: readonly string[],
  sets: readonly SoftwareSet[],
  only?: ReadonlySet<number>,
): Promise<Compared> {
  const wanted = only ? within(sets, only) : sets
  const matches = await store.liveMatches(ctx, installedStore.idsIn(wanted))
  const own = await ownIn(ctx, sets, matches)
  const findings = await store.findingsOf(ctx, assetIds)
  const attributions = await store.liveAttributions(
    ctx,
    findings.map(({ id }) => id),
    only && [...only],
  )
  return {
    ...compareAttributions(only ? within(own, only) : own, matches, { findings, attributions }),
    matches: new Map(matches.map((match) => [match.id, match])),
  }
}

/** The installed software without libraries that a distribution package provides, and which of it nothing confirms. */
async function ownIn(
  ctx: Ctx,
  sets: readonly SoftwareSet[],
  matches: readonly LiveMatch[],
): Promise<readonly SoftwareSet[]> {
  const matched = [...new Set(matches.map(({ softwareId }) => softwareId))]
  const rows = await installedStore.librariesAmong(ctx, matched)
  const libraries = rows.flatMap((row) => libraryOf(row) ?? [])
  if (libraries.length === 0) return sets
  const names = [...new Set([...libraries.flatMap(distributionPackageNames), ...BASE_PACKAGES])]
  const packages = await installedStore.distributionPackagesNamed(ctx, installedStore.idsIn(sets), names)
  const unknown = billsWithout(packages, sets)
  const listed = unknown.length > 0 ? await installedStore.listedPackages(ctx, unknown) : []
  const words = wordKeys(packages.filter(({ name }) => !BASE_PACKAGES.includes(name)))
  const own = withoutDistributionLibraries(
    sets,
    libraries,
    packages,
    words.length > 0 ? await rulesFor(ctx, words) : [],
  )
  return withUnconfirmed(own, libraries, { named: packages, listed: new Set(listed) })
}

/** Of bills of materials none of whose packages is known yet. */
function billsWithout(packages: readonly BuiltPackage[], sets: readonly SoftwareSet[]): number[] {
  const known = new Set(packages.map(({ id }) => id))
  const bills = sets.filter(({ origin, ids }) => origin === 'sbom' && !ids.some((id) => known.has(id)))
  return installedStore.idsIn(bills)
}

async function transitionsOfLost(
  ctx: Ctx,
  lost: readonly Lost[],
  sets: readonly SoftwareSet[],
): Promise<Transition[]> {
  if (lost.length === 0) return []
  const matches = await store.lostMatches(ctx, [...new Set(lost.map(({ matchId }) => matchId))])
  const packages = [...new Set(matches.map((match) => match.package))]
  const named = await installedStore.named(ctx, installedStore.idsIn(sets), packages)
  return endedTransitions(lost, {
    sets,
    matches: new Map(matches.map((match) => [match.id, match])),
    names: new Map(named.map(({ id, name }) => [id, name])),
  })
}

async function write(
  ctx: Ctx,
  transitions: readonly Transition[],
  matches: Compared['matches'],
): Promise<void> {
  const { written, made } = withFindings(ctx, transitions, matches)
  const added = await statusStore.insertFindings(ctx, made)
  addChanges(ctx, findingChanges(added))
  await store.recordTransitions(ctx, written)
  const overridden = added.filter(({ isOverridden }) => isOverridden).map(({ id }) => id)
  const reloaded = new Map((await recomputeAll(ctx, overridden, 'found')).map((it) => [it.id, it]))
  const news = added.map((it) => reloaded.get(it.id) ?? it)
  await announce(ctx, news)
  const changed = await recomputeChanged(ctx, written, new Set(added.map(({ id }) => id)))
  await recomputeRiskScores(ctx, [...new Set([...news, ...changed].map(({ assetId }) => assetId))])
}

/** Recomputes findings that existed before; the reason in their history is that of the transition. */
async function recomputeChanged(
  ctx: Ctx,
  written: readonly RecordedTransition[],
  news: ReadonlySet<string>,
): Promise<RecomputedFinding[]> {
  const reasons = new Map<string, string>()
  for (const { findingId, happens, because } of written)
    if (!news.has(findingId) && reasons.get(findingId) !== FOUND_AGAIN)
      reasons.set(findingId, happens === 'begins' ? FOUND_AGAIN : (because ?? 'as before'))
  const recomputed: RecomputedFinding[] = []
  for (const [why, ids] of Map.groupBy(reasons.keys(), (id) => reasons.get(id) ?? ''))
    recomputed.push(...(await recomputeAll(ctx, ids, why)))
  return recomputed
}

const FOUND_AGAIN = 'found again'

/** Recomputes the status of findings and the risk scores of their assets. */
export async function recomputeFindings(
  ctx: Ctx,
  findingIds: readonly string[],
  why: string,
): Promise<RecomputedFinding[]> {
  const recomputed = await recomputeAll(ctx, findingIds, why)
  await recomputeRiskScores(ctx, [...new Set(recomputed.map(({ assetId }) => assetId))])
  return recomputed
}

const FINDINGS_PER_STATEMENT = 5_000

async function recomputeAll(ctx: Ctx, ids: readonly string[], why: string): Promise<RecomputedFinding[]> {
  const recomputed: statusStore.ChangedFinding[] = []
  for (const part of batchesOf(ids, FINDINGS_PER_STATEMENT))
    recomputed.push(...(await statusStore.recompute(ctx, part, why)))
  addChanges(ctx, findingChanges(recomputed))
  return recomputed
}

/**
 * Emits VULNERABILITY_FOUND for new open findings; not for findings that return, nor for those closed by an override.
 */
async function announce(ctx: Ctx, added: readonly RecomputedFinding[]): Promise<void> {
  const news = added.filter(({ status }) => status === 'open')
  const foundAt = ctx.now().toISOString()
  for (const part of batchesOf(news, EVENTS_AT_ONCE))
    await emit(
      ctx,
      part.map((it) => ({
        type: 'VULNERABILITY_FOUND',
        payload: {
          vulnerability_id: it.id,
          asset_id: it.assetId,
          cve_id: it.cveId,
          severity: it.severity,
          match_type: it.grade,
          confidence: it.confidence,
          found_at: foundAt,
        },
      })),
    )
}

export async function recomputeRiskScores(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  for (const part of batchesOf(assetIds, FINDINGS_PER_STATEMENT))
    await setRiskScores(ctx, await riskStore.recomputeScores(ctx, part))
  await assetsChanged(ctx, assetIds)
}

/** Moves findings and weights of merged assets to their survivor and removes those of deleted assets. */
export async function removeDeletedAssets(ctx: Ctx, gone: readonly queueStore.DeletedAsset[]): Promise<void> {
  if (gone.length === 0) return
  for (const { id, survivor } of gone)
    if (survivor !== null) {
      const archived = await archivedAmong(ctx, [survivor])
      await statusStore.setArchived(ctx, [id], archived.has(survivor))
      await statusStore.moveFindings(ctx, id, survivor)
    }
  const weighed = await moveWeights(ctx, gone)
  const ids = gone.map(({ id }) => id)
  await statusStore.removeOfAssets(ctx, ids)
  await riskStore.removeOfAssets(ctx, ids)
  if (weighed.length > 0) await recomputeRiskScores(ctx, weighed)
  await queueStore.enqueueAssets(
    ctx,
    gone.flatMap(({ survivor }) => (survivor === null ? [] : [survivor])),
  )
}

function withFindings(
  ctx: Ctx,
  transitions: readonly Transition[],
  matches: Compared['matches'],
): { readonly written: RecordedTransition[]; readonly made: statusStore.NewFinding[] } {
  const made = new Map<string, statusStore.NewFinding>()
  const written = transitions.flatMap((transition): RecordedTransition[] => {
    const { assetId, cveId, findingId, matchId } = transition
    const match = matches.get(matchId)
    if (findingId !== undefined) return [{ ...transition, findingId }]
    if (!match) return []
    const key = `${assetId} ${cveId}`
    const known = made.get(key)
    const id = known?.id ?? newUuid(ctx.now())
    const { software, fixedVersion } = match
    const { isUnconfirmed } = transition
    const { grade, confidence } = isUnconfirmed ? asUnconfirmed(match) : match
    const isSurer = known?.confidence === confidence && known.isUnconfirmed && !isUnconfirmed
    if (!known || known.confidence < confidence || isSurer)
      made.set(key, { id, assetId, cveId, grade, confidence, software, fixedVersion, isUnconfirmed })
    return [{ ...transition, findingId: id }]
  })
  return { written, made: [...made.values()] }
}
