import { expect, test } from 'vitest'
import { canceled, timedOutQueries } from './timed-out-queries.ts'

const failing = (error: Error) => () => Promise.reject(error)

test('a query that took too long is refused at once when it is run again, and no other', async () => {
  const { run, refuse } = timedOutQueries()
  await expect(run('slow', failing(canceled()))).rejects.toMatchObject({ code: '57014' })
  expect(() => refuse('slow')).toThrow('takes too long')
  expect(() => refuse('another')).not.toThrow()
})

test('a query that failed for another reason may be run again', async () => {
  const { run, refuse } = timedOutQueries()
  await expect(run('broken', failing(new Error('connection lost')))).rejects.toThrow('connection lost')
  expect(() => refuse('broken')).not.toThrow()
  expect(await run('broken', () => Promise.resolve(1))).toBe(1)
})
