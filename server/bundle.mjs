import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { DIST, sourceState } from './bin/bundle-state.mjs'

// Writes the program as few large files: Node resolves some 3,000 modules otherwise, each time it starts. Each bundle has
// a folder of its own, so that a server that runs from an earlier one still finds the parts that it has not loaded yet.

/** Packages of many small ES modules. The others stay where they are, with their native parts and files. */
const INSIDE = [
  'typebox',
  'kysely',
  'graphql',
  '@pothos/core',
  '@pothos/plugin-complexity',
  'jose',
  '@opentelemetry',
]
/** Programs that run as threads and processes of their own. */
const PROGRAMS = {
  'reader-thread': 'src/features/imports/parsing/reader-thread.ts',
  'render-process': 'src/features/reports/generating/render-process.ts',
}
const SERVER = fileURLToPath(new URL('.', import.meta.url))
const KEPT = 2
const PLACE = /new URL\('([a-z-]+)\.ts', import\.meta\.url\)|import\.meta\.(url|dirname|main)/g

const isPackage = (id) => !/^[./#\0]/.test(id)
const isInside = (id) => INSIDE.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * What a module says of its own place holds in the bundle too: files beside it are read from where they are. Programs are
 * the exception, which stand in the bundle themselves.
 */
function placesOf(folder) {
  return {
    name: 'places',
    transform(code, id) {
      if (!id.startsWith(SERVER) || !code.includes('import.meta.')) return undefined
      const path = relative(folder, id)
      const places = {
        url: `new URL(${JSON.stringify(path)}, import.meta.url).href`,
        dirname: `(import.meta.dirname + ${JSON.stringify(`/${dirname(path)}`)})`,
        main: 'false',
      }
      return code.replaceAll(PLACE, (_, program, place) =>
        program === undefined ? places[place] : urlOf(program, places),
      )
    },
  }
}

const urlOf = (program, { url }) =>
  program in PROGRAMS ? `new URL('./${program}.js', import.meta.url)` : `new URL('${program}.ts', ${url})`

const name = `${Date.now()}`
const folder = `${DIST}/${name}`
/** Before they are read: what changes meanwhile makes the bundle an old one. */
const madeOf = sourceState()
const bundle = await rolldown({
  input: {
    main: `${SERVER}src/main.ts`,
    ...Object.fromEntries(Object.entries(PROGRAMS).map(([program, path]) => [program, SERVER + path])),
  },
  platform: 'node',
  external: (id) => isPackage(id) && !isInside(id),
  plugins: [placesOf(folder)],
})
mkdirSync(folder, { recursive: true })
await bundle.write({ dir: folder, format: 'esm' })
await bundle.close()
announce()
removeOlder()

/** From here on new processes use it. */
function announce() {
  const file = `${DIST}/current.${process.pid}`
  writeFileSync(file, `${name}\n${madeOf}\n`)
  renameSync(file, `${DIST}/current`)
}

function removeOlder() {
  const bundles = readdirSync(DIST).filter((it) => /^\d+$/.test(it))
  for (const old of bundles.sort().slice(0, -KEPT)) rmSync(`${DIST}/${old}`, { recursive: true, force: true })
}
