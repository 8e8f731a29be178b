/** Software: what is installed on every asset, normalised, with its history. */
import { assetsChanged, getAsset } from '#features/assets/assets.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { inOrder, subjectPage } from '#platform/conditions/lists/subject-page.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import * as holderStore from './listing/assets-with-software-store.ts'
import { displayedOrigins, normalisedName } from './cpe-naming/normalised-name.ts'
import * as namingStore from './cpe-naming/naming-store.ts'
import type { Catalogue } from './cpe-naming/known-cpe-products.ts'
import type { ObservedSoftware } from './inventory/parse-reports.ts'
import { recordReports } from './inventory/record-reports.ts'
import * as views from './listing/software-list-store.ts'
import type {
  AssetSystem,
  Holder,
  InstalledOn,
  Software,
  SoftwareChange,
  SoftwareFilter,
  SoftwareHolder,
  SoftwareNames,
  SystemInUse,
  SystemName,
} from './listing/software-lists.ts'

export { addSoftwareEntry, listSoftwareEntries, removeSoftwareEntry } from './lists/forbidden-and-allowed.ts'
export { isListed, listedReason } from './lists/software-list-store.ts'
export {
  assetsWithSoftwareChanges,
  softwareOverTime,
  type SoftwareOverTime,
} from './history/software-over-time.ts'
export { ANY, NONE, parseCpe, type Cpe } from './identifiers/cpe.ts'
export { distributionOfPurl, ecosystemOfPurl, listsFixesOnly } from './identifiers/ecosystems.ts'
export { decideEnds } from './inventory/decide-ends.ts'
export { endOfLife, endOfSystem, lifecyclesOf, type EndOfLife } from './end-of-life.ts'
export { isVendorInName, isVendorNamed, isDistinctiveName } from './cpe-naming/cpe-candidates.ts'
export { catalogueOf } from './cpe-naming/known-cpe-products.ts'
export { formatPurl, parsePurl, type Purl } from './identifiers/purl.ts'
export { packageOfPurl } from './identifiers/purl-package.ts'
export { compareToBound, compareVersions, schemeOf, type Scheme } from './versions/compare.ts'
export { isInRange } from './versions/range.ts'

/**
 * Enqueued in the transaction of the change for observations whose software changed; the feature that consumes the
 * inventory registers the worker. By then the observations may belong to other assets or be deleted.
 */
export const softwareChanged = job<{ readonly observationIds: readonly string[] }>('software.changed')

/**
 * Stores the software that observations report; called by `sources.submit` alone, in its transaction. Unchanged reports
 * write nothing, and reports older than the stored one are ignored.
 */
export async function report(ctx: Ctx, reports: readonly ObservedSoftware[]): Promise<void> {
  permit(ctx, 'assets:write')
  await atomically(ctx, async (inner) => {
    const observationIds = await recordReports(inner, reports)
    if (observationIds.length === 0) return
    await enqueue(inner, softwareChanged, { observationIds })
    await assetsChanged(inner, await views.assetsOf(inner, observationIds))
  })
}

/**
 * Installed software by name unless another order is asked for, with the number of assets that have it. Throws 400 naming
 * `where` or `sort`.
 */
export async function listSoftware(
  ctx: Ctx,
  page: Page,
  filter: SoftwareFilter = {},
): Promise<Listed<Software & { readonly assets: number }>> {
  permit(ctx, 'assets:read')
  const { where, sort, ...narrower } = filter
  if (Object.values(narrower).some((it) => it?.includes('\0') ?? false)) return { items: [], total: 0 }
  const query = { subject: 'software', usual: 'name', where, sort, narrowed: views.narrowing(narrower) }
  const { items: ids, total } = await subjectPage(ctx, query, page)
  const rows = ids.length === 0 ? [] : await views.counted(ctx, ids)
  return { items: inOrder(ids, rows, ({ id }) => String(id)), total }
}

/** The software of one asset, by name. */
export async function softwareOfAsset(ctx: Ctx, assetId: string, page: Page): Promise<Listed<InstalledOn>> {
  permit(ctx, 'assets:read')
  await getAsset(ctx, assetId)
  return views.ofAsset(ctx, assetId, page)
}

/** Installations, removals and updates on one asset since its first report, newest first. */
export async function softwareHistory(
  ctx: Ctx,
  assetId: string,
  page: Page,
): Promise<Listed<SoftwareChange>> {
  permit(ctx, 'assets:read')
  await getAsset(ctx, assetId)
  return views.changesOf(ctx, assetId, page)
}

