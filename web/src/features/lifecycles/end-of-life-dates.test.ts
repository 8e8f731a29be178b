import { expect, test } from 'vitest'
import { distanceTo, nameOf } from './end-of-life-dates.ts'

const today = new Date('2026-05-01T21:00:00Z')

test.each([
  ['2026-05-01', 'today'],
  ['2026-05-02', 'in 1 day'],
  ['2026-04-02', '29 days ago'],
  ['2026-08-01', 'in 3 months'],
  ['2022-09-10', '3 years ago'],
  ['2029-05-01', 'in 3 years'],
])('%s is %s', (endsOn, words) => {
  expect(distanceTo(endsOn, today)).toBe(words)
})

test('a system says its version in its name', () => {
  expect(nameOf({ kind: 'system', name: 'Debian GNU/Linux 10 (buster)', version: '10' })).toBe(
    'Debian GNU/Linux 10 (buster)',
  )
  expect(nameOf({ kind: 'software', name: 'Node.js', version: '18.1.0' })).toBe('Node.js 18.1.0')
})
