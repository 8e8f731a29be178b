import { expect, test } from 'vitest'
import { inputValues, isAboutAsset } from './start-flow.ts'

const NEEDS = new Set(['add_tags'])
const tag = { action: 'add_tags', with: { tags: ['x'] } }
const tell = (subject: string) => ({ action: 'send_notice', with: { to: ['me'], subject } })

test.each([
  [[tag], true],
  [[tell('Hello')], false],
  [[tell('{{asset.name}}')], true],
  [[{ action: 'if', condition: 'asset.type = server', steps: [] }], true],
  [[{ action: 'if', condition: 'event.n > 1', steps: [tag] }], true],
  [[{ action: 'if', condition: 'event.n > 1', steps: [], otherwise: [tag] }], true],
  [[{ action: 'for_each', list: 'event.asset_ids', steps: [tag] }], false],
])('steps %j need an asset: %s', (steps, expected) => {
  expect(isAboutAsset({ steps }, NEEDS)).toBe(expected)
})

test("the flow's own condition may read the asset", () => {
  expect(isAboutAsset({ steps: [], condition: 'asset.type = server' }, NEEDS)).toBe(true)
})

test('inputs become values of their types, and what is empty is left out', () => {
  const fields = { why: 'text', n: 'number', hard: 'bool', since: 'date', at: 'instant', none: 'text' }
  const typed = { why: ' a b', n: '3', hard: 'no', since: '2026-01-02', at: '2026-01-02T03:04Z', none: ' ' }
  expect(inputValues(fields, typed)).toEqual({
    why: ' a b',
    n: 3,
    hard: false,
    since: '2026-01-02',
    at: '2026-01-02T03:04:00.000Z',
  })
})
