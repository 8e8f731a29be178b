import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { validateObservation, type Rejected } from './observation-validation.ts'
import { describe, NO_EDITS } from '../attributes/asset-values.ts'
import { validObservation, newRecord, mergeReport, type ValidObservation } from './merge-observations.ts'
import * as store from './observation-read-store.ts'
import type { Observation } from '../observation.ts'
import { hashOf, type KnownSource, type ObservationRecord } from './observation-record.ts'
import { isOfAnother } from './address-holders.ts'
import { mergePassedAddresses, type MergedObservation, type Passed } from './passed-addresses.ts'
import { recluster, type NewConstraint, type ComputedCluster, type ReclusterResult } from './recluster.ts'
import { sightedAgain } from './sighted-again.ts'
import { visibleState } from './visible-changes.ts'

/** The result of a batch. The counts are of accepted observations. */
export interface IntakeResult {
  readonly observed: number
  /** Made a new asset. */
  readonly created: number
  /** Changed an attribute, a tag or an identifier of an existing asset, or merged assets. */
  readonly updated: number
  /** Changed none of these. */
  readonly unchanged: number
  readonly rejected: readonly Rejected[]
}

/**
 * Ingests a batch in the caller's transaction. Invalid observations are rejected, the others are stored. The source keys
 * of those that made or changed an asset are added to `changedKeys`.
 */
export async function ingest(
  ctx: Ctx,
  source: KnownSource,
  observations: readonly Observation[],
  changedKeys?: Set<string>,
): Promise<IntakeResult> {
  const now = ctx.now()
  const rejected: Rejected[] = []
  const reports = observations.flatMap((observation, index): ValidObservation[] => {
    const wrong = validateObservation(observation, now)
    if (wrong) rejected.push({ index, ...wrong })
    return wrong ? [] : [validObservation(observation, index)]
  })
  await store.lockTenant(ctx)
  const news = await withoutRepeats(
    ctx,
    source,
    Map.groupBy(reports, ({ sourceKey }) => sourceKey),
  )
  const merged = await mergeIntoRecords(ctx, source, news)
  const changed = merged.flatMap(({ known, observed }) => (isSame(known, observed) ? [] : [observed]))
  const declared = await constraintsToNamedAssets(ctx, merged)
  const identifiersChanged = new Set(merged.filter(hasChangedIdentifiers).map((each) => each.observed.id))
  const storedRecords = new Map(merged.flatMap(({ known }) => (known ? [[known.id, known]] : [])))
  const outcome =
    changed.length > 0
      ? await recluster(ctx, { changed, storedRecords, identifiersChanged, declared })
      : undefined
  const { created, updated } = outcome ? count(merged, outcome, changedKeys) : { created: 0, updated: 0 }
  const observed = reports.length
  return { observed, created, updated, unchanged: observed - created - updated, rejected }
}

type BySourceKey = Map<string, ValidObservation[]>

/** Fast path: unchanged repeats only move last_seen. Returns the reports that are left. */
async function withoutRepeats(ctx: Ctx, source: KnownSource, reports: BySourceKey): Promise<BySourceKey> {
  const repeats = [...reports].flatMap(([sourceKey, [first, ...others]]) => {
    if (!first || others.some((other) => other.payloadHash !== first.payloadHash)) return []
    const seenAt = Math.max(first.seenAt, ...others.map((other) => other.seenAt))
    return [{ sourceKey, payloadHash: first.payloadHash, seenAt }]
  })
  const done = new Set(await sightedAgain(ctx, source, repeats))
  return new Map([...reports].filter(([sourceKey]) => !done.has(sourceKey)))
}

