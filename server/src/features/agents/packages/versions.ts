import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../../..')

/** Of the agent that this installation packs. */
export const agentVersion = (): string => versionOf('agent')

export const serverVersion = (): string => versionOf('server')

const versionOf = (workspace: string): string =>
  (JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8')) as { version: string }).version

/** Public keys, in base64, that agents which this installation packs obey. */
export const releaseRoots = (): string[] =>
  JSON.parse(readFileSync(join(ROOT, 'agent/release-roots.json'), 'utf8')) as string[]
