import { expect, test } from 'vitest'
import { softwareIn } from './section-software.ts'

test('the day of last use is taken as the agent tells it', () => {
  const row = { origin: 'macos', name: 'Sketch', version: '99', last_used_on: '2026-11-01' }
  expect(softwareIn({ complete: ['macos'], items: [row] }, []).items).toEqual([
    { origin: 'macos', name: 'Sketch', version: '99', lastUsedOn: '2026-11-01' },
  ])
})
