import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Definition } from '../flow.ts'
import { summaryOf } from './summary.ts'

const definition = (part: Partial<Definition>): Definition => ({
  trigger: { kind: 'manual' },
  condition: '',
  coolDownMinutes: 0,
  runsPerMinute: 60,
  steps: [],
  ...part,
})
const tag = (name: string) => ({ action: 'add_tags', with: { tags: [name] } })

/** Definitions and their sentences, which the app must find alike. */
const SUMMARIES = JSON.parse(readFileSync(join(import.meta.dirname, 'summary.fixture.json'), 'utf8')) as [
  Partial<Definition>,
  string,
][]

test.each(SUMMARIES)('%j is one sentence', (part, sentence) => {
  expect(summaryOf(definition(part))).toBe(sentence)
})

test('a long definition is cut', () => {
  const summary = summaryOf(definition({ condition: 'x'.repeat(1_000), steps: [tag('a')] }))
  expect(summary).toHaveLength(300)
  expect(summary.endsWith('…')).toBe(true)
})
