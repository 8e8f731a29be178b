import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Comparison, Condition, Value } from './condition.ts'
import { vocabularyWith } from './conditions.fixture.ts'
import { evaluate } from './evaluate.ts'
import type { Vocabulary } from './field.ts'
import { parseCondition } from './parse.ts'
import { anyCondition, now, row, software } from './random-conditions.fixture.ts'

/**
 * The conditions and rows by which PostgreSQL and memory are compared tell every operator from its nearest neighbours: an
 * evaluator that took one for the other would be caught.
 */

/** Undefined: the node is left as it is. */
type Mutation = (node: Condition) => Condition | undefined

const compares =
  (from: Comparison, to: Comparison): Mutation =>
  (node) =>
    (node.kind === 'compare' || node.kind === 'count') && node.comparison === from
      ? { ...node, comparison: to }
      : undefined

const values =
  (change: (value: Value) => Value | undefined): Mutation =>
  (node) => {
    const value = node.kind === 'compare' ? change(node.value) : undefined
    return node.kind === 'compare' && value ? { ...node, value } : undefined
  }

/** Two-valued, as a condition with a name is. */
const onlyWhatIsTrue = (part: Condition, asked: Vocabulary): Condition => ({
  kind: 'named',
  name: '',
  part,
  vocabulary: asked,
  from: part.from,
  to: part.to,
})

const HOUR_MS = 3_600_000
const vocabulary = vocabularyWith(software)

const mutations: Readonly<Record<string, Mutation>> = {
  '= as !=': compares('=', '!='),
  '!= as =': compares('!=', '='),
  '< as <=': compares('<', '<='),
  '<= as <': compares('<=', '<'),
  '> as >=': compares('>', '>='),
  '>= as >': compares('>=', '>'),
  '< as >': compares('<', '>'),
  ': as =': compares(':', '='),
  'and as or': (node) => (node.kind === 'and' ? { ...node, kind: 'or' } : undefined),
  'or as and': (node) => (node.kind === 'or' ? { ...node, kind: 'and' } : undefined),
  'or that forgets what is unknown': (node) =>
    node.kind === 'or'
      ? { ...node, parts: node.parts.map((it) => onlyWhatIsTrue(it, vocabulary)) }
      : undefined,
  'and that takes what is unknown for false': (node) =>
    node.kind === 'and'
      ? { ...node, parts: node.parts.map((it) => onlyWhatIsTrue(it, vocabulary)) }
      : undefined,
  'not of what is unknown as true': (node) =>
    node.kind === 'not' ? { ...node, part: onlyWhatIsTrue(node.part, vocabulary) } : undefined,
  'not left out': (node) => (node.kind === 'not' ? node.part : undefined),
  'only the first of in': (node) =>
    node.kind === 'in' && node.values.length > 1 ? { ...node, values: node.values.slice(0, 1) } : undefined,
  'has turned round': (node) =>
    node.kind === 'has' ? { kind: 'not', part: node, from: node.from, to: node.to } : undefined,
  'any as no': (node) => (node.kind === 'any' ? { ...node, kind: 'no' } : undefined),
  'no as any': (node) => (node.kind === 'no' ? { ...node, kind: 'any' } : undefined),
  'an element of which it is unknown as none': (node) =>
    node.kind === 'any' || node.kind === 'no' || node.kind === 'count'
      ? { ...node, part: onlyWhatIsTrue(node.part, { fields: node.collection.fields, collections: [] }) }
      : undefined,
  'a span an hour off': values((it) => (it.type === 'span' ? { ...it, ms: it.ms - HOUR_MS } : undefined)),
  'yes as no': values((it) => (it.type === 'bool' ? { ...it, isTrue: !it.isTrue } : undefined)),
  'a network as its address': values((it) =>
    it.type === 'ip' && it.isNetwork
      ? { ...it, isNetwork: false, network: it.network.replace(/\/.*$/, '') }
      : undefined,
  ),
}

function mutated(node: Condition, mutate: Mutation): Condition {
  const inner =
    'parts' in node
      ? { ...node, parts: node.parts.map((it) => mutated(it, mutate)) }
      : 'part' in node
        ? { ...node, part: mutated(node.part, mutate) }
        : node
  return mutate(inner) ?? inner
}

const rows = fc.sample(row, { numRuns: 100, seed: 1 })
const conditions = fc
  .sample(anyCondition, { numRuns: 300, seed: 2 })
  .map((text) => parseCondition(text, vocabulary))
const answersOf = (condition: Condition): string =>
  JSON.stringify(rows.map((it) => evaluate(condition, it, { now, vocabulary })))
const right = conditions.map(answersOf)

test.each(Object.entries(mutations))('%s is caught', (_, mutate) => {
  const caught = conditions.filter((it, at) => answersOf(mutated(it, mutate)) !== right[at])
  expect(caught.length).toBeGreaterThan(2)
})

test('a condition that is not mutated answers the same', () => {
  expect(conditions.map((it) => answersOf(mutated(it, () => undefined)))).toEqual(right)
})
