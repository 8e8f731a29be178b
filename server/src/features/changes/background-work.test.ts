import { expect, test } from 'vitest'
import { doneAndPromised } from '#test/support/api-coverage/promised-work.ts'
import { every } from './jobs.ts'

test('work is done as often, and tried as often, as docs/background-work.md promises', () => {
  const { done, promised } = doneAndPromised({ every })
  expect(done).toEqual(promised)
})
