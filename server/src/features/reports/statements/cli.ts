import { writeFileSync } from 'node:fs'
import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { exportStatement } from './export-statement.ts'
import { statementFormats } from './statement-format.ts'

export const statementCommands: readonly Command[] = [
  {
    path: 'compliance statement export',
    args: ['id'],
    tenant: true,
    options: {
      format: { value: 'FORMAT', required: true, help: statementFormats.join(', ') },
      output: { value: 'FILE', help: 'where to write it; its own name unless given' },
    },
    help: 'writes a statement of applicability as a file',
    async run(ctx, { args: { id = '' }, options }) {
      const format = statementFormats.find((it) => it === options['format'])
      if (!format) throw invalid('format', `must be one of ${statementFormats.join(', ')}`)
      const { fileName, content } = await exportStatement(ctx, id, format)
      const file = typeof options['output'] === 'string' ? options['output'] : fileName
      try {
        // an existing file is somebody's
        writeFileSync(file, content, { flag: options['output'] === undefined ? 'wx' : 'w' })
      } catch (error) {
        throw invalid('output', `${file} cannot be written: ${(error as Error).message}`)
      }
      return { json: { file, bytes: content.length }, text: `${file}: ${content.length} bytes` }
    },
  },
]
