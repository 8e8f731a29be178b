/** Vulnerabilities: the findings of a tenant, how sure each is, and the overrides that change them. */
import type { Severity } from '#features/advisories/advisory.ts'
import { fromReplica, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Finding } from './findings/finding.ts'
import { asksForStatus } from './findings/groups.ts'
import * as listStore from './findings/list-store.ts'
import { listWhere } from './listing/where.ts'
import { tenthsFrom, tenthsUpTo } from './severity.ts'

export type { Finding } from './findings/finding.ts'
export { findingTurnsSince, type FindingTurn } from './history/finding-turns.ts'
export { createOverride, listOverrides } from './overrides/overrides.ts'
export { overrideKinds, type NewOverride } from './overrides/override.ts'
export {
  checkDecision,
  endOverrides,
  matchingFindingIds,
  overrideFindings,
  reopenFindings,
  resumeOverrides,
  toChangeFindings,
  visibleFindingIds,
  type ChangedOverrides,
} from './overrides/bulk-overrides.ts'
export { severities } from './severity.ts'
export { assetRisk, assetsAtEndOfLife, changeWeights, setAssetWeight } from './risk/asset-risk.ts'
export {
  criticalities,
  exposures,
  riskOf,
  type AssetWeight,
  type Criticality,
  type Exposure,
  type RiskInput,
} from './risk/risk-score.ts'
export { matched as catalogueMatched } from './matching/matching-queue-store.ts'
export { noteFeedsAndEnds } from './matching/periodic-matching.ts'
export { matchCatalogueChanges, processMatchingQueue, enqueueMatching } from './matching/matching.ts'

export interface FindingFilter {
  /** The effective severity. */
  readonly severity?: Severity | undefined
  /** Inclusive bounds of the effective score; any number. */
  readonly cvssMin?: number | undefined
  readonly cvssMax?: number | undefined
  /** Resolved findings, or open ones. Absent: open ones, unless `where` asks about the status. */
  readonly isFixed?: boolean | undefined
  /** A condition on findings, which must hold as well. */
  readonly where?: string | undefined
}

const EXPORT_ROWS_MAX = 10_000

/** The highest score first. Throws 400, which names `where`, for a condition that cannot be read or takes too long. */
export async function listFindings(
  ctx: Ctx,
  page: Page,
  filter: FindingFilter = {},
): Promise<Listed<Finding>> {
  permit(ctx, 'vulnerabilities:read')
  const { severity, cvssMin, cvssMax, isFixed, where } = filter
  const status = isFixed ? 'resolved' : 'open'
  const wanted = {
    severity,
    atLeast: cvssMin === undefined ? undefined : tenthsFrom(cvssMin),
    atMost: cvssMax === undefined ? undefined : tenthsUpTo(cvssMax),
  }
  if (where === undefined) return listStore.list(ctx, page, { ...wanted, status })
  return listWhere(ctx, page, {
    where,
    wanted: (asked) => (isFixed === undefined && asksForStatus(asked) ? wanted : { ...wanted, status }),
  })
}

export async function getFinding(ctx: Ctx, id: string): Promise<Finding> {
  permit(ctx, 'vulnerabilities:read')
  const found = isUuid(id) ? await listStore.finding(ctx, id) : undefined
  if (!found) throw notFound('vulnerability')
  return found
}

/** The tenant of a finding, for commands that get its id alone. */
export async function tenantOfFinding(system: Ctx, id: string): Promise<string> {
  permit(system, 'vulnerabilities:read')
  const tenantId = isUuid(id) ? await listStore.tenantOf(system, id) : undefined
  if (tenantId === undefined) throw notFound('vulnerability')
  return tenantId
}

export interface FindingExport {
  readonly findings: readonly Finding[]
  /** There are more than an export holds. */
  readonly truncated: boolean
}

/** The first rows of the list with the same filters, at most 10,000. */
export async function exportFindings(ctx: Ctx, filter: FindingFilter): Promise<FindingExport> {
  const page = { limit: EXPORT_ROWS_MAX, offset: 0 }
  const { items, total } = await fromReplica(ctx, (there) => listFindings(there, page, filter))
  return { findings: items, truncated: total > items.length }
}
