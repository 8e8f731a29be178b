import { readFileSync } from 'node:fs'
import { verifyProof } from '#features/audit/audit.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'

/** Asks neither the installation nor the network. */
export function verifyFile({ args, options }: CommandInput): CommandResult {
  const { key, file } = options
  const verdict = verifyProof(read('file', args['file'] ?? '').toString('utf8'), {
    ...(typeof key === 'string' && { keys: read('key', key).toString('utf8') }),
    ...(typeof file === 'string' && { file: read('file', file) }),
  })
  const { facts, faults } = verdict
  const lines = faults.length > 0 ? ['NOT PROVED', ...faults] : ['PROVED', ...facts]
  return { json: verdict, text: lines.join('\n'), ...(faults.length > 0 && { isBad: true }) }
}

function read(field: string, name: string): Buffer {
  try {
    return readFileSync(name)
  } catch (error) {
    throw invalid(field, `cannot be read: ${(error as Error).message}`)
  }
}
