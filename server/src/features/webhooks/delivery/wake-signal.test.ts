import { expect, test } from 'vitest'
import { openWakeSignal } from './wake-signal.ts'

const FOR_EVER = 2 ** 30

test('ringing ends a wait', async () => {
  const wakeSignal = openWakeSignal()
  const waiting = wakeSignal.wait(FOR_EVER)
  wakeSignal.notify()
  await expect(waiting).resolves.toBeUndefined()
})

test('a ring while nobody waits ends the next wait, and only that', async () => {
  const wakeSignal = openWakeSignal()
  wakeSignal.notify()
  wakeSignal.notify()
  await wakeSignal.wait(FOR_EVER)
  let isOver = false
  const next = wakeSignal.wait(FOR_EVER).then(() => (isOver = true))
  await Promise.resolve()
  expect(isOver).toBe(false)
  wakeSignal.notify()
  await next
})

test('a wait ends by itself', async () => {
  await expect(openWakeSignal().wait(1)).resolves.toBeUndefined()
})
