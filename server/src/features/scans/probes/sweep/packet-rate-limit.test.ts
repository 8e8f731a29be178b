import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RateLimiter } from './packet-rate-limit.ts'

const never = new AbortController().signal
const SECOND_MS = 1000

/** The most that ever happened within any second. */
const busiestSecond = (times: readonly number[]): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + SECOND_MS).length))

test('grants no more than its pace in any second, however many ask at once', async () => {
  const rateLimiter = new RateLimiter({ perSecond: 400, burst: 10 })
  const times: number[] = []
  await Promise.all(
    Array.from({ length: 600 }, () => rateLimiter.acquire(never).then(() => times.push(performance.now()))),
  )
  expect(busiestSecond(times)).toBeLessThanOrEqual(400)
})

test('serves callers in order', async () => {
  const rateLimiter = new RateLimiter({ perSecond: 1000, burst: 1 })
  const order: number[] = []
  await Promise.all([1, 2, 3, 4, 5].map((n) => rateLimiter.acquire(never).then(() => order.push(n))))
  expect(order).toEqual([1, 2, 3, 4, 5])
})

test('a burst passes at once, then callers wait', async () => {
  let now = 0
  const rateLimiter = new RateLimiter({ perSecond: 20, burst: 4 }, () => now)
  const granted: number[] = []
  const stop = new AbortController()
  for (let n = 1; n <= 5; n++) {
    rateLimiter.acquire(stop.signal).then(
      () => granted.push(n),
      () => undefined,
    )
  }
  await new Promise(setImmediate)
  expect(granted).toEqual([1, 2, 3, 4])
  now = 10_000
  stop.abort()
})

test('what is owed counts from when it falls due', async () => {
  let now = 0
  const rateLimiter = new RateLimiter({ perSecond: 101, burst: 1 }, () => now)
  const stop = new AbortController()
  let granted = 0
  const ask = (): void =>
    void rateLimiter.acquire(stop.signal).then(
      () => granted++,
      () => undefined,
    )
  rateLimiter.owe(10, 1000)
  ask()
  await new Promise(setImmediate)
  expect(granted).toBe(1)
  now = 1000
  ask()
  await new Promise(setImmediate)
  expect(granted).toBe(1)
  stop.abort()
})

test('an aborted caller is skipped, and those behind it are served', async () => {
  const rateLimiter = new RateLimiter({ perSecond: 11, burst: 1 })
  const impatient = new AbortController()
  await rateLimiter.acquire(never)
  const given = rateLimiter.acquire(impatient.signal).catch((error: unknown) => error)
  const next = rateLimiter.acquire(never)
  impatient.abort()
  expect(await given).toMatchObject({ name: 'AbortError' })
  await next
})

test('slows down on trouble, once for a burst of it, and recovers', async () => {
  let now = 0
  const rateLimiter = new RateLimiter({ perSecond: 110, burst: 10 }, () => now)
  rateLimiter.trouble()
  rateLimiter.trouble()
  expect(rateLimiter.perSecond).toBeCloseTo(100 / 1.5)
  for (let i = 0; i < 20; i++) {
    now += SECOND_MS
    rateLimiter.trouble()
  }
  expect(rateLimiter.perSecond).toBeCloseTo(10)
  for (let i = 0; i < 1000; i++) {
    now += SECOND_MS
    await rateLimiter.acquire(never)
  }
  expect(rateLimiter.perSecond).toBeCloseTo(100)
})

test('slows down when answers take ever longer, not when they only differ', () => {
  let now = 0
  const paced = (rtts: readonly number[]): number => {
    const rateLimiter = new RateLimiter({ perSecond: 110, burst: 10 }, () => (now += SECOND_MS))
    rtts.forEach((rttMs) => rateLimiter.answered(rttMs))
    return rateLimiter.perSecond
  }
  expect(paced(Array.from({ length: 50 }, (_, i) => 20 + 10 * i))).toBeLessThan(50)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 100 }), (rtts) => {
      expect(paced(rtts)).toBeCloseTo(100)
    }),
  )
})

test.each<[string, readonly number[], RegExp, boolean]>([
  ['calm', Array.from({ length: 50 }, () => 20), /^$/, false],
  ['one late answer', [20, 20, 300, 20, 20], /^$/, false],
  [
    'rising',
    [20, ...Array.from({ length: 8 }, () => 250)],
    /^slowed to \d+ packets a second: answers take \d+ ms, 20 ms/,
    false,
  ],
  ['rising without an end', [20, ...Array.from({ length: 60 }, () => 800)], /^slowed to 10 packets/, true],
])('round trips that are %s', (_, rtts, slowed, isStrained) => {
  let now = 0
  const rateLimiter = new RateLimiter({ perSecond: 110, burst: 10 }, () => (now += 300))
  for (const rttMs of rtts) rateLimiter.answered(rttMs)
  expect(rateLimiter.slowed).toMatch(slowed)
  expect(rateLimiter.strainOn() !== undefined).toBe(isStrained)
})

test('a far network after a near one is not rising, also when the near one was strained', () => {
  let now = 0
  const rateLimiter = new RateLimiter({ perSecond: 110, burst: 10 }, () => (now += 300))
  const answers = (count: number, rttMs: number): void => {
    for (let i = 0; i < count; i++) rateLimiter.answered(rttMs)
  }
  answers(50, 1)
  rateLimiter.forgetRoundTrips()
  answers(50, 500)
  expect([rateLimiter.slowed, rateLimiter.strainOn()]).toEqual(['', undefined])
  answers(60, 3_000)
  expect(rateLimiter.strainOn()).toContain('500 ms before')
  rateLimiter.forgetRoundTrips()
  answers(50, 600)
  expect(rateLimiter.strainOn()).toBeUndefined()
})

test('each path has its own sense of calm: a far one beside a near one slows nothing, and only its own strain is its strain', () => {
  let now = 0
  const rateLimiter = new RateLimiter({ perSecond: 110, burst: 10 }, () => (now += 300))
  const answers = (count: number, near: number, far: number): void => {
    for (let i = 0; i < count; i++) {
      rateLimiter.answered(near, 'near')
      rateLimiter.answered(far, 'far')
    }
  }
  answers(50, 1, 400)
  expect(rateLimiter.slowed).toBe('')
  answers(60, 1, 3_000)
  expect(rateLimiter.strainOn('far')).toContain('400 ms before')
  expect(rateLimiter.strainOn('near')).toBeUndefined()
})
