import { expect, test } from 'vitest'
import { ScanProgress } from './sweep-progress.ts'

test('reports addresses done, recent rate and remaining time', () => {
  let now = 0
  const scanProgress = new ScanProgress(1000, undefined, () => now)
  const settle = (count: number, perSecond: number): void => {
    for (let i = 0; i < count; i++) {
      now += 1000 / perSecond
      scanProgress.hostDone(i % 10 === 0)
    }
  }
  expect(scanProgress.progress).toMatchObject({ done: 0, total: 1000, found: 0 })
  settle(200, 100)
  expect(scanProgress.progress).toMatchObject({
    done: 200,
    found: 20,
    ratePerSecond: 100,
    remainingSeconds: 8,
  })
  settle(200, 10)
  expect(scanProgress.progress.ratePerSecond).toBe(10)
  settle(600, 100)
  expect(scanProgress.progress).toMatchObject({ done: 1000, found: 100, remainingSeconds: 0 })
})
