import { readdirSync } from 'node:fs'
import { build, isBuilt } from './build-if-needed.mjs'
import { ROOT } from './install.mjs'

// Runs on whatever Node the machine has: plain JavaScript, nothing newer than Node 20.

const WEB = `${ROOT}/web`
/** In English, then in the other languages, whose pages are laid beside. The last is the newest. */
const MODES = ['production', 'de']
const BUILT = `${WEB}/dist/index.de.html`

/** Builds the pages if there are none, or if something they are made of is newer. Ends the process when it cannot. */
export function buildWebIfNeeded() {
  if (isBuilt(BUILT, sources)) return
  const vite = `${ROOT}/node_modules/vite/bin/vite.js`
  for (const mode of MODES) {
    build([vite, 'build', '--mode', mode, '--logLevel', 'warn'], { cwd: WEB, things: 'pages' })
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