async function mergeIntoRecords(
  ctx: Ctx,
  source: KnownSource,
  news: BySourceKey,
): Promise<MergedObservation[]> {
  if (news.size === 0) return []
  const known = await store.observedByKey(ctx, source, [...news.keys()])
  const byKey = new Map(known.map((observed) => [observed.sourceKey, observed]))
  const passed: Passed[] = []
  const merged = [...news].flatMap(([sourceKey, reports]): MergedObservation[] => {
    const before = byKey.get(sourceKey)
    const [first, ...rest] = reports
    if (!first) return []
    const start = before ? undefined : newRecord(first, source, newUuid(ctx.now()))
    const [record, left] = start ? [start, rest] : [before as ObservationRecord, reports]
    let observed = record
    for (const report of left) {
      if (isOfAnother(observed, report)) {
        passed.push({ sourceKey, record, known: before, reports: left, first })
        return []
      }
      observed = mergeReport(observed, report)
    }
    return [{ reports, known: before, observed }]
  })
  const ofOthers = passed.length > 0 ? await mergePassedAddresses(ctx, source, passed) : []
  return [...merged, ...ofOthers]
}

function isSame(known: ObservationRecord | undefined, observed: ObservationRecord): boolean {
  return (
    known !== undefined &&
    known.lastSeen === observed.lastSeen &&
    known.firstSeen === observed.firstSeen &&
    !hasNewContent(known, observed) &&
    !hasChangedIdentifiers({ known, observed })
  )
}

function hasChangedIdentifiers({ known, observed }: Pick<MergedObservation, 'known' | 'observed'>): boolean {
  return known !== undefined && JSON.stringify(known.identifiers) !== JSON.stringify(observed.identifiers)
}

function hasNewContent(known: ObservationRecord | undefined, observed: ObservationRecord): boolean {
  return (
    known === undefined ||
    known.payloadHash !== observed.payloadHash ||
    hashOf(known.history) !== hashOf(observed.history) ||
    known.identifiers.length !== observed.identifiers.length
  )
}

/** An observation with an `assetId` is linked to that asset. */
async function constraintsToNamedAssets(
  ctx: Ctx,
  merged: readonly MergedObservation[],
): Promise<NewConstraint[]> {
  const named = merged.flatMap(({ reports, observed }) =>
    reports.flatMap(({ assetId }) => (assetId === undefined ? [] : [{ assetId, id: observed.id }])),
  )
  const partners = await store.observationsOfAssets(ctx, [...new Set(named.map(({ assetId }) => assetId))])
  return named.flatMap(({ assetId, id }) =>
    partners
      .filter((partner) => partner.assetId === assetId && partner.observationId !== id)
      .map(({ observationId }): NewConstraint => ({
        kind: 'must_link',
        a: id,
        b: observationId,
        reason: NAMED,
      })),
  )
}

const NAMED = 'the source names the asset'

function count(
  merged: readonly MergedObservation[],
  outcome: ReclusterResult,
  changedKeys = new Set<string>(),
): { created: number; updated: number } {
  const fresh = new Set(outcome.came)
  const makers = new Map<string, MergedObservation>()
  let created = 0
  let updated = 0
  for (const each of merged) {
    const assetId = outcome.assetOf.get(each.observed.id) ?? ''
    const isMaker = each.known === undefined && fresh.delete(assetId)
    if (isMaker) {
      makers.set(assetId, each)
      changedKeys.add(each.observed.sourceKey)
      created++
    }
    // the same source key may be in a batch more than once
    const newPayloads = new Set(each.reports.map(({ payloadHash }) => payloadHash)).size - (isMaker ? 1 : 0)
    if (newPayloads === 0 || !hasNewContent(each.known, each.observed)) continue
    const maker = makers.get(assetId)
    const isDifferent = maker
      ? isVisiblyDifferent(maker, outcome.computed.get(assetId))
      : outcome.visiblyChanged.has(assetId)
    if (!isDifferent) continue
    changedKeys.add(each.observed.sourceKey)
    updated += newPayloads
  }
  return { created, updated }
}

/** Whether the other observations of a new asset changed it visibly after the first created it. */
function isVisiblyDifferent(
  { observed, reports: [first] }: MergedObservation,
  made: ComputedCluster | undefined,
): boolean {
  if (!first || !made) return false
  const alone = [newRecord(first, observed.source, observed.id)]
  const { row } = describe(made.row.id, alone, NO_EDITS)
  return visibleState(row, alone) !== visibleState(made.row, made.members)
}
