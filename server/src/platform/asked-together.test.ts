import { expect, test } from 'vitest'
import { askedTogether } from './asked-together.ts'

const LONG_MS = 60_000

/** Answers when it is told to. */
function calls() {
  const made: { asked: readonly number[]; answer: () => void; fail: () => void }[] = []
  const ask = (asked: readonly number[]) =>
    new Promise<string[]>((resolve, reject) => {
      made.push({
        asked,
        answer: () => resolve(asked.map(String)),
        fail: () => reject(new Error('unavailable')),
      })
    })
  return { made, ask }
}

test('what is asked while a call is under way is the next call’s, and each has its own answer', async () => {
  const { made, ask } = calls()
  const question = askedTogether(ask, { sizeMax: 3, waitMs: LONG_MS })
  const answers = [1, 2, 3, 4, 5].map(question)
  expect(made.map((it) => it.asked)).toEqual([[1]])
  made[0]?.answer()
  await answers[0]
  await expect.poll(() => made.map((it) => it.asked)).toEqual([[1], [2, 3, 4]])
  made[1]?.answer()
  await expect.poll(() => made.length).toBe(3)
  made[2]?.answer()
  expect(await Promise.all(answers)).toEqual(['1', '2', '3', '4', '5'])
})

test('a call that fails fails those who asked it, and the next is made', async () => {
  const { made, ask } = calls()
  const question = askedTogether(ask, { sizeMax: 3, waitMs: LONG_MS })
  const [first, second] = [question(1), question(2)]
  made[0]?.fail()
  await expect(first).rejects.toThrow('unavailable')
  await expect.poll(() => made.length).toBe(2)
  made[1]?.answer()
  expect(await second).toBe('2')
})

test('nobody waits for long for an answer to others', async () => {
  const { made, ask } = calls()
  const question = askedTogether(ask, { sizeMax: 3, waitMs: 1 })
  const [first, second] = [question(1), question(2)]
  await expect.poll(() => made.length).toBe(2)
  made[1]?.answer()
  expect(await second).toBe('2')
  made[0]?.answer()
  expect(await first).toBe('1')
})
