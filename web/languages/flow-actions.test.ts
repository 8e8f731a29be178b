import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTitles } from './server-sentences.ts'
import { LANGUAGES } from './languages.ts'
import { readCatalogue } from './translate.ts'

const ACTIONS = join(import.meta.dirname, '../../server/src/features/flows/actions')
const FLOWS = join(import.meta.dirname, '../src/features/flows')
const sources = readdirSync(ACTIONS)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(ACTIONS, file), 'utf8'))
  .join('\n')

const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, part = '']) => part)

const labels = found(sources, /^ {2}label: '(.+)',$/gm)
const names = found(sources, /^ {2}name: '([a-z_]+)',$/gm)

test('the summary of a flow says every action of the server as the server does', () => {
  const said = new Set(found(readFileSync(join(FLOWS, 'flow-summary.ts'), 'utf8'), /does: '(.+?)'/g))
  expect(labels.length).toBeGreaterThan(15)
  expect(labels.map((it) => it.charAt(0).toLowerCase() + it.slice(1)).filter((it) => !said.has(it))).toEqual(
    [],
  )
})

test.each(LANGUAGES)('%s has a sentence for a step of every action, and its labels', (language) => {
  const { words } = readCatalogue(language)
  const titles = readTitles(language)
  const sentences = new Set(found(readFileSync(join(FLOWS, 'flow-sentence.ts'), 'utf8'), /case '([a-z_]+)'/g))
  expect(names.filter((it) => !sentences.has(it) && !(it.replaceAll('_', ' ') in words))).toEqual([])
  const shown = found(sources, /\b(?:label|sentence|title|description): '(.+?)'(?:,| \})/g)
  expect(shown.filter((it) => !(it in titles))).toEqual([])
})

test.each(LANGUAGES)('%s has words for the fields that a step records', (language) => {
  const { words } = readCatalogue(language)
  const record = join(ACTIONS, '../../records/values/asset-record.ts')
  const [, list = ''] = /recordFields = \[(.+?)\]/s.exec(readFileSync(record, 'utf8')) ?? []
  const fields = found(list, /'(\w+)'/g)
  expect(fields.length).toBeGreaterThan(10)
  expect(fields.filter((it) => !(it in words))).toEqual([])
})
