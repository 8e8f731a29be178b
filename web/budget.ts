import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

// How much script a browser loads, compressed, before it shows a screen for the first time: the entry and all it
// imports, and the screen and all it imports. Fails when any screen needs more than the budget.

const BUDGET_BYTES = 250_000
const dist = join(import.meta.dirname, 'dist')

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
}

const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
const keys = Object.keys(manifest)
const entry = keys.filter((key) => manifest[key]?.isEntry)
const screens = keys.filter((key) => manifest[key]?.isDynamicEntry)
const loads = screens.map((screen) => ({ screen, bytes: bytesOf([...entry, screen]) }))

for (const { screen, bytes } of loads.toSorted((a, b) => b.bytes - a.bytes))
  process.stdout.write(`${(bytes / 1_000).toFixed(1).padStart(7)} kB  ${screen}\n`)
const tooLarge = loads.filter(({ bytes }) => bytes > BUDGET_BYTES)
if (loads.length === 0 || tooLarge.length > 0) {
  process.stdout.write(`over the budget of ${BUDGET_BYTES / 1_000} kB: ${tooLarge.length} screens\n`)
  process.exitCode = 1
}

function bytesOf(wanted: readonly string[]): number {
  const all = new Set<string>()
  const add = (key: string): void => {
    if (all.has(key)) return
    all.add(key)
    manifest[key]?.imports?.forEach(add)
  }
  wanted.forEach(add)
  const scripts = [...all].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'))
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
}
