import { expect, test } from 'vitest'
import type { Judged } from './calibration.ts'
import { statedByOthers } from './cross-validation.ts'

const lines = (maker: string, count: number, isRight: boolean): Judged[] =>
  Array.from({ length: count }, () => ({
    kind: { basis: 'line', voice: 'description', verdict: 'type' },
    maker,
    isRight,
  }))

test('what is stated of a maker is fitted on the others alone', () => {
  const stated = statedByOthers([...lines('always', 100, true), ...lines('never', 99, false)], [])
  expect(stated.filter(({ isRight }) => isRight).every(({ confidence }) => confidence < 0.1)).toBe(true)
  expect(stated.filter(({ isRight }) => !isRight).every(({ confidence }) => confidence > 0.9)).toBe(true)
})

test("the maker's own list of products is left out too", () => {
  const alone = statedByOthers(lines('always', 3, true), lines('always', 100, true))
  expect(alone).toEqual(Array.from({ length: 3 }, () => ({ confidence: 0.5, isRight: true })))
})

test('every statement is asked once', () => {
  const many = Array.from({ length: 12 }, (_, at) => lines(`maker ${at}`, at + 1, true)).flat()
  expect(statedByOthers(many, [])).toHaveLength(many.length)
})
