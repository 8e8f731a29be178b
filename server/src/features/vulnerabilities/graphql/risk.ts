import type { Schema } from '#platform/graphql/schema.ts'
import { assetRisk, setAssetWeight, type AssetRisk } from '../risk/asset-risk.ts'
import type { VulnerabilityTypes } from './finding-types.ts'

export function addRisk(schema: Schema, types: VulnerabilityTypes): void {
  const risk = addTypes(schema, types)
  schema.queryField('assetRisk', (t) =>
    t.field({
      type: risk,
      description: 'The risk score of an asset and its contributions.',
      args: { assetId: t.arg.id({ required: true }) },
      resolve: (_, { assetId }, ctx) => assetRisk(ctx, assetId),
    }),
  )
  schema.mutationField('setAssetWeight', (t) =>
    t.field({
      type: risk,
      args: {
        assetId: t.arg.id({ required: true }),
        criticality: t.arg({ type: types.criticality, required: true }),
        exposure: t.arg({ type: types.exposure, required: true }),
      },
      resolve: (_, change, ctx) => setAssetWeight(ctx, change),
    }),
  )
}

function addTypes(schema: Schema, types: VulnerabilityTypes) {
  const contribution = addContribution(schema, types)
  const day = addDay(schema)
  return schema.objectRef<AssetRisk>('AssetRisk').implement({
    fields: (t) => ({
      assetId: t.exposeID('assetId'),
      model: t.exposeInt('model', { description: 'Version of the formula.' }),
      score: t.exposeFloat('score', { description: '0 to 100; 0 when nothing is open.' }),
      openFindings: t.exposeInt('openFindings'),
      contributions: t.field({
        type: [contribution],
        description: 'The five findings that weigh most, the heaviest first.',
        resolve: (it) => it.contributions,
      }),
      criticality: t.field({ type: types.criticality, resolve: ({ factors }) => factors.criticality }),
      exposure: t.field({ type: types.exposure, resolve: ({ factors }) => factors.exposure }),
      isEndOfLife: t.boolean({
        description: 'Of its operating system.',
        resolve: ({ factors }) => factors.isEndOfLife,
      }),
      isExploited: t.boolean({
        description: 'An open finding is known to be exploited: the score is at least 80.',
        resolve: ({ factors }) => factors.isExploited ?? false,
      }),
      unlisted: t.float({
        description: 'The product of 1 − 0.1 × weight over the counted findings after the first five.',
        resolve: ({ factors }) => factors.unlisted ?? 1,
      }),
      computedAt: t.expose('computedAt', { type: 'DateTime', nullable: true }),
      days: t.field({
        type: [day],
        description: 'Days on which it changed, the newest first.',
        resolve: (it) => it.days,
      }),
    }),
  })
}

function addContribution(schema: Schema, types: VulnerabilityTypes) {
  return schema.objectRef<AssetRisk['contributions'][number]>('RiskContribution').implement({
    fields: (t) => ({
      findingId: t.exposeID('findingId'),
      cveId: t.exposeString('cveId'),
      software: t.exposeString('software'),
      matchType: t.expose('matchType', { type: types.grade }),
      cvssScore: t.exposeFloat('cvssScore'),
      epss: t.exposeFloat('epss', { nullable: true }),
      isExploited: t.exposeBoolean('isExploited'),
      likelihood: t.float({
        nullable: true,
        description: 'Of exploitation, 0 to 1, by KEV, EPSS and SSVC; absent in scores of model 1.',
        resolve: (it) => it.likelihood ?? null,
      }),
      certainty: t.float({
        nullable: true,
        description: 'Of the match: exact 1, fuzzy 0.7, heuristic 0.4; absent in scores of model 1.',
        resolve: (it) => it.certainty ?? null,
      }),
      weight: t.exposeFloat('weight', { description: '0 to 1, before the asset’s own factors.' }),
    }),
  })
}

function addDay(schema: Schema) {
  return schema.objectRef<AssetRisk['days'][number]>('RiskDay').implement({
    fields: (t) => ({
      day: t.exposeString('day', { description: 'YYYY-MM-DD' }),
      score: t.exposeFloat('score'),
      openFindings: t.exposeInt('openFindings'),
      model: t.exposeInt('model', { description: 'Version of the formula.' }),
    }),
  })
}
