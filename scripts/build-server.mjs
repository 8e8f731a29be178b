import { spawnSync } from 'node:child_process'
import { currentBundle } from '../server/bin/bundle-state.mjs'
import { findNode } from '../server/bin/node-24.mjs'
import { ROOT } from './install.mjs'

// Runs on whatever Node the machine has: plain JavaScript, nothing newer than Node 20.

/** Bundles the server if it has no bundle, or one that is older than its sources. Ends the process when it cannot. */
export function buildServerIfNeeded() {
  if (currentBundle()) return
  const args = [`${ROOT}/server/bundle.mjs`]
  const done = spawnSync(findNode() ?? process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  if (done.status === 0) return
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}\n`)
  process.stderr.write('The server could not be bundled; see above.\n')
  process.exit(1)
}