/**
 * Keyset page of distinct software by id: at most `limit` with an id greater than `id` (0: from the first). New
 * software gets greater ids, so the last id can be used to read later additions. Includes software that was
 * uninstalled lately.
 */
export async function softwareAfter(ctx: Ctx, id: number, limit: number): Promise<Software[]> {
  permit(ctx, 'assets:read')
  return views.after(ctx, id, limit)
}

/** Distinct software with one of these names, to match new advisories with. */
export async function softwareNamed(ctx: Ctx, names: SoftwareNames): Promise<Software[]> {
  permit(ctx, 'assets:read')
  return views.byNames(ctx, names)
}

/** Assets with this software, one row for each observation and software. */
export async function assetsWithSoftware(
  ctx: Ctx,
  softwareIds: readonly number[],
): Promise<SoftwareHolder[]> {
  permit(ctx, 'assets:read')
  return views.holders(ctx, softwareIds)
}

/** Software of these assets, one row for each observation and software; includes the operating system (origin `os`). */
export async function softwareOfAssets(ctx: Ctx, assetIds: readonly string[]): Promise<SoftwareHolder[]> {
  permit(ctx, 'assets:read')
  return views.heldByAssets(ctx, assetIds)
}

/** The assets that these observations belong to now. */
export async function assetsOfObservations(ctx: Ctx, observationIds: readonly string[]): Promise<string[]> {
  permit(ctx, 'assets:read')
  return views.assetsOf(ctx, observationIds)
}

/** Operating systems of these assets as reported by sources, newest first. */
export async function systemsOfAssets(ctx: Ctx, assetIds: readonly string[]): Promise<AssetSystem[]> {
  permit(ctx, 'assets:read')
  return views.systems(ctx, assetIds)
}

/** How many assets have each of these. */
export async function countAssets(ctx: Ctx, softwareIds: readonly number[]): Promise<Map<number, number>> {
  permit(ctx, 'assets:read')
  return views.counts(ctx, softwareIds)
}

/** The operating systems of the tenant, and how many assets have each. */
export async function systemsInUse(ctx: Ctx): Promise<SystemInUse[]> {
  permit(ctx, 'assets:read')
  return views.systemsInUse(ctx)
}

const SYSTEM = 'system '

/** Prefix of the keys of operating systems; keys of software are numbers. */
export const systemKey = ({ id, versionId, prettyName }: SystemName): string =>
  SYSTEM + [id, versionId, prettyName].map(encodeURIComponent).join(' ')

/** The assets that have one software or run one system, by name. Empty for unknown ids. */
export async function listHolders(ctx: Ctx, page: Page, key: string): Promise<Listed<Holder>> {
  permit(ctx, 'assets:read')
  const [id = '', versionId = '', prettyName = ''] = wordsIn(key)
  if (key.startsWith(SYSTEM)) return holderStore.ofSystem(ctx, page, { id, versionId, prettyName })
  return SOFTWARE_ID.test(key) ? holderStore.ofSoftware(ctx, page, Number(key)) : { items: [], total: 0 }
}

/** Limits the digits to those of the column's type. */
const SOFTWARE_ID = /^\d{1,9}$/

function wordsIn(key: string): string[] {
  try {
    const words = key.slice(SYSTEM.length).split(' ').map(decodeURIComponent)
    return words.some((word) => word.includes('\0')) ? [] : words
  } catch {
    return []
  }
}

const NAMES_PER_BATCH = 2_000

/**
 * Recomputes the CPE names of software with display names, now that the catalogue has changed. Returns the ids of the
 * software whose name changed.
 */
export async function applyCatalogueNames(ctx: Ctx, catalogue: Catalogue): Promise<number[]> {
  permit(ctx, 'assets:write')
  const renamed: number[] = []
  for (let last = 0; ;) {
    const batch = await namingStore.displayedAfter(ctx, last, {
      origins: displayedOrigins,
      limit: NAMES_PER_BATCH,
    })
    const names = batch.flatMap((entry) => {
      const { vendor, product } = normalisedName(entry, catalogue)
      const isSame = vendor === entry.vendorKey && product === entry.productKey
      return isSame ? [] : [{ id: entry.id, vendorKey: vendor, productKey: product }]
    })
    await namingStore.rename(ctx, names)
    for (const { id } of names) renamed.push(id)
    last = batch.at(-1)?.id ?? last
    if (batch.length < NAMES_PER_BATCH) return renamed
  }
}
