import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = resolve(import.meta.dirname, '../src')
const PACKAGES = resolve(import.meta.dirname, '../../node_modules/@mantine')
const CORE = join(PACKAGES, 'core/esm')

const filesBelow = (folder: string, extension: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => extension.test(name))
    .map((name) => join(folder, name))

/** The names that a file takes from the component library. */
const takenBy = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from ['"]@mantine\/core['"]/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))

/** The style modules that a file of the library loads, itself or through others. */
function stylesOf(file: string, seen: Set<string>): string[] {
  if (seen.has(file) || !existsSync(file)) return []
  seen.add(file)
  const own = /(\w+)\.module\.mjs$/.exec(file)?.[1]
  const below = [...readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)]
  return [
    ...(own ? [own] : []),
    ...below.flatMap(([, path = '']) => stylesOf(resolve(dirname(file), path), seen)),
  ]
}

test('every component in use comes with its styles', () => {
  const taken = new Set(
    [...filesBelow(SOURCES, /\.tsx?$/), ...filesBelow(join(PACKAGES, 'notifications/esm'), /\.mjs$/)].flatMap(
      takenBy,
    ),
  )
  const index = readFileSync(join(CORE, 'index.mjs'), 'utf8')
  const files = [...index.matchAll(/import \{([^}]*)\} from "([^"]+)"/g)]
    .filter(([, names = '']) =>
      names.split(',').some((it) => taken.has(it.trim().split(' as ').at(-1) ?? '')),
    )
    .map(([, , path = '']) => join(CORE, path))
  const seen = new Set<string>()
  const needed = new Set(files.flatMap((file) => stylesOf(file, seen)))
  const imported = readFileSync(join(SOURCES, 'styles/library.css'), 'utf8')
  expect(needed.size).toBeGreaterThan(20)
  expect([...needed].filter((name) => !imported.includes(`/${name}.layer.css'`))).toEqual([])
})
