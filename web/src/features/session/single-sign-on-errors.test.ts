import { expect, test } from 'vitest'
import { singleSignOnErrorText } from './single-sign-on-errors.ts'

test.each(['not_a_member', 'something new', 'constructor', '<img src=x>'])('%s is told in words', (code) => {
  expect(singleSignOnErrorText(code)).toMatch(/^[A-Z][^<_]+\.$/)
})

test('without a problem nothing is told', () => {
  expect(singleSignOnErrorText(undefined)).toBeUndefined()
})
