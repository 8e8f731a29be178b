import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { CommandInput, CommandOption } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { connectors } from '../connectors/all.ts'
import type { Field } from '../connectors/connector.ts'

export const secretOptions: Readonly<Record<string, CommandOption>> = {
  'secret-file': {
    value: 'FILE',
    help: 'the secret; what stands on a command line is read by every process',
  },
  'secret-stdin': { flag: true, help: 'read the secret from standard input instead' },
}

/** What the options lead to; undefined when none is given. */
export async function secretOf(options: CommandInput['options']): Promise<string | undefined> {
  const file = options['secret-file']
  if (options['secret-stdin']) return (await text(process.stdin)).trim()
  if (typeof file !== 'string') return undefined
  const content = await readFile(file, 'utf8').catch(() => undefined)
  if (content === undefined) throw invalid('secret-file', `${file} cannot be read`)
  return content.trim()
}

/** The secret of a way of signing in: none has more than one. */
export const secretField = (provider: string, signIn: string): Field | undefined =>
  connectors
    .find((it) => it.provider === provider)
    ?.signIns.find((it) => it.name === signIn)
    ?.fields.find((it) => it.isSecret)
