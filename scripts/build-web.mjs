import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { findNode } from '../server/bin/node-24.mjs'
import { ROOT } from './install.mjs'

// Runs on whatever Node the machine has: plain JavaScript, nothing newer than Node 20.

const WEB = `${ROOT}/web`
/** In English, then in the other languages, whose pages are laid beside. The last is the newest. */
const MODES = ['production', 'de']
const BUILT = `${WEB}/dist/index.de.html`

/** Builds the pages if there are none, or if something they are made of is newer. Ends the process when it cannot. */
export function buildWebIfNeeded() {
  if (isBuilt()) return
  const vite = `${ROOT}/node_modules/vite/bin/vite.js`
  for (const mode of MODES) build([vite, 'build', '--mode', mode, '--logLevel', 'warn'])
}

function build(args) {
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
  const inside = ['src', 'languages'].flatMap((folder) =>
    readdirSync(`${WEB}/${folder}`, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${WEB}/${folder}/${path}`,
    ),
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
