import { expect, test } from 'vitest'
import { asksAbout, conditionOf, meantBy } from './meant-by.ts'

test('findings are open ones unless the status is asked about', () => {
  expect(meantBy('finding', 'kev = yes')).toBe('kev = yes and status = open')
  expect(meantBy('finding', 'status in (open, resolved)')).toBe('status in (open, resolved)')
  expect(meantBy('finding', 'not has status')).toBe('not has status')
  expect(meantBy('finding', 'a = 1 or b = 2')).toBe('(a = 1 or b = 2) and status = open')
  expect(meantBy('finding', '')).toBe('')
  expect(meantBy('asset', 'tag = x')).toBe('tag = x')
})

test('collections and quotes ask about nothing', () => {
  expect(asksAbout('any finding(status = resolved)', 'status')).toBe(false)
  expect(asksAbout('any finding(status = resolved) and (status = open)', 'status')).toBe(true)
  expect(asksAbout('"status" and tag = status', 'status')).toBe(false)
})

test('words are searched for as one phrase', () => {
  expect(conditionOf({ where: 'tag = x', text: 'web "1"' })).toBe('tag = x and "web \\"1\\""')
  expect(conditionOf({ where: '', text: 'web' })).toBe('"web"')
  expect(conditionOf({ where: 'tag = x', text: '' })).toBe('tag = x')
})
