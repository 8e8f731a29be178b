import { expect, test } from 'vitest'
import { candidateSource, candidateValues } from './candidate-values.ts'

const offer = (value: string, source: string) => ({
  value,
  source,
  observationId: null,
  seenAt: '2026-11-20T00:00:00Z',
  isLocked: false,
  setBy: null,
  reason: '',
})

test('sources that agree stand together, the winner first', () => {
  const values = candidateValues([offer('Dell', 'agent'), offer('HP', 'import'), offer('DELL', 'sweep')])
  expect(values.map(({ value, offers }) => [value, offers.map(({ source }) => source)])).toEqual([
    ['Dell', ['agent', 'sweep']],
    ['HP', ['import']],
  ])
})

test.each([
  ['agent laptops', null, 'laptops'],
  ['sweep', null, 'sweep'],
  ['recognition', null, 'recognised'],
  ['manual', 'Ada', 'set by Ada'],
  ['manual', null, 'set by a person'],
])('%s with %s is %s', (source, setBy, text) => {
  expect(candidateSource({ source, setBy })).toBe(text)
})
