import { expect, test } from 'vitest'
import { stepSentence, triggerSentence } from './flow-sentence.ts'

test.each([
  [
    { kind: 'event', eventTypes: ['NEW_ASSET', 'UNLINK'] },
    'When an asset is discovered or an asset is separated',
  ],
  [{ kind: 'schedule', cron: '0 8 * * 1', zone: 'Europe/Berlin' }, 'At 0 8 * * 1 (Europe/Berlin)'],
  [{ kind: 'query', condition: 'type = server', on: 'enter' }, 'When an asset begins to match type = server'],
  [{ kind: 'manual' }, 'When somebody starts it'],
])('%j is read as a sentence', (trigger, sentence) => {
  expect(triggerSentence(trigger)).toBe(sentence)
})

test.each([
  [{ action: 'add_tags', with: { tags: ['a', 'b'] } }, 'Add the tags a, b'],
  [
    { action: 'set_weight', with: { criticality: 'high', exposure: 'internet' } },
    'Set criticality to high and exposure to internet',
  ],
  [{ action: 'wait', minutes: 1_440 }, 'Wait 1 day'],
  [{ action: 'wait', minutes: 120 }, 'Wait 2 hours'],
  [{ action: 'wait', minutes: 5 }, 'Wait 5 minutes'],
  [{ action: 'something_new' }, 'something new'],
])('%j is read as a sentence', (step, sentence) => {
  expect(stepSentence(step)).toBe(sentence)
})
