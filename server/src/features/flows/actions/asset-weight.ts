import { Type } from 'typebox'
import type { Criticality, Exposure } from '#features/vulnerabilities/risk/risk-score.ts'
import {
  assetRisk,
  criticalities,
  exposures,
  setAssetWeight,
} from '#features/vulnerabilities/vulnerabilities.ts'
import type { InnerAction } from './action.ts'

export const setWeightAction: InnerAction = {
  name: 'set_weight',
  kind: 'inner',
  label: 'Set criticality or exposure',
  sentence: 'Sets how critical the asset is, how exposed it is, or both.',
  settings: Type.Object({
    criticality: Type.Optional(
      Type.Union(
        criticalities.map((it) => Type.Literal(it)),
        { title: 'Criticality' },
      ),
    ),
    exposure: Type.Optional(
      Type.Union(
        exposures.map((it) => Type.Literal(it)),
        { title: 'Exposure' },
      ),
    ),
  }),
  templates: [],
  outputs: ['riskScore'],
  permission: 'vulnerabilities:write',
  needsAsset: true,
  locks: ['findings'],
  async run(ctx, settings, { assetId = '' }) {
    const { factors } = await assetRisk(ctx, assetId)
    const wanted = settings as { criticality?: Criticality; exposure?: Exposure }
    const { score } = await setAssetWeight(ctx, {
      assetId,
      criticality: wanted.criticality ?? factors.criticality,
      exposure: wanted.exposure ?? factors.exposure,
    })
    return { riskScore: score }
  },
}
