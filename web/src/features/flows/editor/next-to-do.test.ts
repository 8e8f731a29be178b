import { expect, test } from 'vitest'
import { NEW_DEFINITION } from './flow-editor.ts'
import { nextToDo } from './next-to-do.ts'

const faults = (place: string, message = 'is required') => new Map([[place, message]])

test.each([
  ['', faults('trigger.condition'), 'Name the flow.'],
  ['Tag printers', faults('trigger.condition', 'must be a text'), 'Say which assets it is about.'],
  ['Tag printers', faults('steps[0].with.tags'), 'Step 1, tags: is required'],
  ['Tag printers', faults('steps[2].otherwise[0].with.to'), 'Step 3, to: is required'],
  ['Tag printers', faults('steps[1]'), 'Step 2: is required'],
  ['Tag printers', faults('condition', 'ends too early'), 'condition: ends too early'],
  ['Tag printers', new Map(), undefined],
  ['Tag printers', undefined, undefined],
] as const)('of %j with %j: %s', (name, found, sentence) =>
  expect(nextToDo(name, NEW_DEFINITION, found)).toBe(sentence),
)

test('a condition that was written and cannot be read is told as the server says it', () => {
  const written = { ...NEW_DEFINITION, trigger: { ...NEW_DEFINITION.trigger, condition: 'typ = x' } }
  expect(nextToDo('Tag', written, faults('trigger.condition', 'there is no field typ'))).toBe(
    'trigger.condition: there is no field typ',
  )
})
