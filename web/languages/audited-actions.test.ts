import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LANGUAGES } from './languages.ts'
import { readCatalogue } from './translate.ts'

const FEATURES = join(import.meta.dirname, '../../server/src/features')
const NAMED = join(import.meta.dirname, '../src/features/audit/audit-words.ts')

/** `record(ctx, 'api_key.revoked'`, on one line or on several. */
const RECORDED = /\brecord\(\s*\w+,\s*'([a-z_]+\.[a-z_]+)'/g

test('the audit log can be narrowed to the subject of every action that the server records', () => {
  const subjects = new Set(found(readFileSync(NAMED, 'utf8'), /\bvalue: '([a-z_]+)'/g))
  const actions = recordedActions()
  expect(actions.length).toBeGreaterThan(100)
  expect(actions.filter((action) => !subjects.has(action.split('.')[0] ?? ''))).toEqual([])
})

test.each(LANGUAGES)('%s has words for every action that the server records', (language) => {
  const { words } = readCatalogue(language)
  // those that are named as a whole are texts, of which another test says whether any is missing
  const named = new Set(found(readFileSync(NAMED, 'utf8'), /^ {2}'([a-z_]+\.[a-z_]+)':/gm))
  const verbOf = (action: string): string => (action.split('.')[1] ?? '').replaceAll('_', ' ')
  expect(recordedActions().filter((action) => !named.has(action) && !(verbOf(action) in words))).toEqual([])
})

const recordedActions = (): readonly string[] =>
  readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test|\.fixture)\.ts$/.test(file))
    .flatMap((file) => found(readFileSync(join(FEATURES, file), 'utf8'), RECORDED))

const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, part = '']) => part)
