import { Type } from 'typebox'
import { runReport } from '#features/reports/reports.ts'
import type { InnerAction } from './action.ts'

export const runReportAction: InnerAction = {
  name: 'run_report',
  kind: 'inner',
  label: 'Generate a report again',
  sentence: 'Generates a report again.',
  settings: Type.Object({ report: Type.String({ title: 'Report', pick: 'report', format: 'uuid' }) }),
  templates: [],
  outputs: ['snapshotId'],
  permission: 'reports:write',
  emits: ['EXPORT_COMPLETED'],
  async run(ctx, { report }) {
    const { id } = await runReport(ctx, String(report))
    return { snapshotId: id }
  },
}
