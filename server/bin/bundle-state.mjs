import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Plain JavaScript, nothing newer than Node 20: scripts/ read it too.

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Where the bundle is; its main file is named by `current`. */
export const DIST = `${ROOT}dist`

/** The URL of the bundle's main file; undefined when there is none, or something it is made of is newer. */
export function currentBundle() {
  try {
    const main = `${DIST}/${readFileSync(`${DIST}/current`, 'utf8').trim()}/main.js`
    const builtAt = statSync(`${DIST}/current`).mtimeMs
    statSync(main)
    return sources().every((path) => statSync(path).mtimeMs <= builtAt)
      ? new URL(`file://${main}`)
      : undefined
  } catch {
    return undefined
  }
}

/** Folders count too: a file that is gone changes nothing but its folder. */
function sources() {
  const inside = ['src', 'bench'].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${ROOT}${folder}/${path}`,
    ),
  )
  return [...inside, `${ROOT}src`, `${ROOT}bundle.mjs`, `${ROOT}package.json`]
}
