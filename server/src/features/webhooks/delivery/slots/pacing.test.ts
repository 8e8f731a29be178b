import { expect, test, vi } from 'vitest'
import { openPacing } from './pacing.ts'

const SEQ = 1
/** How many begin at once at a receiver that has not answered yet. */
const FIRST = 24

/** A receiver that answers at once, with as many waiting as are claimed. */
function scene() {
  let now = 0
  const pacing = openPacing(() => now)
  let begun = 0
  const send = async () => {
    await pacing.turn(SEQ)
    begun += 1
  }
  return {
    pacing,
    begun: () => begun,
    pass: (ms: number) => (now += ms),
    claim: (count: number) => void Array.from({ length: count }, send),
    settle: () => Promise.resolve().then(() => Promise.resolve()),
  }
}

test('what is claimed beyond what keeps a receiver busy begins as others end', async () => {
  const { pacing, begun, claim, settle } = scene()
  claim(100)
  await settle()
  expect(begun()).toBe(FIRST)
  pacing.end(SEQ, 1)
  pacing.end(SEQ, 40)
  await settle()
  expect(begun()).toBe(FIRST + 2)
})

test('answers that take no longer let more at once begin, those that wait behind others fewer', async () => {
  const { pacing, begun, claim, settle } = scene()
  claim(400)
  for (let n = 0; n < 64; n++) pacing.end(SEQ, 200)
  await settle()
  expect(begun()).toBe(FIRST + 2 * 64)
  for (let n = 0; n < 64; n++) pacing.end(SEQ, 1_000)
  await settle()
  expect(begun()).toBe(FIRST + 2 * 64)
})

test('a refused connection does not make slow answers look as if they had waited behind others', async () => {
  const { pacing, begun, claim, settle } = scene()
  claim(400)
  pacing.end(SEQ, 0.3, true)
  await settle()
  expect(begun()).toBe(FIRST + 1)
  for (let n = 0; n < 64; n++) pacing.end(SEQ, 500)
  await settle()
  expect(begun()).toBe(FIRST + 1 + 2 * 64)
})

test('nothing waits for longer than a tenth of a second', async () => {
  vi.useFakeTimers()
  const { begun, claim, pass } = scene()
  claim(100)
  pass(100)
  await vi.advanceTimersByTimeAsync(100)
  expect(begun()).toBe(100)
  vi.useRealTimers()
})

test('so much is claimed ahead as ends in less than a tenth of a second, when half of it has begun', () => {
  const { pacing, claim, pass } = scene()
  expect(pacing.room(SEQ)).toBe(Infinity)
  claim(FIRST)
  expect(pacing.room(SEQ)).toBe(16)
  for (let n = 0; n < FIRST; n++) pacing.end(SEQ, 40)
  const atOnce = 2 * FIRST
  expect(pacing.room(SEQ)).toBe(atOnce + FIRST)
  pass(200)
  expect(pacing.room(SEQ)).toBe(atOnce + 16)
  claim(atOnce + 9)
  expect(pacing.room(SEQ)).toBe(0)
  pacing.end(SEQ, 40)
  expect(pacing.room(SEQ)).toBe(9)
})
