import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// What the readme names is there: components and hooks by their use in the sources, files by their path.

const WEB = join(import.meta.dirname, '..')

const code = [...readFileSync(join(WEB, 'README.md'), 'utf8').matchAll(/`([^`\n]+)`/g)]
  .map(([, span = '']) => span)
  .join('\n')
const named = (pattern: RegExp): string[] => [...new Set(code.match(pattern))]

test('components and hooks', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: WEB })
    .map((path) => readFileSync(join(WEB, path), 'utf8'))
    .join('\n')
  const names = named(/(?<=<)[A-Z]\w+|\buse[A-Z]\w+/g)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([])
})

test('files', () => {
  const folders = [
    '.',
    'src',
    'src/features',
    'src/api',
    'src/styles',
    'src/features/vulnerabilities/findings',
    '..',
  ]
  const files = named(/^[\w./-]+\.(?:tsx?|css)$/gm)
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => !folders.some((it) => existsSync(join(WEB, it, file))))).toEqual([])
})
