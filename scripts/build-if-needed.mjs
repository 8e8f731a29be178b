import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { findNode } from '../server/bin/node-24.mjs'

// Runs on whatever Node the machine has: plain JavaScript, nothing newer than Node 20.

/** Whether the file is there and nothing that it is made of is newer. */
export function isBuilt(file, sources) {
  try {
    const builtAt = statSync(file).mtimeMs
    return sources().every((path) => statSync(path).mtimeMs <= builtAt)
  } catch {
    return false
  }
}

/** Runs a build in a folder. Ends the process when it fails, with what it printed and which things could not be built. */
export function build(args, { cwd, things }) {
  const done = spawnSync(findNode() ?? process.execPath, args, { cwd, encoding: 'utf8' })
  if (done.status === 0) return
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}\n`)
  process.stderr.write(`The ${things} could not be built; see above.\n`)
  process.exit(1)
}
