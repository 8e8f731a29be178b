import type { Schema } from '#platform/graphql/schema.ts'
import { assessAssets, assessment } from '../findings/assessment.ts'
import { assessmentStates, type Assessment, type AssetAssessment } from '../findings/assessment-state.ts'

export function addAssessment(schema: Schema): void {
  const state = schema.enumType('AssessmentState', {
    description: 'Without findings, anything but `assessed` means unknown.',
    values: assessmentStates,
  })
  const ofAsset = schema.objectRef<AssetAssessment>('AssetAssessment').implement({
    fields: (t) => ({ assetId: t.exposeID('assetId'), state: t.expose('state', { type: state }) }),
  })
  const ofAll = schema.objectRef<Assessment>('Assessment').implement({
    description: 'How many assets could be assessed for vulnerabilities.',
    fields: (t) => ({
      hasAdvisories: t.exposeBoolean('hasAdvisories', {
        description: 'Advisory rules of at least one feed are loaded.',
      }),
      assets: t.exposeInt('assets'),
      assetsWithSoftware: t.exposeInt('assetsWithSoftware', {
        description: 'Assets whose installed software was reported.',
      }),
    }),
  })
  schema.queryField('assessment', (t) => t.field({ type: ofAll, resolve: (_, __, ctx) => assessment(ctx) }))
  schema.queryField('assetAssessments', (t) =>
    t.field({
      type: [ofAsset],
      description: 'Of at most 500 assets, in no order.',
      args: { assetIds: t.arg.idList({ required: true }) },
      resolve: (_, { assetIds }, ctx) => assessAssets(ctx, assetIds.map(String)),
    }),
  )
}
