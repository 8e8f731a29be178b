import { expect, test } from 'vitest'
import { openThrottle } from './throttle.ts'

function scene(everyMs: number) {
  let now = 0
  const throttle = openThrottle(everyMs, () => now)
  const pass = (ms: number) => (now += ms)
  const workFor = (ms: number) => throttle.run(() => Promise.resolve(pass(ms)))
  return { throttle, pass, workFor }
}

test('cheap work is done at its time', async () => {
  const { throttle, pass, workFor } = scene(5_000)
  expect(throttle.inMs()).toBe(0)
  await workFor(10)
  expect(throttle.inMs()).toBe(5_000)
  pass(5_001)
  expect(throttle.inMs()).toBe(0)
})

test('dear work takes a twentieth of the time', async () => {
  const { throttle, workFor } = scene(0)
  await workFor(200)
  expect(throttle.inMs()).toBe(3_800)
})

test('issue 9: one run that took long by chance puts off the next for ten seconds at most', async () => {
  const { throttle, workFor } = scene(0)
  await workFor(3_000)
  expect(throttle.inMs()).toBe(10_000)
})

test('work that fails is done again as late, unless asked for at once', async () => {
  const { throttle } = scene(100)
  await expect(throttle.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(throttle.inMs()).toBe(100)
  throttle.reset()
  expect(throttle.inMs()).toBe(0)
})
