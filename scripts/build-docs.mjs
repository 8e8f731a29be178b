import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { findNode } from '../server/bin/node-24.mjs'
import { ROOT } from './install.mjs'

// Runs on whatever Node the machine has: plain JavaScript, nothing newer than Node 20.

const BUILT = `${ROOT}/docs/dist/index.html`

/** Makes pages of the documents if there are none, or if something they are made of is newer. Ends the process when it cannot. */
export function buildDocsIfNeeded() {
  if (isBuilt()) return
  const args = [`${ROOT}/web/docs/build.ts`]
  const done = spawnSync(findNode() ?? process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  if (done.status === 0) return
  process.stderr.write(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}\n`)
  process.stderr.write('The documents could not be built; see above.\n')
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
  const inside = (folder, pattern) =>
    readdirSync(`${ROOT}/${folder}`)
      .filter((name) => pattern.test(name))
      .map((name) => `${ROOT}/${folder}/${name}`)
  return [
    ...inside('.', /\.md$/),
    ...inside('docs', /\.(md|svg|xsd)$/),
    ...inside('docs/decisions', /\.md$/),
    ...inside('docs/screens', /\.png$/),
    ...inside('docs/reports', /\.png$/),
    ...inside('web/docs', /\.(ts|css|js)$/),
    `${ROOT}/web/src/styles/tokens.css`,
    `${ROOT}/web/precompress.ts`,
    `${ROOT}/package-lock.json`,
  ]
}
