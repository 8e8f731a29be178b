import { record } from '#features/audit/audit.ts'
import { toChange } from '#features/assets/assets.ts'
import { addChanges } from '#features/changes/changes.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { NEUTRAL, RISK_MODEL, type Criticality, type Exposure } from './risk-score.ts'
import { weightChanges } from './merged-weights.ts'
import * as store from './risk-store.ts'
import type { AssetWeights } from './risk-store.ts'
import * as statusStore from '../findings/finding-status-store.ts'
import { recomputeRiskScores } from '../findings/sync-findings.ts'

/** The risk score of an asset with its contributions, factors and history. */
export interface AssetRisk extends Omit<store.Risk, 'computedAt'> {
  /** Null: never computed, because the asset never had an open finding. */
  readonly computedAt: string | null
  /** Days on which it changed, the newest first. */
  readonly days: readonly store.RiskDay[]
}

const DAYS_MAX = 366

export async function assetRisk(ctx: Ctx, assetId: string): Promise<AssetRisk> {
  permit(ctx, 'vulnerabilities:read')
  if (!isUuid(assetId) || (await store.assetName(ctx, assetId)) === undefined) throw notFound('asset')
  const risk = await store.risk(ctx, assetId)
  return { ...(risk ?? (await noRisk(ctx, assetId))), days: await store.riskDays(ctx, assetId, DAYS_MAX) }
}

/** Of an asset that never had an open finding; it may have been weighed all the same. */
async function noRisk(ctx: Ctx, assetId: string): Promise<Omit<AssetRisk, 'days'>> {
  const weight = (await store.weights(ctx, [assetId])).get(assetId)
  return {
    assetId,
    model: RISK_MODEL,
    score: 0,
    openFindings: 0,
    contributions: [],
    computedAt: null,
    factors: { ...NEUTRAL, ...weight },
  }
}

/** Those of the assets whose operating system is past its end of life. */
export async function assetsAtEndOfLife(ctx: Ctx, assetIds: readonly string[]): Promise<Set<string>> {
  permit(ctx, 'vulnerabilities:read')
  return new Set(await store.endOfLifeAmong(ctx, assetIds))
}

export interface WeightChange {
  readonly assetId: string
  readonly criticality: Criticality
  readonly exposure: Exposure
}

/** Sets criticality and exposure, and recomputes the score at once. */
export async function setAssetWeight(
  ctx: Ctx,
  { assetId, criticality, exposure }: WeightChange,
): Promise<AssetRisk> {
  permit(ctx, 'vulnerabilities:write')
  await atomically(await toChange(ctx, [assetId]), async (inner) => {
    await statusStore.lockFindings(inner)
    const { factors: before } = await assetRisk(inner, assetId)
    await store.setWeight(inner, assetId, { criticality, exposure })
    const after = { criticality, exposure }
    const name = await store.assetName(inner, assetId)
    addChanges(inner, weightChanges(assetId, before, after))
    await record(inner, 'asset.weighed', { type: 'asset', id: assetId }, { name, before, after })
    await recomputeRiskScores(inner, [assetId])
  })
  return assetRisk(ctx, assetId)
}

/**
 * For bulk changes, in the caller's transaction and without an audit entry: sets the weights that `wanted` gives for
 * each of the assets that are there, and recomputes their scores. Returns the weights before of those that changed.
 */
export async function changeWeights(
  ctx: Ctx,
  assetIds: readonly string[],
  wanted: (assetId: string) => Partial<AssetWeights>,
): Promise<Map<string, AssetWeights>> {
  await statusStore.lockFindings(ctx)
  const before = await store.weights(ctx, assetIds)
  const after = new Map([...before].map(([id, weight]) => [id, { ...weight, ...wanted(id) }]))
  const changed = [...before].filter(([id, weight]) => {
    const now = after.get(id)
    return now?.criticality !== weight.criticality || now.exposure !== weight.exposure
  })
  if (changed.length === 0) return new Map()
  await store.setWeights(ctx, new Map(changed.flatMap(([id]) => [[id, after.get(id) ?? NEUTRAL]])))
  addChanges(
    ctx,
    changed.flatMap(([id, weight]) => weightChanges(id, weight, after.get(id) ?? NEUTRAL)),
  )
  await recomputeRiskScores(
    ctx,
    changed.map(([id]) => id),
  )
  return new Map(changed)
}
