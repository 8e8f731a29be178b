import { expect, test } from 'vitest'
import { canceled, refusedQuestions } from './refused-questions.ts'

const failing = (error: Error) => () => Promise.reject(error)

test('a question that took too long is refused at once when it is asked again, and no other', async () => {
  const { asking, check } = refusedQuestions()
  await expect(asking('slow', failing(canceled()))).rejects.toMatchObject({ code: '57014' })
  expect(() => check('slow')).toThrow('takes too long')
  expect(() => check('another')).not.toThrow()
})

test('a question that failed for another reason may be asked again', async () => {
  const { asking, check } = refusedQuestions()
  await expect(asking('broken', failing(new Error('connection lost')))).rejects.toThrow('connection lost')
  expect(() => check('broken')).not.toThrow()
  expect(await asking('broken', () => Promise.resolve(1))).toBe(1)
})
