import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { actionInWords, SUBJECTS } from './audit-words.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** `record(ctx, 'api_key.revoked'`, on one line or on several. */
const RECORDED = /\brecord\(\s*\w+,\s*'([a-z_]+\.[a-z_]+)'/g

test.each([
  ['api_key.revoked', 'API key revoked'],
  ['credential.set_aside', 'Credential set aside'],
  ['user.sign_in_failed', 'Sign-in failed'],
  ['unheard_of.done', 'Unheard of done'],
])('%s is called %s', (action, words) => {
  expect(actionInWords(action)).toBe(words)
})

test('every action that the server records has a subject to choose it by, and German', () => {
  const german = JSON.parse(readFileSync(join(ROOT, 'web/languages/de.json'), 'utf8')) as {
    readonly texts: object
    readonly words: object
  }
  const actions = recordedActions()
  expect(actions.size).toBeGreaterThan(100)
  const lacking = [...actions].filter((action) => {
    const [subject = '', verb = ''] = action.split('.')
    const isSaid = actionInWords(action) in german.texts || verb.replaceAll('_', ' ') in german.words
    return !isSaid || !SUBJECTS.some(({ value }) => value === subject)
  })
  expect(lacking).toEqual([])
})

function recordedActions(): ReadonlySet<string> {
  const features = join(ROOT, 'server/src/features')
  const files = readdirSync(features, { recursive: true, encoding: 'utf8' })
  return new Set(
    files
      .filter((file) => /(?<!\.test|\.fixture)\.ts$/.test(file))
      .flatMap((file) => [...readFileSync(join(features, file), 'utf8').matchAll(RECORDED)])
      .map(([, action = '']) => action),
  )
}
