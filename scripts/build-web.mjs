import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { findNode } from '../server/bin/node-24.mjs'
import { ROOT } from './install.mjs'

// Runs on whatever Node the machine has: plain JavaScript, nothing newer than Node 20.

const WEB = `${ROOT}/web`
const BUILT = `${WEB}/dist/index.html`

/** Builds the pages if there are none, or if something they are made of is newer. Ends the process when it cannot. */
export function buildWebIfNeeded() {
  if (isBuilt()) return
  const vite = `${ROOT}/node_modules/vite/bin/vite.js`
  const args = [vite, 'build', '--logLevel', 'warn']
  const done = spawnSync(findNode() ?? process.execPath, args, { cwd: WEB, encoding: 'utf8' })
  if (done.status === 0) return
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}\n`)
  process.stderr.write('The pages could not be built; see above.\n')
  process.exit(1)
}

function isBuilt() {
  try {
    const builtAt = statSync(BUILT).mtimeMs
    return sources().every((path) => statSync(path).mtimeMs <= builtAt)
  } catch {
    return false
  }
}

function sources() {
  const inside = readdirSync(`${WEB}/src`, { recursive: true, encoding: 'utf8' }).map(
    (path) => `${WEB}/src/${path}`,
  )
  const files = [
    'index.html',
    'first-paint.js',
    'vite.config.ts',
    'hashed-script.ts',
    'precompress.ts',
    'package.json',
  ].map((path) => `${WEB}/${path}`)
  return [...inside, ...files, `${ROOT}/package-lock.json`]
}
