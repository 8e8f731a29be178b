import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Plain JavaScript, nothing newer than Node 20: scripts/ read it too.

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Where the bundle is; `current` names its folder and what it was made of. */
export const DIST = `${ROOT}dist`

/**
 * The URL of the bundle's main file; undefined when there is none, or it was made of other sources than are there now. A
 * package has no sources.
 */
export function currentBundle() {
  try {
    const [name, madeOf] = readFileSync(`${DIST}/current`, 'utf8').split('\n')
    const main = `${DIST}/${name}/main.js`
    statSync(main)
    const isCurrent = !existsSync(`${ROOT}src/main.ts`) || madeOf === sourceState()
    return isCurrent ? new URL(`file://${main}`) : undefined
  } catch {
    return undefined
  }
}

/** Changes with every file that is another, new or gone, also where a copy brought an older time along. */
export function sourceState() {
  const inside = ['src', 'bench'].flatMap(filesBelow)
  const state = createHash('sha256')
  for (const path of [...inside, 'bundle.mjs', 'package.json'].sort((a, b) => (a < b ? -1 : 1))) {
    const { size, mtimeMs } = statSync(`${ROOT}${path}`)
    state.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return state.digest('hex')
}

/** Without a call for each file to find out whether it is a folder, as `recursive` of readdir has it. */
function filesBelow(folder) {
  return readdirSync(`${ROOT}${folder}`, { withFileTypes: true }).flatMap((it) =>
    it.isDirectory() ? filesBelow(`${folder}/${it.name}`) : `${folder}/${it.name}`,
  )
}
