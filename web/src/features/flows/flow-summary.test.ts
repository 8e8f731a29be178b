import { expect, test } from 'vitest'
import summaries from '../../../../server/src/features/flows/definition/summary.fixture.json' with { type: 'json' }
import { flowSummary } from './flow-summary.ts'
import type { Definition } from './flow-sentence.ts'

const tag = (name: string) => ({ action: 'add_tags', with: { tags: [name] } })

/** Definitions and what the server makes of them. */
const SUMMARIES = summaries as [Partial<Definition>, string][]

test.each([
  ...SUMMARIES,
  [
    {
      steps: [
        { action: 'archive', with: {} },
        { action: 'wait_for_approval', request: 'a' },
      ],
    },
    'When somebody starts it: archive, wait for the answer.',
  ],
] as [Partial<Definition>, string][])('%j is one sentence', (part, sentence) => {
  expect(flowSummary({ trigger: { kind: 'manual' }, steps: [], ...part })).toBe(sentence)
})

test('a long definition is cut', () => {
  const summary = flowSummary({
    trigger: { kind: 'manual' },
    condition: 'x'.repeat(1_000),
    steps: [tag('a')],
  })
  expect(summary).toHaveLength(300)
  expect(summary.endsWith('…')).toBe(true)
})
