import { describe, expect, test } from 'vitest'
import { compileSteps } from '../definition/program.ts'
import type { Step } from '../flow.ts'
import { isInLoop, ITEMS_MAX, itemsOf, nextItem, wayOn } from './move-on.ts'
import { assetIdOf, currentItem, itemKey, tooLarge, type Loop, type RunContext } from './run.ts'

const ID = '0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21'
const OTHER = '1b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c22'
const context = (event: object = {}, loops: readonly Loop[] = []): RunContext => ({
  event: event as RunContext['event'],
  steps: {},
  loops,
})
const loop = (at: number, index: number, items: readonly unknown[]): Loop => ({ at, index, items })
const stop: Step = { action: 'stop' }
const wait = (minutes: number): Step => ({ action: 'wait', minutes })

test('steps become one row of instructions whose numbers lead past each other', () => {
  const program = compileSteps([
    { action: 'if', condition: 'c', steps: [wait(1), wait(2)], otherwise: [wait(3)] },
    { action: 'for_each', list: 'event.ids', steps: [wait(4)] },
    { action: 'wait_for_approval', request: 'ask', otherwise: [wait(5)] },
    stop,
  ])
  expect(program).toEqual([
    { op: 'branch', path: 'steps[0]', condition: 'c', otherwise: 4 },
    { op: 'wait', path: 'steps[0].steps[0]', minutes: 1 },
    { op: 'wait', path: 'steps[0].steps[1]', minutes: 2 },
    { op: 'jump', path: 'steps[0]', to: 5 },
    { op: 'wait', path: 'steps[0].otherwise[0]', minutes: 3 },
    { op: 'loop', path: 'steps[1]', list: 'event.ids', after: 8 },
    { op: 'wait', path: 'steps[1].steps[0]', minutes: 4 },
    { op: 'next', path: 'steps[1]', loop: 5 },
    { op: 'approval', path: 'steps[2]', request: 'ask', approved: 11 },
    { op: 'wait', path: 'steps[2].otherwise[0]', minutes: 5 },
    { op: 'stop', path: 'steps[2]' },
    { op: 'stop', path: 'steps[3]' },
  ])
})

describe('the way on', () => {
  const begin = { op: 'loop', path: 'steps[0]', list: 'event.ids', after: 9 } as const
  const next = { op: 'next', path: 'steps[0]', loop: 2 } as const

  test('a jump leads where it says', () => {
    expect(wayOn({ cursor: 3, context: context() }, { op: 'jump', path: 'p', to: 7 })).toEqual({ cursor: 7 })
  })

  test('a loop begins with its first item, and is passed by without one', () => {
    const full = context({ ids: ['a', 'b'] })
    expect(wayOn({ cursor: 2, context: full }, begin)).toEqual({
      cursor: 3,
      context: { ...full, loops: [loop(2, 0, ['a', 'b'])] },
    })
    for (const event of [{ ids: [] }, {}])
      expect(wayOn({ cursor: 2, context: context(event) }, begin)).toEqual({ cursor: 9 })
  })

  test.each([
    [{ ids: 'a' }, 'steps[0].list: event.ids is no list'],
    [
      { ids: Array.from({ length: ITEMS_MAX + 1 }, () => 1) },
      'steps[0].list: event.ids has more than 1000 items',
    ],
    [{ ids: ['x'.repeat(256 * 1_024)] }, 'steps[0].list: context: what the run knows is larger than 256 KiB'],
  ])('a list that cannot be gone through is a fault', (event, fault) => {
    expect(wayOn({ cursor: 2, context: context(event) }, begin)).toEqual({ fault })
  })

  test('a loop goes back for each further item, and on after the last one', () => {
    const first = context({}, [loop(2, 0, ['a', 'b'])])
    const second = context({}, [loop(2, 1, ['a', 'b'])])
    expect(wayOn({ cursor: 4, context: first }, next)).toEqual({ cursor: 3, context: second })
    expect(wayOn({ cursor: 4, context: second }, next)).toEqual({ cursor: 5, context: context() })
  })

  test('a loop inside another ends before that one', () => {
    const outer = loop(0, 0, ['x', 'y'])
    const inner = context({}, [outer, loop(2, 0, ['a'])])
    expect(wayOn({ cursor: 4, context: inner }, next)).toEqual({ cursor: 5, context: context({}, [outer]) })
  })
})

test('as many items as may be are gone through', () => {
  const items = Array.from({ length: ITEMS_MAX }, (_, n) => n)
  expect(itemsOf(context({ ids: items }), 'event.ids')).toEqual(items)
})

test('the list of an inner loop can be read of the item of the outer one', () => {
  const inside = context({}, [loop(0, 1, [{ ids: ['a'] }, { ids: ['b', 'c'] }])])
  expect(itemsOf(inside, 'item.ids')).toEqual(['b', 'c'])
  expect(currentItem(inside)).toEqual({ ids: ['b', 'c'] })
  expect(currentItem(context())).toBeUndefined()
})

test('where a run stands in its loops is told as numbers', () => {
  const both = [loop(0, 3, ['a', 'b', 'c', 'd']), loop(2, 1, ['x', 'y'])]
  expect(itemKey(context({}, both))).toBe('3.1')
  expect(itemKey(context())).toBe('')
  expect(isInLoop(context({}, both), 2)).toBe(true)
  expect(isInLoop(context({}, both), 0)).toBe(false)
  expect(isInLoop(context(), 0)).toBe(false)
  expect(itemKey(nextItem(context({}, both)))).toBe('3')
  expect(nextItem({ event: {}, steps: {} })).toEqual(context())
})

test.each<[string, readonly unknown[] | undefined, string | null]>([
  ['the one of the run, outside of loops', undefined, OTHER],
  ['that of an item that is an id', [ID], ID],
  ['that of an item that names one', [{ asset_id: ID }], ID],
  ['the one of the run, where the item names none', [{ asset_name: 'x' }], OTHER],
  ['the one of the run, where the item is no id', ['x'], OTHER],
  ['the one of the run, where the item is null', [null], OTHER],
  ['the one of the run, where the item is a number', [7], OTHER],
])('steps are about %s', (_, items, expected) => {
  const loops = items ? [loop(0, 0, items)] : []
  expect(assetIdOf({ assetId: OTHER, context: context({}, loops) })).toBe(expected)
})

test('the innermost item decides which asset the steps are about', () => {
  const loops = [loop(0, 0, [OTHER]), loop(2, 1, ['x', ID])]
  expect(assetIdOf({ assetId: null, context: context({}, loops) })).toBe(ID)
  const without = [loop(0, 0, [OTHER]), loop(2, 0, ['x', ID])]
  expect(assetIdOf({ assetId: null, context: context({}, without) })).toBe(OTHER)
})

test('what a run knows and the lists of its loops may each be 256 KiB large', () => {
  const half = 'x'.repeat(200 * 1_024)
  expect(tooLarge(context({ half }, [loop(0, 0, [half])]))).toBeUndefined()
  expect(tooLarge(context({ half, more: half }))).toMatch(/^context: .*256 KiB/)
  expect(tooLarge(context({}, [loop(0, 0, [half, half])]))).toMatch(/^context: /)
})
