import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

// What a browser loads before it shows a screen for the first time: page, styles, the entry, the frame, the screen and
// all that they import. Counted as gzip, the longest coding that goes over a wire: browsers ask for brotli and zstd over
// https alone. Fails when any screen needs more bytes or more files than the budget. The catalogues of what the server
// says, in another language, are no screens: they come after one, with the first answer that needs them, and have a budget
// each.

const BUDGET_BYTES = 350_000
const BUDGET_FILES = 12
const CATALOGUE_BYTES = 30_000
const CATALOGUE = /^src\/api\/server-/
const FRAME = 'src/features/shell/app-layout.tsx'
const dist = join(import.meta.dirname, 'dist')

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
}

/** `node budget.ts --language de` counts the German pages. */
const { language } = parseArgs({ options: { language: { type: 'string' } } }).values
const manifestFile = language === undefined ? 'manifest.json' : `manifest.${language}.json`
const manifest = JSON.parse(readFileSync(join(dist, '.vite', manifestFile), 'utf8')) as Record<string, Chunk>
const keys = Object.keys(manifest)
const always = keys.filter((key) => manifest[key]?.isEntry || key === 'style.css')
const later = keys.filter((key) => manifest[key]?.isDynamicEntry)
const screens = later.filter((key) => !CATALOGUE.test(key))
const catalogues = later
  .filter((key) => CATALOGUE.test(key))
  .map((key) => ({ key, gzip: sizeOf([manifest[key]?.file ?? ''], '.gz') }))
const loads = screens.map((screen) => {
  const files = filesOf([...always, FRAME, screen])
  return { screen, files: files.length, gzip: sizeOf(files, '.gz'), brotli: sizeOf(files, '.br') }
})

for (const { screen, files, gzip, brotli } of loads.toSorted((a, b) => b.gzip - a.gzip))
  process.stdout.write(
    `${kB(gzip)} gzip ${kB(brotli)} brotli ${String(files).padStart(3)} files  ${screen}\n`,
  )
const tooLarge = loads.filter(({ gzip, files }) => gzip > BUDGET_BYTES || files > BUDGET_FILES)
if (loads.length === 0 || !keys.includes(FRAME) || tooLarge.length > 0) {
  const budget = `${BUDGET_BYTES / 1_000} kB in ${BUDGET_FILES} files`
  process.stdout.write(`over the budget of ${budget}: ${tooLarge.length} screens\n`)
  process.exitCode = 1
}
for (const { key, gzip } of catalogues.toSorted((a, b) => b.gzip - a.gzip))
  process.stdout.write(`${kB(gzip)} gzip of its own, after a screen  ${key}\n`)
const longest = catalogues.filter(({ gzip }) => gzip > CATALOGUE_BYTES)
if (longest.length > 0) {
  process.stdout.write(`over ${CATALOGUE_BYTES / 1_000} kB: ${longest.map(({ key }) => key).join(', ')}\n`)
  process.exitCode = 1
}

function filesOf(wanted: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  const add = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    manifest[key]?.imports?.forEach(add)
  }
  wanted.forEach(add)
  const chunks = [...seen].flatMap((key) => manifest[key] ?? [])
  const files = chunks.flatMap(({ file, css = [] }) => [file, ...css])
  return [...new Set(['index.html', ...named(/first-paint-.*\.js$/), ...named(/icon-.*\.svg$/), ...files])]
}

/** What index.html loads beside the entry; the manifest does not list it. */
function named(pattern: RegExp): readonly string[] {
  return readdirSync(join(dist, 'static'))
    .filter((it) => pattern.test(it))
    .map((it) => `static/${it}`)
}

/** Files that no coding shortens lie there without one. */
function sizeOf(files: readonly string[], coding: '.gz' | '.br'): number {
  const read = (path: string) => readFileSync(existsSync(path + coding) ? path + coding : path).length
  return files.reduce((sum, file) => sum + read(join(dist, file)), 0)
}

function kB(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1).padStart(6)} kB`
}
