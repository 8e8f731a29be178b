import { SAMPLE_PART } from '#features/advisories/advisories.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { AssetAssessment, Assessment } from './assessment-state.ts'
import * as store from './assessment-store.ts'

const ASSETS_MAX = 500

export async function assessment(ctx: Ctx): Promise<Assessment> {
  permit(ctx, 'vulnerabilities:read')
  const { total, withSoftware } = await store.countAssets(ctx)
  return {
    hasAdvisories: await store.hasAdvisories(ctx, SAMPLE_PART),
    assets: total,
    assetsWithSoftware: withSoftware,
  }
}

/** Of these, at most 500, in no order. */
export async function assessAssets(ctx: Ctx, assetIds: readonly string[]): Promise<AssetAssessment[]> {
  permit(ctx, 'vulnerabilities:read')
  if (assetIds.length > ASSETS_MAX) throw invalid('asset_ids', `must have at most ${ASSETS_MAX} entries`)
  const states = assetIds.every(isUuid) ? await store.assess(ctx, assetIds, SAMPLE_PART) : []
  if (states.length < new Set(assetIds).size) throw notFound('asset')
  return states
}
