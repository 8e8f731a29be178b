import { expect, test } from 'vitest'
import { offeredValues } from './offered-values.ts'

const offer = (value: string, source: string) => ({
  value,
  source,
  observationId: null,
  seenAt: '2026-11-20T00:00:00Z',
  isLocked: false,
})

test('sources that agree stand together, the winner first', () => {
  const values = offeredValues([offer('Dell', 'agent'), offer('HP', 'import'), offer('DELL', 'sweep')])
  expect(values.map(({ value, offers }) => [value, offers.map(({ source }) => source)])).toEqual([
    ['Dell', ['agent', 'sweep']],
    ['HP', ['import']],
  ])
})
