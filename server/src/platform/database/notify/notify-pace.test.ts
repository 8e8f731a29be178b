import { expect, test } from 'vitest'
import { openNotifyPace } from './notify-pace.ts'

function scene() {
  let now = 0
  const pace = openNotifyPace(() => now)
  const notify = (ms: number): number => {
    const rest = pace.restMs()
    now += rest + ms
    pace.spend(ms)
    return rest
  }
  return { notify, pass: (ms: number) => (now += ms), now: () => now }
}

test('single commits do not wait for each other', () => {
  const { notify, pass } = scene()
  const rests = Array.from({ length: 100 }, () => {
    pass(5)
    return notify(0.4)
  })
  expect(Math.max(...rests)).toBe(0)
})

test('of many in a row few are sent at once, and then a fifth of the time is spent on them', () => {
  const { notify, now } = scene()
  const rests = Array.from({ length: 1_000 }, () => notify(2))
  expect(rests.slice(0, 2)).toEqual([0, 0])
  expect(2_000 / now()).toBeCloseTo(0.2, 2)
})

test('however short they are, there are no more than 400 a second', () => {
  const { notify, now } = scene()
  for (let n = 0; n < 4_000; n++) notify(0.01)
  expect(4_000_000 / now()).toBeCloseTo(400, -1)
})

test('after one that took long the next waits for 20 ms and no more', () => {
  const { notify } = scene()
  notify(5_000)
  expect(notify(1)).toBe(20)
})
