import { readdirSync } from 'node:fs'
import { build, isBuilt } from './build-if-needed.mjs'
import { ROOT } from './install.mjs'

// Runs on whatever Node the machine has: plain JavaScript, nothing newer than Node 20.

const BUILT = `${ROOT}/docs/dist/index.html`

/** Makes pages of the documents if there are none, or if something they are made of is newer. Ends the process when it cannot. */
export function buildDocsIfNeeded() {
  if (isBuilt(BUILT, sources)) return
  build([`${ROOT}/web/docs/build.ts`], { cwd: ROOT, things: 'documents' })
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
