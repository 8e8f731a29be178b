import { expect, test } from 'vitest'
import { flowSummary } from './flow-summary.ts'
import type { Definition } from './flow-sentence.ts'

const tag = (name: string) => ({ action: 'add_tags', with: { tags: [name] } })

// as in server/src/features/flows/definition/summary.test.ts: both say the same
test.each<[Definition, string]>([
  [{ trigger: { kind: 'manual' }, condition: '', steps: [] }, 'When somebody starts it: nothing yet.'],
  [
    {
      trigger: { kind: 'event', eventTypes: ['NEW_ASSET', 'UNLINK'] },
      condition: 'asset.type = server',
      steps: [tag('new'), { action: 'wait', minutes: 120 }, { action: 'stop' }],
    },
    'When an asset is discovered or an asset is separated, if asset.type = server: add tags (new), wait 2 hours, stop.',
  ],
  [
    {
      trigger: { kind: 'query', condition: 'type = server', on: 'leave', per: 'asset' },
      steps: [
        { action: 'if', condition: 'asset.kev = yes', steps: [tag('kev')], otherwise: [] },
        { action: 'for_each', list: 'event.assets', steps: [tag('x')] },
      ],
    },
    'When an asset matches no more type = server: if asset.kev = yes (add tags (kev)), for each of event.assets (add tags (x)).',
  ],
  [
    {
      trigger: { kind: 'schedule', cron: '0 8 * * 1', zone: 'UTC' },
      steps: ['a', 'b', 'c', 'd', 'e'].map(tag),
    },
    'At 0 8 * * 1 (UTC): add tags (a), add tags (b), add tags (c), 2 more.',
  ],
  [
    {
      trigger: { kind: 'manual' },
      steps: [
        { action: 'archive', with: {} },
        { action: 'wait_for_approval', request: 'a' },
      ],
    },
    'When somebody starts it: archive, wait for the answer.',
  ],
])('%j is one sentence', (definition, sentence) => {
  expect(flowSummary(definition)).toBe(sentence)
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
