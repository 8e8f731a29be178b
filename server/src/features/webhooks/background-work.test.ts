import { expect, test } from 'vitest'
import { doneAndPromised } from '#test/support/api-coverage/promised-work.ts'
import { every, jobs } from './jobs.ts'

test('work is done as often, and tried as often, as docs/background-work.md promises', () => {
  const { done, promised } = doneAndPromised({ jobs, every })
  expect(done).toEqual(promised)
})
