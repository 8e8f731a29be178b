import { makeRelease, makeReleaseKey, makeRoot } from '#features/agents/agents.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'

const KEY_DAYS = 365

/** Makes keys and releases of the agent where they are signed: asks neither a database nor the network. */
export function makeRootKey({ args }: CommandInput): CommandResult {
  const public_key = makeRoot(args['file'] ?? '')
  return { json: { public_key }, text: public_key }
}

export function makeSigningKey({ args, options }: CommandInput): CommandResult {
  const key = makeReleaseKey(args['file'] ?? '', {
    rootFile: String(options['root']),
    days: Number(options['days'] ?? KEY_DAYS),
    now: new Date(),
  })
  return { json: key, text: `${key.public_key} signs releases until ${key.not_after}` }
}

export async function signRelease({ args, options }: CommandInput): Promise<CommandResult> {
  const folder = args['folder'] ?? ''
  const given = typeof options['platform'] === 'string' ? options['platform'].split('\n') : []
  const notBefore = new Date(typeof options['not-before'] === 'string' ? options['not-before'] : Date.now())
  if (Number.isNaN(notBefore.getTime()))
    throw invalid('not-before', 'must be a time such as 2027-01-31T08:00:00Z')
  const platforms = [...new Set(['any', ...given])]
  const manifest = await makeRelease({ folder, keyFile: String(options['key']), platforms, notBefore })
  const names = Object.keys(manifest.files).join(', ')
  return {
    json: manifest,
    text: `Release ${manifest.version} for ${names}; rollcall agent release add ${folder} takes it.`,
  }
}
