import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../src/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'deploy')
const NAMES = new Set(Object.values(settings).map((it) => it.name))
/** Read by Node, and by the image of PostgreSQL. */
const OF_OTHERS = ['NODE_COMPILE_CACHE', 'POSTGRES_PASSWORD', 'DATABASE_PASSWORD']
const SETTING = /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|HOST|PORT|ROLES)(?==|: )/g

const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((it) => it.isFile())
  .map((it) => relative(FOLDER, join(it.parentPath, it.name)))
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

test.each(files.filter((it) => /Containerfile|yaml$|env$|service$/.test(it)))(
  '%s sets what there is',
  (file) => {
    const unknown = [...textOf(file).matchAll(SETTING)]
      .map(([, name = '']) => name)
      .filter((name) => !NAMES.has(name) && !OF_OTHERS.includes(name))
    expect(unknown).toEqual([])
  },
)

test('images and package have the version of the workspace', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const named = files
    .filter((it) => it.includes('container'))
    .flatMap((it) => [...textOf(it).matchAll(/\brollcall[:-](\d+\.\d+\.\d+)/g)])
    .map(([, found]) => found)
  expect(named).toHaveLength(3)
  expect(new Set(named)).toEqual(new Set([version]))
})
