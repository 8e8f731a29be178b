import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, relative } from 'node:path'

const AGENT = join(import.meta.dirname, '../../../../../agent')
const IMPORT_OF_TYPESCRIPT = /(\bfrom |\bimport\(|^import )'(\.[^']*)\.ts'/gm

/**
 * Runs the agent with the Node beside it, else with the host's. A small nursery of the garbage collector spares 10 MB of memory
 * and no time; `install` hands the option on to what the scheduler starts.
 */
const LAUNCHER = `#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
node=$here/node
[ -x "$node" ] || node=node
exec "$node" --max-semi-space-size=1 "$here/lib/bin/rollcall-agent.mjs" "$@"
`

export interface AgentFile {
  readonly path: string
  readonly content: Buffer
  readonly isProgram: boolean
}

/** The agent as plain JavaScript, which Node 20 can read: the sources of this installation without their types. */
export function agentFiles(): AgentFile[] {
  const sources = readdirSync(join(AGENT, 'src'), { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile() && it.name.endsWith('.ts') && !it.name.endsWith('.test.ts'))
    .map((it) => relative(AGENT, join(it.parentPath, it.name)))
  const read = (path: string): string => readFileSync(join(AGENT, path), 'utf8')
  const texts: [string, string][] = [
    ...[...sources, 'bin/rollcall-agent.mjs'].map((path): [string, string] => [
      `lib/${path.replace(/\.ts$/, '.mjs')}`,
      plainScript(read(path)),
    ]),
    ['lib/package.json', read('package.json')],
    ['lib/release-roots.json', read('release-roots.json')],
    ['LICENSE', read('../LICENSE')],
  ]
  return [
    { path: 'rollcall-agent', content: Buffer.from(LAUNCHER), isProgram: true },
    ...texts
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, text]) => ({ path, content: Buffer.from(text), isProgram: false })),
  ]
}

/** A first line `#!` is left as it is by the types' removal. */
const plainScript = (text: string): string =>
  stripTypeScriptTypes(text).replaceAll(IMPORT_OF_TYPESCRIPT, "$1'$2.mjs'")
