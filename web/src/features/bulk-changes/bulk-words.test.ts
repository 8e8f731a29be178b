import { expect, test } from 'vitest'
import { isUndoable, outcomeOf, titleOf } from './bulk-words.ts'

const change = {
  verb: 'add_tags',
  subject: 'asset',
  values: { tags: ['edge'] },
  status: 'completed',
  message: '',
  total: 1_024,
  done: 1_024,
  changed: 1_024,
  undoOf: null,
  undoneBy: null,
} as const

test.each([
  [{}, 'Add the tag edge'],
  [{ verb: 'remove_tags', values: { tags: ['a', 'b'] } }, 'Remove the tags a, b'],
  [{ verb: 'set_weight', values: { criticality: 'high' } }, 'Criticality high'],
  [{ verb: 'set_record', values: { record: { owner: 'Ada' } } }, 'Owner Ada'],
  [{ verb: 'set_record', values: { record: { owner: null } } }, 'No owner'],
  [{ verb: 'archive', values: {} }, 'Archive'],
] as const)('%j is called %s', (some, title) => expect(titleOf({ ...change, ...some })).toBe(title))

test.each([
  [{ status: 'running', done: 20, changed: 20 }, 'Add the tag edge: 20 of 1,024 assets'],
  [{}, 'Add the tag edge: done on 1,024 assets'],
  [{ changed: 1_000 }, 'Add the tag edge: changed 1,000 of 1,024 assets'],
  [{ undoOf: 'x' }, 'Undo: Add the tag edge: done on 1,024 assets'],
  [
    { subject: 'finding', verb: 'accept_risk', values: { reason: 'old' }, total: 2, done: 2, changed: 1 },
    'Accept the risk: changed 1 of 2 findings',
  ],
  [{ status: 'cancelled', done: 1 }, 'Add the tag edge: stopped after 1 of 1,024 assets; these stay changed'],
] as const)('%j says %s', (some, outcome) => expect(outcomeOf({ ...change, ...some })).toBe(outcome))

test('what ended can be undone once, but for deleting', () => {
  expect(isUndoable(change)).toBe(true)
  expect(isUndoable({ ...change, status: 'running' })).toBe(false)
  expect(isUndoable({ ...change, verb: 'delete' })).toBe(false)
  expect(isUndoable({ ...change, undoneBy: 'x' })).toBe(false)
  expect(isUndoable({ ...change, undoOf: 'x' })).toBe(false)
  expect(isUndoable({ ...change, changed: 0 })).toBe(false)
})
