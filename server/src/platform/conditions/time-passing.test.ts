import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import type { Field, Row, Vocabulary } from './field.ts'
import { parseCondition } from './parse.ts'
import { passedBetween, spansAsked } from './time-passing.ts'

const field = (name: string, type: 'date' | 'instant'): Field => ({
  name,
  type,
  sentence: '',
  source: '',
  read: (row) => row[name],
})
const collection = {
  name: 'finding',
  sentence: '',
  source: '',
  fields: [field('found', 'instant')],
  elements: (row: Row) => row['finding()'] as readonly Row[] | undefined,
  sql: undefined as never,
}
const vocabulary: Vocabulary = {
  fields: [field('seen', 'instant'), field('due', 'date')],
  collections: [collection],
}
const HOUR_MS = 3_600_000
const START = Date.parse('2026-03-10T00:30:00Z')

/** Values at every half hour around what the spans point at. */
const ROWS: readonly Row[] = Array.from({ length: 400 }, (_, n) => {
  const at = new Date(START + (n - 200) * (HOUR_MS / 2))
  return {
    seen: at.toISOString(),
    due: at.toISOString().slice(0, 10),
    'finding()': [{ found: at.toISOString() }],
  }
})

test.each([
  'seen > -2d',
  'not seen <= +1d',
  'due < +0d',
  'due >= +1d or seen < -30h',
  'no finding(found < -1d)',
  'count finding(found >= +3h) > 0',
  'seen in (-1d, +1d) or has due',
])('whatever %s says otherwise of later is among what is found, and little else', (text) => {
  const condition = parseCondition(text, vocabulary)
  for (let hour = 0; hour < 50; hour++) {
    const [earlier, later] = [new Date(START + hour * HOUR_MS), new Date(START + (hour + 1) * HOUR_MS)]
    const passed = passedBetween(spansAsked([condition]), earlier, later)
    const isFound = (row: Row) =>
      passed !== undefined && evaluate(passed, row, { now: later, vocabulary }) === true
    const changed = ROWS.filter(
      (row) =>
        evaluate(condition, row, { now: earlier, vocabulary }) !==
        evaluate(condition, row, { now: later, vocabulary }),
    )
    expect(changed.filter((row) => !isFound(row))).toEqual([])
    // a day has 48 of them
    expect(ROWS.filter(isFound).length).toBeLessThanOrEqual(changed.length + 100)
  }
})

test('a date changes nothing while the day is the same', () => {
  const spans = spansAsked([parseCondition('due < +0d', vocabulary)])
  const at = (hour: number) => new Date(START + hour * HOUR_MS)
  expect(passedBetween(spans, at(1), at(20))).toBeUndefined()
  expect(passedBetween(spans, at(20), at(24))).toBeDefined()
})

test('without spans, time changes nothing', () => {
  expect(spansAsked([parseCondition('seen > 2026-01-01 and any finding(has found)', vocabulary)])).toEqual([])
})
