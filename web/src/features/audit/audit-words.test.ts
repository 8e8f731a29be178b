import { expect, test } from 'vitest'
import { actionInWords } from './audit-words.ts'

test.each([
  ['api_key.revoked', 'API key revoked'],
  ['credential.set_aside', 'Credential set aside'],
  ['user.sign_in_failed', 'Sign-in failed'],
  ['unheard_of.done', 'Unheard of done'],
])('%s is called %s', (action, words) => {
  expect(actionInWords(action)).toBe(words)
})
