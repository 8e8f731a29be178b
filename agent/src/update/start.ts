import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { main } from '../main.ts'
import { defaultFolder, readProgress } from '../state/agent-state.ts'
import { VERSION } from '../version.ts'
import { programIn } from './platform.ts'
import { giveUp, versionFolder, versionToRun } from './update-state.ts'

/**
 * Runs the version that this host was updated to, or the one that was installed, and answers its exit status. The installed
 * one always begins, so that a version that cannot run is taken back by one that can.
 */
export async function start(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    options: { state: { type: 'string' }, now: { type: 'boolean' }, root: { type: 'string' } },
  })
  const folder = typeof values.state === 'string' ? values.state : defaultFolder()
  const [command] = positionals
  const isDue = values.now === true || Date.now() >= readProgress(folder).nextAt
  const version = versionToRun(folder, VERSION, command === 'start' || (command === 'run' && isDue))
  if (version === '') return main(args)
  const unpacked = versionFolder(folder, version)
  replaceByNodeOf(unpacked, args)
  try {
    const program = pathToFileURL(join(unpacked, 'lib/src/main.mjs')).href
    const updated = (await import(program)) as { main: typeof main }
    return await updated.main(args)
  } catch (error) {
    process.stderr.write(`rollcall-agent: version ${version} cannot be started: ${String(error)}\n`)
    giveUp(folder)
    return main(args)
  }
}

/** A version that came with a Node of its own runs on that, in place of this process. Windows cannot do so, and needs no Node. */
function replaceByNodeOf(unpacked: string, args: readonly string[]): void {
  const node = join(unpacked, 'node')
  if (!existsSync(node) || process.execPath === node || typeof process.execve !== 'function') return
  process.execve(node, [node, ...process.execArgv, programIn(unpacked), ...args])
}
