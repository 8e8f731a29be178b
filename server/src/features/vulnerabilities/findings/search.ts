import { vulnerabilityFacts, type VulnerabilityFacts } from '#features/advisories/advisories.ts'
import { matching } from '#platform/conditions/matching.ts'
import { withCondition, withinTime } from '#platform/conditions/with-condition.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import * as attributionStore from './attribution-store.ts'
import * as store from './search-store.ts'
import type { Attribution } from './attribution.ts'
import type { FindingQuery } from './finding-query.ts'
import type { FindingHistoryEntry, ListedFinding } from './finding.ts'

/** The app's search for findings, one finding in detail, one CVE, and the overview. */

const TOP = 10

/** The highest score first, unless asked otherwise. */
export async function searchFindings(
  ctx: Ctx,
  page: Page,
  query: FindingQuery,
): Promise<Listed<ListedFinding>> {
  permit(ctx, 'vulnerabilities:read')
  const isImpossible = query.assetId !== undefined && !isUuid(query.assetId)
  if (isImpossible || [query.search, query.cveId].some((it) => it?.includes('\0')))
    return { items: [], total: 0 }
  const { where } = query
  if (!where) return store.search(ctx, page, query)
  const written = { subject: 'finding', text: where }
  const found = await matching(ctx, { ...written, narrowed: (inner) => [store.conditions(inner, query)] })
  if (!found)
    return withCondition(ctx, written, (inner, filter) => store.search(inner, page, query, { filter }))
  const { matches, filter } = found
  const ids = isInUsualOrder(query) ? matches.page(page.offset, page.limit) : undefined
  return withinTime(ctx, 'where', (inner) =>
    store.search(inner, page, query, { filter, known: { total: matches.total, ids } }),
  )
}

const isInUsualOrder = ({ sort = 'score', direction = 'desc' }: FindingQuery): boolean =>
  sort === 'score' && direction === 'desc'

export interface FindingDetail extends ListedFinding {
  readonly attributions: readonly Attribution[]
  readonly history: readonly FindingHistoryEntry[]
}

/** One finding with its attributions and its history. */
export async function getFindingDetail(ctx: Ctx, id: string): Promise<FindingDetail> {
  permit(ctx, 'vulnerabilities:read')
  const finding = isUuid(id) ? await store.findListed(ctx, id) : undefined
  if (!finding) throw notFound('vulnerability')
  const attributions = await attributionStore.attributionsOf(ctx, id)
  return { ...finding, attributions, history: await attributionStore.historyOf(ctx, id) }
}

export interface CvePage {
  readonly facts: VulnerabilityFacts
  readonly counts: readonly store.Count[]
}

const CVE_LENGTH_MAX = 100

/** The facts of one CVE and the tenant's numbers of findings of it. */
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
  /** Assets that have open findings and are left out, since they are stale. */
  readonly staleAssets: number
  readonly topCves: readonly store.TopCve[]
  readonly topAssets: readonly store.TopAsset[]
}

/** Counts, and the CVEs and assets of highest risk, without stale assets. */
export async function findingsOverview(ctx: Ctx): Promise<FindingsOverview> {
  permit(ctx, 'vulnerabilities:read')
  return {
    counts: await store.countsOfFresh(ctx),
    staleAssets: await store.countStaleAssets(ctx),
    topCves: await store.topCves(ctx, TOP),
    topAssets: await store.topAssets(ctx, TOP),
  }
}
