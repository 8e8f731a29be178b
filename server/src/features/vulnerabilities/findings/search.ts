import { vulnerabilityFacts, type VulnerabilityFacts } from '#features/advisories/advisories.ts'
import type { Severity } from '#features/advisories/advisory.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import * as attributionStore from './attribution-store.ts'
import * as store from './search-store.ts'
import type { Finding, FindingStatus, Grade } from './finding.ts'

/** Looking through the findings from every side that the app offers. */

/** A finding as lists in the app show it. */
export interface ShownFinding extends Finding {
  readonly assetName: string
  /** 0 to 1; null: nobody estimated it. */
  readonly epss: number | null
  /** `YYYY-MM-DD`; null: not known to be exploited. */
  readonly kevAddedOn: string | null
  /** Someone published a score; else it is the middle of the severity's band. */
  readonly isScored: boolean
  readonly overrideId: string | null
  readonly ratingOverrideId: string | null
}

export interface FindingQuery {
  readonly status?: FindingStatus | undefined
  readonly severity?: Severity | undefined
  readonly cveId?: string | undefined
  readonly assetId?: string | undefined
  readonly isExploited?: boolean | undefined
  readonly matchType?: Grade | undefined
  readonly hasFix?: boolean | undefined
  readonly cvssMin?: number | undefined
  /** In the CVE's id, the software, or what names the asset, whatever its case. */
  readonly search?: string | undefined
  readonly sort?: FindingSort | undefined
  readonly direction?: 'asc' | 'desc' | undefined
}

export const findingSorts = ['score', 'foundAt', 'changedAt', 'epss', 'cveId'] as const
export type FindingSort = (typeof findingSorts)[number]

const TOP = 10

/** The highest score first, unless asked otherwise. */
export async function browseFindings(
  ctx: Ctx,
  page: Page,
  query: FindingQuery,
): Promise<Listed<ShownFinding>> {
  permit(ctx, 'vulnerabilities:read')
  const isImpossible = query.assetId !== undefined && !isUuid(query.assetId)
  if (isImpossible || [query.search, query.cveId].some((it) => it?.includes('\0')))
    return { items: [], total: 0 }
  return store.browse(ctx, page, query)
}

export interface FindingDetail extends ShownFinding {
  readonly attributions: readonly attributionStore.Attribution[]
  readonly history: readonly attributionStore.Turn[]
}

/** With all that ever made it, and what became of it. */
export async function explainFinding(ctx: Ctx, id: string): Promise<FindingDetail> {
  permit(ctx, 'vulnerabilities:read')
  const finding = isUuid(id) ? await store.shownFinding(ctx, id) : undefined
  if (!finding) throw notFound('vulnerability')
  const attributions = await attributionStore.attributionsOf(ctx, id)
  return { ...finding, attributions, history: await attributionStore.historyOf(ctx, id) }
}

export interface CvePage {
  readonly facts: VulnerabilityFacts
  readonly counts: readonly store.Count[]
}

const CVE_LENGTH_MAX = 100

/** What is known of it, and how the tenant fares. */
export async function cvePage(ctx: Ctx, id: string): Promise<CvePage> {
  permit(ctx, 'vulnerabilities:read')
  if (id === '' || id.length > CVE_LENGTH_MAX || id.includes('\0'))
    throw invalid('id', 'must name a vulnerability')
  const facts = (await vulnerabilityFacts(ctx, [id])).get(id)
  if (!facts) throw notFound('vulnerability')
  return { facts, counts: await store.counts(ctx, id) }
}

export interface FindingsOverview {
  readonly counts: readonly store.Count[]
  readonly topCves: readonly store.TopCve[]
  readonly topAssets: readonly store.TopAsset[]
}

/** Where to begin. */
export async function findingsOverview(ctx: Ctx): Promise<FindingsOverview> {
  permit(ctx, 'vulnerabilities:read')
  return {
    counts: await store.counts(ctx),
    topCves: await store.topCves(ctx, TOP),
    topAssets: await store.topAssets(ctx, TOP),
  }
}
