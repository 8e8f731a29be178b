import { expect, test } from 'vitest'
import { openSeldom } from './throttle.ts'

function scene(everyMs: number) {
  let now = 0
  const seldom = openSeldom(everyMs, () => now)
  const pass = (ms: number) => (now += ms)
  const workFor = (ms: number) => seldom.run(() => Promise.resolve(pass(ms)))
  return { seldom, pass, workFor }
}

test('cheap work is done at its time', async () => {
  const { seldom, pass, workFor } = scene(5_000)
  expect(seldom.inMs()).toBe(0)
  await workFor(10)
  expect(seldom.inMs()).toBe(5_000)
  pass(5_001)
  expect(seldom.inMs()).toBe(0)
})

test('dear work takes a twentieth of the time', async () => {
  const { seldom, workFor } = scene(0)
  await workFor(200)
  expect(seldom.inMs()).toBe(3_800)
})

test('issue 9: one run that took long by chance puts off the next for ten seconds at most', async () => {
  const { seldom, workFor } = scene(0)
  await workFor(3_000)
  expect(seldom.inMs()).toBe(10_000)
})

test('work that fails is done again as late, unless asked for at once', async () => {
  const { seldom } = scene(100)
  await expect(seldom.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(seldom.inMs()).toBe(100)
  seldom.reset()
  expect(seldom.inMs()).toBe(0)
})
