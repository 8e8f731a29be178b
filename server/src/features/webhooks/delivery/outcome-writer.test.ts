import { expect, test, vi } from 'vitest'
import type { Outcome } from './outcome-store.ts'
import { openOutcomeWriter } from './outcome-writer.ts'

const outcome = (id: number): Outcome => ({
  id,
  claimNo: id,
  state: 'd',
  isFirst: true,
  waitSeconds: 0,
  ms: 1,
  phase: 'read',
  status: 200,
  fault: null,
  error: null,
  excerpt: null,
})
const many = (count: number) => Array.from({ length: count }, (_, i) => outcome(i))

test('outcomes are written by two as soon as there are enough, and together while these are busy', async () => {
  const batches: number[] = []
  const outcomes = openOutcomeWriter(
    (batch) => Promise.resolve(void batches.push(batch.length)),
    () => {},
  )
  await Promise.all(many(700).map((it) => outcomes.add(it)))
  expect(batches).toEqual([32, 32, 300, 300, 36])
})

test('what others wait for is written together, too, while both writers are busy', async () => {
  vi.useFakeTimers()
  try {
    const writing = Promise.withResolvers<void>()
    const batches: number[] = []
    const outcomes = openOutcomeWriter(
      (batch) => {
        batches.push(batch.length)
        return writing.promise
      },
      () => {},
    )
    const added = []
    for (const it of many(12)) {
      added.push(outcomes.add(it, true))
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(batches).toEqual([1, 1])
    writing.resolve()
    await Promise.all(added)
    expect(batches).toEqual([1, 1, 10])
  } finally {
    vi.useRealTimers()
  }
})

test('an outcome is done when it is written, not before', async () => {
  const [begun, writing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const outcomes = openOutcomeWriter(
    () => {
      begun.resolve()
      return writing.promise
    },
    () => {},
  )
  let isDone = false
  const done = outcomes.add(outcome(1)).then(() => (isDone = true))
  await begun.promise
  expect(isDone).toBe(false)
  writing.resolve()
  await done
})

test('a batch that cannot be written is kept and tried again', async () => {
  const seen: (readonly Outcome[])[] = []
  const errors: unknown[] = []
  const outcomes = openOutcomeWriter(
    (batch) => {
      seen.push(batch)
      return seen.length < 4 ? Promise.reject(new Error('no database')) : Promise.resolve()
    },
    (error) => errors.push(error),
  )
  await outcomes.add(outcome(1))
  expect(errors).toHaveLength(3)
  expect(seen.map((batch) => batch.map((it) => it.id))).toEqual([[1], [1], [1], [1]])
})
