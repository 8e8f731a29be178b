import { writeFileSync } from 'node:fs'
import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { exportAssessment } from './export-assessment.ts'
import { exportStatement, type StatementFile } from './export-statement.ts'
import { statementFormats } from './statement-format.ts'

const output = { value: 'FILE', help: 'where to write it; its own name unless given' }

export const statementCommands: readonly Command[] = [
  {
    path: 'compliance statement export',
    args: ['id'],
    tenant: true,
    options: {
      format: { value: 'FORMAT', required: true, help: statementFormats.join(', ') },
      output,
    },
    help: 'writes a statement of applicability as a file',
    async run(ctx, { args: { id = '' }, options }) {
      const format = statementFormats.find((it) => it === options['format'])
      if (!format) throw invalid('format', `must be one of ${statementFormats.join(', ')}`)
      return written(await exportStatement(ctx, id, format), options)
    },
  },
  {
    path: 'compliance assessment export',
    args: ['framework'],
    tenant: true,
    options: { output },
    help: 'writes what the checks of a framework found last as OSCAL assessment results',
    run: async (ctx, { args: { framework = '' }, options }) =>
      written(await exportAssessment(ctx, framework), options),
  },
]

function written(
  { fileName, content }: StatementFile,
  { output: given }: CommandInput['options'],
): CommandResult {
  const file = typeof given === 'string' ? given : fileName
  try {
    // an existing file is somebody's
    writeFileSync(file, content, { flag: given === undefined ? 'wx' : 'w' })
  } catch (error) {
    throw invalid('output', `${file} cannot be written: ${(error as Error).message}`)
  }
  return { json: { file, bytes: content.length }, text: `${file}: ${content.length} bytes` }
}
