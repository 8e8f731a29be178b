import type { Schema } from '#platform/graphql/schema.ts'
import { paperNames } from '../printing/paper-name.ts'
import { reportPaper, setReportPaper } from '../printing/paper-setting.ts'

/** On which paper reports are printed. */
export function addPrinting(schema: Schema): void {
  const paper = schema.enumType('ReportPaper', { values: paperNames })
  schema.queryFields((t) => ({
    reportPaper: t.field({
      type: paper,
      description: 'On which the PDF of reports is laid out.',
      resolve: (_, __, ctx) => reportPaper(ctx),
    }),
  }))
  schema.mutationFields((t) => ({
    setReportPaper: t.field({
      type: paper,
      description: 'From the next generation on.',
      args: { paper: t.arg({ type: paper, required: true }) },
      resolve: (_, { paper: wanted }, ctx) => setReportPaper(ctx, wanted),
    }),
  }))
}
