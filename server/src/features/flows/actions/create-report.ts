import { Type } from 'typebox'
import { createReport, reportFormats, reportTypes } from '#features/reports/reports.ts'
import type { InnerAction } from './action.ts'

export const createReportAction: InnerAction = {
  name: 'create_report',
  kind: 'inner',
  label: 'Create a report',
  sentence: 'Creates a report, about the asset of the run if it has one, and generates it.',
  settings: Type.Object({
    name: Type.String({ title: 'Name', minLength: 1, maxLength: 200 }),
    type: Type.Union(
      reportTypes.map((it) => Type.Literal(it)),
      { title: 'Type' },
    ),
    format: Type.Union(
      reportFormats.map((it) => Type.Literal(it)),
      { title: 'Format' },
    ),
    allAssets: Type.Optional(Type.Boolean({ title: 'About all assets' })),
  }),
  templates: ['name'],
  outputs: ['reportId'],
  permission: 'reports:write',
  emits: ['EXPORT_COMPLETED'],
  async run(ctx, settings, { assetId }) {
    const given = settings as { name: string; type: string; format: string; allAssets?: boolean }
    const { allAssets = false, ...report } = given
    const assetIds = assetId === undefined || allAssets ? undefined : [assetId]
    const { id } = await createReport(ctx, { ...report, assetIds })
    return { reportId: id }
  },
}
