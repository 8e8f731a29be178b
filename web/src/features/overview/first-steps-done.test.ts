import { expect, test } from 'vitest'
import { firstSteps } from './first-steps-done.ts'

const NOTHING = {
  targets: [],
  credentials: { total: 0 },
  feeds: [],
  agents: { total: 0 },
  users: [{ id: 'me' }],
}
const doneOf = (data: Parameters<typeof firstSteps>[0]) =>
  firstSteps(data)
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id)

test('a new organisation has all steps before it, its founder does not count as invited', () => {
  expect(firstSteps(NOTHING)).toHaveLength(5)
  expect(doneOf(NOTHING)).toEqual([])
})

test.each([
  [{ targets: [{ id: '1' }] }, 'networks'],
  [{ credentials: { total: 1 } }, 'credentials'],
  [{ feeds: [{ isEnabled: true, records: 0, isSample: false }] }, 'feeds'],
  [{ feeds: [{ isEnabled: false, records: 7, isSample: false }] }, 'feeds'],
  [{ agents: { total: 3 } }, 'agents'],
  [{ users: [{ id: 'me' }, { id: 'you' }] }, 'people'],
])('%o is a step done', (data, id) => {
  expect(doneOf({ ...NOTHING, ...data })).toEqual([id])
})

test.each([
  ['neither switched on nor loaded', { records: 0, isSample: false }],
  ['samples for a demo', { records: 30, isSample: true }],
])('a feed that is %s is no step done', (_, feed) => {
  expect(doneOf({ ...NOTHING, feeds: [{ isEnabled: false, ...feed }] })).toEqual([])
})

test('what the role may not see is no step', () => {
  const { targets, users } = NOTHING
  expect(firstSteps({ targets, users }).map(({ id }) => id)).toEqual(['networks', 'people'])
})
