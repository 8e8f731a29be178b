import { permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import * as store from './assessment-store.ts'

/**
 * What a count of findings rests on; without findings, anything but `assessed` means that nobody knows.
 * `no_software`: nobody ever listed what is installed. `no_advisories`: no feed brought rules to match it with.
 * `pending`: both are there, and matching has not come to it yet.
 */
export const assessmentStates = ['assessed', 'pending', 'no_software', 'no_advisories'] as const

export interface AssetAssessment {
  readonly assetId: string
  readonly state: (typeof assessmentStates)[number]
}

/** Of all assets of the tenant. */
export interface Assessment {
  readonly hasAdvisories: boolean
  readonly assets: number
  readonly assetsWithSoftware: number
}

const ASSETS_MAX = 500

export async function assessment(ctx: Ctx): Promise<Assessment> {
  permit(ctx, 'vulnerabilities:read')
  const { total, withSoftware } = await store.countAssets(ctx)
  return { hasAdvisories: await store.hasAdvisories(ctx), assets: total, assetsWithSoftware: withSoftware }
}

/** Of these, at most 500, in no order. */
export async function assessAssets(ctx: Ctx, assetIds: readonly string[]): Promise<AssetAssessment[]> {
  permit(ctx, 'vulnerabilities:read')
  if (assetIds.length > ASSETS_MAX) throw invalid('asset_ids', `must have at most ${ASSETS_MAX} entries`)
  const states = assetIds.every(isUuid) ? await store.assess(ctx, assetIds) : []
  if (states.length < new Set(assetIds).size) throw notFound('asset')
  return states
}
