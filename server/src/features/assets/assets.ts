/** Assets: the tenant's inventory, each asset once, however many sources report it. */
import { randomUUID } from 'node:crypto'
import { record } from '#features/audit/audit.ts'
import { emit } from '#features/events/events.ts'
import { fromReplica, atomically, beyondLimit, isLimited, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import { getAsset } from './asset-by-id.ts'
import type { Asset, AssetFilter } from './asset.ts'
import * as assetStore from './asset-store.ts'
import { toChange } from './editing/change-within-limit.ts'
import { deleteAssets } from './editing/delete-assets.ts'
import { validateObservation, type Rejected } from './intake/observation-validation.ts'
import { ingest, type IntakeResult } from './intake/intake.ts'
import * as intakeStore from './intake/observation-read-store.ts'
import { listWhere } from './listing/where.ts'
import { csvLines, type CsvCell } from './exporting/csv-lines-store.ts'
import * as listStore from './listing/newest-first-store.ts'
import * as duplicatesStore from './listing/possible-duplicates-store.ts'
import type { Observation } from './observation.ts'
import { scanKinds } from './intake/observation-scope.ts'
import type { KnownSource } from './intake/observation-record.ts'

export type { Asset, AssetFilter } from './asset.ts'
export { archiveAsset, reviveAsset } from './archive/archive.ts'
export { archiveAssets, archiveStates, reviveAssets } from './archive/archive-changes.ts'
export { compareSource, type ComparedAsset, type DifferentValue } from './details/compare-source.ts'
export { getAsset } from './asset-by-id.ts'
export { setAttribute } from './editing/attribute-edits.ts'
export { attributeNames, type AttributeName } from './attributes/source-precedence.ts'
export { toChange } from './editing/change-within-limit.ts'
export { deleteAssets } from './editing/delete-assets.ts'
export { listSharedHardware } from './listing/shared-hardware.ts'
export { matchingAssetIds } from './listing/matching-assets.ts'
export { suggestMerge, suggestMergeOfSame } from './editing/suggest-merge.ts'
export { identifierTypes, type IdentifierType } from './observation.ts'
export { createGroup } from './groups/groups.ts'
export { defineCustomField, listCustomFields } from './editing/custom-fields.ts'
export {
  changeCustomValues,
  clearCustomField,
  fieldForValue,
  setCustomField,
  setCustomFieldOfAssets,
} from './editing/custom-values.ts'
export { assetsChanged } from './asset-signals.ts'
export { customFieldOfColumn, importCustomValues, readCustomValue } from './editing/import-custom-values.ts'
export { addTags, checkTags, removeTags, restoreTags, retagAssets, type PeoplesTags } from './editing/tags.ts'
export { normaliseIdentifier } from './identity/identifiers.ts'
export { DEFAULT_SCOPE, inScope, scopeOfCollector, scopeOfSite } from './intake/observation-scope.ts'
export { moveToScope } from './intake/move-to-scope.ts'
export { renameObservations } from './intake/rename-observations.ts'
export { touchObservations, type Sighting } from './intake/sighted-again.ts'
export { assetTypes, softwareOrigins } from './observation.ts'
export { lockSites, updateAllSites, updateAllSitesLater, updateSites } from './site/site.ts'

/** A condition that is true of every living asset. */
const EVERYTHING = 'has id'
const EXPORT_ROWS_MAX = 10_000

/** Called by `sources.submit` alone, in its transaction. At most 1,000 observations at a time. */
export function observe(
  ctx: Ctx,
  source: KnownSource,
  observations: readonly Observation[],
  changedKeys?: Set<string>,
): Promise<IntakeResult> {
  return ingest(ctx, source, observations, changedKeys)
}

/** The ids of a source's observations, by source key. */
export function observationIds(
  ctx: Ctx,
  sourceId: string,
  sourceKeys: readonly string[],
): Promise<Map<string, string>> {
  return intakeStore.idsByKey(ctx, sourceId, sourceKeys)
}

/** The assets of a source's observations, by source key. */
export function assetIdsByKey(
  ctx: Ctx,
  sourceId: string,
  sourceKeys: readonly string[],
): Promise<Map<string, string>> {
  return intakeStore.assetIdsByKey(ctx, sourceId, sourceKeys)
}

/** The networks in which scans saw each of the assets; one that no scan saw is absent. */
export function scopesOfAssets(
  ctx: Ctx,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  permit(ctx, 'assets:read')
  return intakeStore.scopesOfAssets(ctx, assetIds.filter(isUuid), [...scanKinds])
}

/** Validates observations without storing them: the rejected ones and why. */
export function rejectedAmong(ctx: Ctx, observations: readonly Observation[]): Rejected[] {
  const now = ctx.now()
  return observations.flatMap((observation, index) => {
    const wrong = validateObservation(observation, now)
    return wrong ? [{ index, ...wrong }] : []
  })
}

/** Last seen first. Throws 400, which names `where`, for a condition that cannot be read or takes too long. */
export async function listAssets(
  ctx: Ctx,
  page: Page,
  { type, search, where }: AssetFilter = {},
): Promise<Listed<Asset>> {
  permit(ctx, 'assets:read')
  // search texts hold one value a line, so a line break never matches
  if (cannotBeStored(type) || cannotBeStored(search) || search?.includes('\n')) return { items: [], total: 0 }
  // the function that searches reads the assets of the whole tenant
  const text = where ?? (search && isLimited(ctx) ? EVERYTHING : undefined)
  if (text !== undefined) return listWhere(ctx, page, { where: text, type, search })
  return search ? listStore.search(ctx, page, search, type) : listStore.list(ctx, page, type)
}

/** How many there are, as the whole list says. For another feature, which asks for the permission. */
export async function countAssets(ctx: Ctx): Promise<number> {
  return (await listStore.list(ctx, { limit: 1, offset: 0 })).total
}

/** Those of the assets that are there, in the order of the ids. */
export async function assetsById(ctx: Ctx, ids: readonly string[]): Promise<Asset[]> {
  permit(ctx, 'assets:read')
  return assetStore.assetsInOrder(ctx, ids.filter(isUuid))
}

/**
 * Names of those of the assets that are there, by id. Until the end of the transaction none of them is deleted or
 * merged away: for what is written about assets in tables of other features.
 */
export function lockAssets(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  return assetStore.lockAssets(ctx, ids)
}

/** The survivors of assets that were merged away, by the former ids. */
export function mergedAssets(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  return assetStore.mergedAssets(ctx, ids)
}

/** The tenant of an asset, of which only the id is known; 404 if there is none. */
export async function tenantOfAsset(system: Ctx, id: string): Promise<string> {
  permit(system, 'assets:read')
  const tenantId = isUuid(id) ? await assetStore.tenantOf(system, id) : undefined
  if (tenantId === undefined) throw notFound('asset')
  return tenantId
}

export interface AssetExport {
  readonly assets: readonly Asset[]
  /** There are more than an export holds. */
  readonly truncated: boolean
}

export interface ExportFile {
  readonly format: 'csv'
  readonly filename: string
  /** It is only asked what the export would be: nobody is told of one. */
  readonly isTried?: boolean | undefined
}

/** The assets of `list`, at most 10,000; by default all, last seen first. Emits EXPORT_COMPLETED. */
export async function exportAssets(
  ctx: Ctx,
  file: ExportFile,
  list: (ctx: Ctx, page: Page) => Promise<Listed<Asset>> = listStore.list,
): Promise<AssetExport> {
  permit(ctx, 'assets:read')
  const page = { limit: EXPORT_ROWS_MAX, offset: 0 }
  const { items, total } = await fromReplica(ctx, (there) => list(there, page))
  await tellOfExport(ctx, file, items.length)
  return { assets: items, truncated: total > items.length }
}

/** As `exportAssets` of all assets, as lines of a CSV file. */
export async function exportLines(
  ctx: Ctx,
  file: ExportFile,
  columns: readonly CsvCell[],
): Promise<Pick<AssetExport, 'truncated'> & { readonly lines: string }> {
  permit(ctx, 'assets:read')
  const { text, count, total } = await fromReplica(ctx, (there) => csvLines(there, columns, EXPORT_ROWS_MAX))
  await tellOfExport(ctx, file, count)
  return { lines: text, truncated: total > count }
}

async function tellOfExport(
  ctx: Ctx,
  { format, filename, isTried }: ExportFile,
  rowCount: number,
): Promise<void> {
  if (isTried) return
  await atomically(ctx, async (inner) => {
    const completed_at = inner.now().toISOString()
    const payload = {
      export_id: randomUUID(),
      kind: 'assets',
      format,
      completed_at,
      row_count: rowCount,
      filename,
    }
    await emit(beyondLimit(inner), [{ type: 'EXPORT_COMPLETED', payload }])
  })
}

/** Deletes an asset and all its observations; if a source reports it again, it is a new asset. */
export async function deleteAsset(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'assets:write')
  await atomically(await toChange(ctx, [id]), async (inner) => {
    await intakeStore.lockTenant(inner)
    const { name } = await getAsset(inner, id)
    await deleteAssets(inner, [id])
    await record(inner, 'asset.deleted', { type: 'asset', id }, { name })
  })
}

export interface RiskScore {
  readonly assetId: string
  /** 0 to 100. */
  readonly score: number
}

/** Stores risk scores in the caller's transaction. */
export async function setRiskScores(ctx: Ctx, scores: readonly RiskScore[]): Promise<void> {
  if (scores.length > 0) await assetStore.setRiskScores(ctx, scores)
}

/** Possible duplicates, highest score first. */
export async function listCandidates(ctx: Ctx, page: Page): Promise<Listed<duplicatesStore.AssetPair>> {
  permit(ctx, 'assets:read')
  return duplicatesStore.candidatePairs(ctx, page)
}

/** PostgreSQL text cannot hold NUL, so such a filter matches nothing. */
const cannotBeStored = (text: string | undefined): boolean => text?.includes('\0') ?? false
