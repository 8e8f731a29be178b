import { expect, test } from 'vitest'
import { insertStep, moveStep, namedBefore, removeStep, replaceStep, stepAt, stepsAt } from './step-tree.ts'

const tag = (name: string) => ({ action: 'add_tags', name })
const definition = {
  trigger: { kind: 'manual' },
  steps: [
    tag('a'),
    { action: 'if', condition: 'x', steps: [tag('b'), tag('c')], otherwise: [tag('d')] },
    tag('e'),
  ],
}
const names = (steps: readonly { readonly name?: string }[]) => steps.map(({ name }) => name)

test('steps are found, inserted, moved, replaced and removed at any depth; the original stays', () => {
  const before = structuredClone(definition)
  expect(stepAt(definition, 'steps[1].steps[1]')).toEqual(tag('c'))
  const inserted = insertStep(definition, 'steps[1].otherwise', 1, tag('x'))
  expect(names(stepsAt(inserted, 'steps[1].otherwise'))).toEqual(['d', 'x'])
  expect(names(stepsAt(moveStep(definition, 'steps[1].steps[1]', -1), 'steps[1].steps'))).toEqual(['c', 'b'])
  expect(moveStep(definition, 'steps[0]', -1)).toEqual(definition)
  expect(moveStep(definition, 'steps[2]', 1)).toEqual(definition)
  expect(names(stepsAt(replaceStep(definition, 'steps[1].steps[0]', tag('y')), 'steps[1].steps'))).toEqual([
    'y',
    'c',
  ])
  expect(names(stepsAt(removeStep(definition, 'steps[1].steps[0]'), 'steps[1].steps'))).toEqual(['c'])
  expect(definition).toEqual(before)
})

test('a step may read the outputs of those before it', () => {
  expect(namedBefore(definition, 'steps[1].otherwise[0]').map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(namedBefore(definition, 'steps[0]')).toEqual([])
})
