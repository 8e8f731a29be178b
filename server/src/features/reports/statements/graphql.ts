import type { Schema } from '#platform/graphql/schema.ts'
import { exportAssessment } from './export-assessment.ts'
import { exportStatement, type StatementFile } from './export-statement.ts'
import { statementFormats } from './statement-format.ts'

/** Files of statements of applicability and of what checks found; the statements themselves are in the room of compliance. */
export function addStatementFiles(schema: Schema): void {
  const format = schema.enumType('StatementFormat', { values: statementFormats })
  const file = schema.objectRef<StatementFile>('StatementFile').implement({
    fields: (t) => ({
      fileName: t.exposeString('fileName'),
      content: t.string({ description: 'Base64.', resolve: ({ content }) => content.toString('base64') }),
    }),
  })
  schema.mutationFields((t) => ({
    exportComplianceStatement: t.field({
      type: file,
      description: 'A statement of applicability as a file; EXPORT_COMPLETED tells of it.',
      args: { id: t.arg.id({ required: true }), format: t.arg({ type: format, required: true }) },
      resolve: (_, input, ctx) => exportStatement(ctx, input.id, input.format),
    }),
    exportComplianceAssessment: t.field({
      type: file,
      description: 'What the checks of an adopted framework found last, as OSCAL assessment results.',
      args: { framework: t.arg.id({ required: true }) },
      resolve: (_, input, ctx) => exportAssessment(ctx, input.framework),
    }),
  }))
}
