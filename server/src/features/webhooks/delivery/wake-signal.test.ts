import { expect, test } from 'vitest'
import { openBell } from './wake-signal.ts'

const FOR_EVER = 2 ** 30

test('ringing ends a wait', async () => {
  const bell = openBell()
  const waiting = bell.wait(FOR_EVER)
  bell.ring()
  await expect(waiting).resolves.toBeUndefined()
})

test('a ring while nobody waits ends the next wait, and only that', async () => {
  const bell = openBell()
  bell.ring()
  bell.ring()
  await bell.wait(FOR_EVER)
  let isOver = false
  const next = bell.wait(FOR_EVER).then(() => (isOver = true))
  await Promise.resolve()
  expect(isOver).toBe(false)
  bell.ring()
  await next
})

test('a wait ends by itself', async () => {
  await expect(openBell().wait(1)).resolves.toBeUndefined()
})
