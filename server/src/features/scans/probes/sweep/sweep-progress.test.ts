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

test('settled is what was finished from the first address on, in whatever order addresses are asked', () => {
  const written = new Set<string>()
  const scanProgress = new ScanProgress(8, undefined, undefined, (address) => written.has(address))
  const [a, b, c, d] = scanProgress.open(['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.0.0.3'], 1)
  expect(scanProgress.progress).toMatchObject({ done: 1, settled: 1 })
  scanProgress.placeDone(c!, false)
  expect(scanProgress.progress).toMatchObject({ done: 2, settled: 1 })
  scanProgress.placeDone(a!, false)
  scanProgress.placeDone(b!, true)
  scanProgress.placeDone(b!, true)
  expect(d).toBeUndefined()
  expect(scanProgress.progress).toMatchObject({ done: 4, found: 1, settled: 2 })
  written.add('10.0.0.2')
  expect(scanProgress.progress).toMatchObject({ settled: 4 })
})

test('what is left of a range without a route counts as finished once, and is not said to be sampled', () => {
  const scanProgress = new ScanProgress(3, undefined, undefined, () => false)
  const [first, second] = scanProgress.open(['10.0.0.0', '10.0.0.1'])
  scanProgress.sampledOnly = () => 1
  scanProgress.placeDone(second!, false)
  expect(scanProgress.progress.sampledOnly).toBe(1)
  scanProgress.passOver('10.0.0.0/31')
  scanProgress.placeDone(first!, false)
  expect(scanProgress.progress).toMatchObject({ done: 2, settled: 2, unreachable: ['10.0.0.0/31'] })
  expect(scanProgress.progress.sampledOnly).toBeUndefined()
})
